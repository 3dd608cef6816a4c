import { deviceLoginBounds } from '@bey/contract'
import type { DeviceLogin } from '@bey/contract'
import { useState } from 'react'
import { useConfirmDeviceLogin, useRefuseDeviceLogin } from '../../data/device-login.ts'
import { causeOf, codeOf } from '../../lib/error-text.ts'
import { useNow } from '../../lib/now.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { DeviceLoginEnd } from './device-login-end.tsx'
import type { EndOfLogin } from './device-login-end.tsx'
import { DeviceLoginFacts } from './device-login-facts.tsx'
import { ShownCode } from './shown-code.tsx'

interface DeviceLoginRequestProps {
  request: DeviceLogin
  onEnd: (end: EndOfLogin) => void
}

/** The code, the facts by which phishing is recognized, and both answers. */
export function DeviceLoginRequest({ request, onEnd }: DeviceLoginRequestProps) {
  const { userCode, hostName, client, expiresAt, oldAt, isSameNetwork, needsReason } = request
  const [isAskingReason, setAskingReason] = useState(false)
  const now = useNow(true)
  const confirm = useConfirmDeviceLogin(userCode)
  const refuse = useRefuseDeviceLogin(userCode)
  const isOld = now >= Date.parse(oldAt)
  // It became old while it was shown; the server decides the same from the same instant.
  const asksReason = needsReason || isOld
  const isEnded =
    now >= Date.parse(expiresAt) || [confirm, refuse].some(({ error }) => codeOf(error) === 'ticket_expired')
  if (isEnded) return <DeviceLoginEnd end={{ status: 'ended' }} />

  const onConfirm = (reason?: string) =>
    confirm.mutate(reason, {
      onSuccess: () => onEnd({ status: 'confirmed', hostName }),
      onError: () => setAskingReason(false),
    })
  const failure = confirm.error ?? refuse.error
  return (
    <>
      <h1 className="text-title font-semibold break-words">Log in {hostName} as you?</h1>
      <p className="mt-1 text-text-2">
        A program asked {ageText(now - Date.parse(request.askedAt))} ago. Confirm only if you ran{' '}
        <code className="font-mono text-small">{client} login</code> yourself, just now.
      </p>
      <ShownCode code={userCode} remainingMs={Date.parse(expiresAt) - now} />
      <DeviceLoginFacts request={request} isOld={isOld} />
      {failure ? (
        <div className="mt-4">
          <Notice tone="danger" title={causeOf(failure)} />
        </div>
      ) : null}
      <div className="mt-6 flex flex-wrap items-center gap-2">
        <Button
          variant="primary"
          busy={confirm.isPending}
          onClick={() => (asksReason ? setAskingReason(true) : onConfirm())}
        >
          {asksReason ? 'Log in anyway…' : 'The codes are equal, log it in'}
        </Button>
        <Button
          busy={refuse.isPending}
          onClick={() =>
            refuse.mutate(undefined, { onSuccess: () => onEnd({ status: 'refused', hostName }) })
          }
        >
          I did not ask for this
        </Button>
      </div>
      <div className="mt-8 rounded-card border border-line px-4 py-3 text-text-2">
        Nobody from Bey or your organization ever sends you such a code. If one came by mail or chat, press{' '}
        <strong className="font-semibold text-text">I did not ask for this</strong>: it ends the request and
        records its address in the audit log.
      </div>
      <ReasonDialog
        isOpen={isAskingReason}
        cause={isSameNetwork ? 'The request is old.' : 'The request came from another address.'}
        isBusy={confirm.isPending}
        onClose={() => setAskingReason(false)}
        onReason={onConfirm}
      />
    </>
  )
}

interface ReasonDialogProps {
  isOpen: boolean
  cause: string
  isBusy: boolean
  onClose: () => void
  onReason: (reason: string) => void
}

function ReasonDialog({ isOpen, cause, isBusy, onClose, onReason }: ReasonDialogProps) {
  const [reason, setReason] = useState('')
  const isEnough = reason.trim().length >= deviceLoginBounds.minReasonLength
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Log in anyway?"
      description={`${cause} This is how stolen logins look. Say why it is yours; the audit log keeps it.`}
      size="small"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" busy={isBusy} disabled={!isEnough} onClick={() => onReason(reason.trim())}>
            Log in anyway
          </Button>
        </>
      }
    >
      <Field label="Reason" hint={`At least ${deviceLoginBounds.minReasonLength} characters.`}>
        {(control) => (
          <TextArea
            {...control}
            rows={3}
            maxLength={deviceLoginBounds.maxReasonLength}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}

/** How long ago, in seconds below two minutes. */
function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`
}
