import type { LinkedAccount, OauthProvider } from '@bey/contract'
import { useState } from 'react'
import { oauthAddress, useSignInOptions } from '../../data/sign-in.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf, errorMessage } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** Accounts of other providers that log the user in, and ways to link one. */
export function LinkedAccountsSection({ accounts }: { accounts: readonly LinkedAccount[] }) {
  const options = useSignInOptions()
  const [removed, setRemoved] = useState<LinkedAccount>()
  const [pending, setPending] = useState<OauthProvider>()
  const [error, setError] = useState<string>()
  const linkable = (options?.providers ?? []).filter(
    ({ id, isConfigured }) => isConfigured && !accounts.some(({ provider }) => provider === id),
  )
  const isNoneSet = options !== undefined && options.providers.every(({ isConfigured }) => !isConfigured)

  const link = async (id: OauthProvider, label: string) => {
    setPending(id)
    setError(undefined)
    try {
      const address = await oauthAddress(id, { intent: 'link' })
      if (address !== undefined) return location.assign(address)
      setError(`Failed to get ${label} authorization URL`)
    } catch (failure) {
      setError(`Failed to initiate ${label} login. ${causeOf(failure)}`)
    }
    setPending(undefined)
  }
  return (
    <div className="flex max-w-xl flex-col items-start gap-3">
      {accounts.length > 0 ? (
        <ul
          aria-label="Linked accounts"
          className="w-full divide-y divide-line rounded-card border border-line"
        >
          {accounts.map((account) => (
            <li key={account.provider} className="flex items-center justify-between gap-3 px-3 py-2">
              <div className="min-w-0">
                <p className="font-medium">{account.label}</p>
                <p className="text-small break-words text-text-2">
                  {account.display} · linked <RelativeTime at={account.createdAt} />
                </p>
              </div>
              <Button size="small" aria-label={`Unlink ${account.label}`} onClick={() => setRemoved(account)}>
                Unlink
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="text-text-2">
          {isNoneSet
            ? 'This server is not set up for other providers.'
            : 'None yet. Accounts are never linked by their address alone: you do it here.'}
        </p>
      )}
      {linkable.length > 0 ? (
        <div className="flex flex-wrap gap-2">
          {linkable.map(({ id, label }) => (
            <Button key={id} busy={pending === id} onClick={() => void link(id, label)}>
              Link {label}
            </Button>
          ))}
        </div>
      ) : null}
      <div role="alert" className={error ? 'text-danger' : 'hidden'}>
        {error}
      </div>
      {removed ? <Unlink account={removed} onDone={() => setRemoved(undefined)} /> : null}
    </div>
  )
}

function Unlink({ account, onDone }: { account: LinkedAccount; onDone: () => void }) {
  const unlink = useChange('account.unlink')
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onDone())}
      title={`Unlink ${account.label}?`}
      name={account.display}
      impactTitle="From then on:"
      impact={['It no longer logs you in. Sessions that it began go on.']}
      action="Unlink"
      busy={unlink.isPending}
      error={unlink.error ? errorMessage(unlink.error, 'The account could not be unlinked') : undefined}
      onConfirm={() => unlink.mutate({ params: { provider: account.provider } }, { onSuccess: onDone })}
    />
  )
}
