import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useConfirmTotp } from '../../data/account.ts'
import { errorMessage } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

export interface TotpSetupProps {
  email: string
  secret: string
  uri: string
  onClose: () => void
}

/** Joins an authenticator app: scan, enter a first code, keep the recovery codes. */
export default function TotpSetup({ email, secret, uri, onClose }: TotpSetupProps) {
  const [codes, setCodes] = useState<readonly string[]>()
  return (
    <Dialog
      open
      onOpenChange={onClose}
      isModalStrict
      title={codes ? 'Two-factor authentication is on' : 'Set up an authenticator app'}
      description={codes ? undefined : 'Scan the code with your app, then enter what the app shows.'}
      footer={
        codes ? (
          <Button variant="primary" onClick={onClose}>
            I have kept them
          </Button>
        ) : undefined
      }
    >
      {codes ? (
        <RecoveryCodes codes={codes} email={email} />
      ) : (
        <FirstCode secret={secret} uri={uri} onConfirmed={setCodes} onCancel={onClose} />
      )}
    </Dialog>
  )
}

interface FirstCodeProps {
  secret: string
  uri: string
  onConfirmed: (codes: readonly string[]) => void
  onCancel: () => void
}

function FirstCode({ secret, uri, onConfirmed, onCancel }: FirstCodeProps) {
  const [code, setCode] = useState('')
  const confirm = useConfirmTotp()
  const isComplete = /^\d{3} ?\d{3}$/.test(code.trim())
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isComplete && !confirm.isPending) confirm.mutate(code, { onSuccess: onConfirmed })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4 pb-2">
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        <QrCode text={uri} label="QR code of the secret for your app" />
        <div className="min-w-0 flex-1 basis-48">
          <p className="text-text-2">No camera? Enter this key in the app:</p>
          <p className="mt-1 flex items-center gap-1">
            <code className="min-w-0 font-mono text-small">{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
            <CopyButton text={secret} label="Copy key" />
          </p>
        </div>
      </div>
      <Field
        label="Code of the app"
        error={confirm.error ? errorMessage(confirm.error, 'The code could not be checked') : undefined}
      >
        {(control) => (
          <Input
            {...control}
            data-initial-focus=""
            className="font-mono tabular-nums"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            value={code}
            onChange={(event) => {
              setCode(event.target.value)
              confirm.reset()
            }}
          />
        )}
      </Field>
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={!isComplete} busy={confirm.isPending}>
          Turn on
        </Button>
      </div>
    </form>
  )
}
