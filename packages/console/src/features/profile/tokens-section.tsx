import type { TokenRow } from '@bey/contract'
import { useState } from 'react'
import { useList } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { errorMessage, errorText } from '../../lib/error-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const limit = 20

/** API keys and kubeconfigs of the user, in whichever organization; each can be revoked here, at once. */
export function TokensSection() {
  const [page, setPage] = useState(1)
  const [revoked, setRevoked] = useState<TokenRow>()
  const list = useList('account.tokens', { query: { page, limit } })
  if (list.isError) {
    return (
      <ErrorState
        {...errorText('Your keys could not be loaded', list.error)}
        onRetry={() => void list.refetch()}
        isCompact
      />
    )
  }
  if (!list.data) return <Skeleton className="h-16 max-w-xl" />
  const { tokens, total } = list.data
  if (total === 0) {
    return (
      <p className="max-w-xl text-text-2">
        None. Personal API keys and downloaded kubeconfigs are listed here while they work.
      </p>
    )
  }
  return (
    <div className="flex max-w-xl flex-col items-start gap-3">
      <ul
        aria-label="Keys and kubeconfigs"
        className="w-full divide-y divide-line rounded-card border border-line"
      >
        {tokens.map((token) => (
          <li key={token.id} className="flex items-center justify-between gap-3 px-3 py-2">
            <TokenText token={token} />
            <Button size="small" aria-label={`Revoke ${nameOf(token)}`} onClick={() => setRevoked(token)}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <Pagination page={page} limit={limit} total={total} onPageChange={setPage} />
      {revoked ? <RevokeToken token={revoked} onDone={() => setRevoked(undefined)} /> : null}
    </div>
  )
}

const kinds: Readonly<Record<TokenRow['kind'], string>> = { api_key: 'API key', kubeconfig: 'kubeconfig' }

function nameOf({ kind, name, detail }: TokenRow): string {
  if (kind === 'api_key') return name
  return name === '' ? detail : `${detail}, ${name}`
}

function TokenText({ token }: { token: TokenRow }) {
  const { kind, organization, detail, createdAt, lastUsedAt, expiresAt } = token
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        <span className="min-w-0 break-words">{nameOf(token)}</span>
        <Badge>{kinds[kind]}</Badge>
      </p>
      <p className="text-small break-words text-text-2">
        {organization.name}
        {kind === 'api_key' ? (
          <>
            {' '}
            · <code className="font-mono">{detail}…</code>
          </>
        ) : null}{' '}
        · made <RelativeTime at={createdAt} /> ·{' '}
        {lastUsedAt ? (
          <>
            used <RelativeTime at={lastUsedAt} />
          </>
        ) : (
          'never used'
        )}
        {expiresAt ? (
          <>
            {' '}
            · ends <RelativeTime at={expiresAt} />
          </>
        ) : null}
      </p>
    </div>
  )
}

function RevokeToken({ token, onDone }: { token: TokenRow; onDone: () => void }) {
  const end = useChange('account.endToken')
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onDone())}
      title={`Revoke this ${kinds[token.kind]}?`}
      name={nameOf(token)}
      impactTitle="Within a second:"
      impact={['What uses it is refused', 'What it has open, such as a watch or a shell, is closed']}
      action="Revoke"
      busy={end.isPending}
      error={end.error ? errorMessage(end.error, 'It could not be revoked') : undefined}
      onConfirm={() => end.mutate({ params: { id: token.id } }, { onSuccess: onDone })}
    />
  )
}
