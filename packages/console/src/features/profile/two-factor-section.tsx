import type { CallOutput } from '@bey/contract'
import { Suspense, useState } from 'react'
import { useRenewRecoveryCodes } from '../../data/account.ts'
import { session } from '../../data/session.ts'
import { useChange } from '../../data/use-change.ts'
import { errorMessage } from '../../lib/error-text.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

const TotpSetup = lazyPart(() => import('./totp-setup.tsx'))

type Security = CallOutput<'account.security'>

/** Two-factor authentication by an app, with its recovery codes. */
export function TwoFactorSection({ security, email }: { security: Security; email: string }) {
  // Here, not in the part that offers the setup: that part is gone once it is on, before the codes were read.
  const [setup, setSetup] = useState<CallOutput<'account.beginTotp'>>()
  return (
    <>
      {security.totp ? (
        <IsOn
          since={security.totp.confirmedAt}
          codesLeft={security.recoveryCodesLeft}
          email={email}
          onBegun={setSetup}
        />
      ) : (
        <IsOff onBegun={setSetup} />
      )}
      {setup ? (
        <Suspense fallback={null}>
          <TotpSetup
            {...setup}
            email={email}
            onClose={() => {
              setSetup(undefined)
              // An organization may have waited for it.
              void session.refresh()
            }}
          />
        </Suspense>
      ) : null}
    </>
  )
}

function IsOff({ onBegun }: { onBegun: (setup: CallOutput<'account.beginTotp'>) => void }) {
  const begin = useChange('account.beginTotp')
  const error = begin.error ? errorMessage(begin.error, 'The setup could not begin') : undefined
  return (
    <div className="flex max-w-xl flex-col items-start gap-3">
      <p className="text-text-2">
        Off. With it, logging in with your password also asks for a code of your authenticator app.
      </p>
      <div role="alert" className={error ? 'text-danger' : 'hidden'}>
        {error}
      </div>
      <Button busy={begin.isPending} onClick={() => begin.mutate({}, { onSuccess: onBegun })}>
        Set up an authenticator app
      </Button>
    </div>
  )
}

interface IsOnProps {
  since: string
  codesLeft: number
  email: string
  /** Takes the secret of an app that is to replace the one in use. */
  onBegun: (setup: CallOutput<'account.beginTotp'>) => void
}

function IsOn({ since, codesLeft, email, onBegun }: IsOnProps) {
  const begin = useChange('account.beginTotp')
  const disable = useChange('account.disableTotp')
  const renew = useRenewRecoveryCodes()
  const [isAsking, setAsking] = useState(false)
  const failure = renew.error ?? begin.error
  const error = failure
    ? errorMessage(failure, renew.error ? 'The codes could not be renewed' : 'The setup could not begin')
    : undefined
  return (
    <div className="flex max-w-xl flex-col items-start gap-3">
      <p className="flex flex-wrap items-center gap-2 text-text-2">
        <Badge tone="ok">On</Badge>
        <span>
          since <RelativeTime at={since} />
        </span>
      </p>
      <p className={codesLeft < 3 ? 'text-warn' : 'text-text-2'}>
        {codesLeft === 0
          ? 'No recovery code is left: make new ones before your device is lost.'
          : `${codesLeft} of 10 recovery codes are left.`}
      </p>
      <div role="alert" className={error ? 'text-danger' : 'hidden'}>
        {error}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy={renew.isPending} onClick={() => renew.mutate()}>
          New recovery codes
        </Button>
        <Button busy={begin.isPending} onClick={() => begin.mutate({}, { onSuccess: onBegun })}>
          Use another app
        </Button>
        <Button onClick={() => setAsking(true)}>Turn off</Button>
      </div>
      <Dialog
        open={renew.data !== undefined}
        onOpenChange={() => renew.reset()}
        isModalStrict
        title="New recovery codes"
        description="The previous codes no longer work."
        footer={
          <Button variant="primary" onClick={() => renew.reset()}>
            I have kept them
          </Button>
        }
      >
        {renew.data ? <RecoveryCodes codes={renew.data} email={email} /> : null}
      </Dialog>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Turn two-factor authentication off?"
        name={email}
        impactTitle="From then on:"
        impact={['Your password alone logs you in', 'The recovery codes no longer work']}
        action="Turn off"
        busy={disable.isPending}
        error={disable.error ? errorMessage(disable.error, 'It could not be turned off') : undefined}
        onConfirm={() => disable.mutate({}, { onSuccess: () => setAsking(false) })}
      />
    </div>
  )
}
