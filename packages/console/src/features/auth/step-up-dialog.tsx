import type { CallOutput } from '@bey/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { confirmIdentity, oauthAddress, stepUpMethods } from '../../data/sign-in.ts'
import { answerConfirmation, useIsConfirmationAsked } from '../../data/step-up.ts'
import { useRead } from '../../data/use-read.ts'
import { causeOf, errorText } from '../../lib/error-text.ts'
import { stepUpChannel } from '../../lib/step-up-channel.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ProofForm } from './proof-form.tsx'

/** Over whatever asked for it: confirms who is there, whereupon the act goes on by itself. */
export default function StepUpDialog() {
  const isOpen = useIsConfirmationAsked()
  return (
    <Dialog
      open={isOpen}
      onOpenChange={(open) => (open ? undefined : answerConfirmation(false))}
      title="Confirm that it is you"
      description="This changes something important. You are asked again after 10 minutes."
      size="small"
      isModalStrict
    >
      {isOpen ? <Confirm /> : null}
    </Dialog>
  )
}

function Confirm() {
  const methods = useQuery({ queryKey: ['step-up-methods'], queryFn: stepUpMethods, gcTime: 0, staleTime: 0 })
  if (methods.isError) {
    return (
      <ErrorState
        {...errorText('The server did not say how to confirm', methods.error)}
        onRetry={() => void methods.refetch()}
        isCompact
      />
    )
  }
  if (!methods.data) return <Skeleton className="h-28" />
  return methods.data.methods.length > 0 ? (
    <div className="pb-2">
      <ProofForm
        methods={methods.data.methods}
        action="Confirm"
        onProof={async (proof) => {
          await confirmIdentity(proof)
          answerConfirmation(true)
        }}
        aside={<Button onClick={() => answerConfirmation(false)}>Cancel</Button>}
      />
    </div>
  ) : (
    <ConfirmByProvider />
  )
}

type Linked = CallOutput<'account.security'>['linkedAccounts']

/** For anyone who has neither password nor passkey: the linked provider confirms, in a tab of its own. */
function ConfirmByProvider() {
  const security = useRead('account.security', {})
  const [error, setError] = useState<string>()
  useEffect(() => {
    const channel = new BroadcastChannel(stepUpChannel)
    channel.addEventListener('message', () => answerConfirmation(true))
    return () => channel.close()
  }, [])
  const open = async (provider: Linked[number]['provider']) => {
    // Opened at once: later the browser would take it for an advertisement.
    const tab = window.open('', '_blank')
    setError(undefined)
    try {
      const address = await oauthAddress(provider, { intent: 'confirm' })
      if (address !== undefined && tab) tab.location.href = address
    } catch (failure) {
      tab?.close()
      setError(causeOf(failure))
    }
  }
  return (
    <div className="flex flex-col items-start gap-3 pb-3">
      <p className="text-text-2">
        Log in once more where your account is linked. It opens in a tab of its own.
      </p>
      <div role="alert" className={error ? 'text-danger' : 'hidden'}>
        {error}
      </div>
      {(security.data?.linkedAccounts ?? []).map(({ provider, label }) => (
        <Button key={provider} onClick={() => void open(provider)}>
          Confirm with {label}
        </Button>
      ))}
    </div>
  )
}
