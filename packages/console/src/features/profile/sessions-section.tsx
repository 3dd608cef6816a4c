import type { SessionRow } from '@bey/contract'
import { useState } from 'react'
import { useEndOtherSessions } from '../../data/account.ts'
import { useList } from '../../data/use-read.ts'
import { useChange } from '../../data/use-change.ts'
import { causeOf, errorText } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { userAgentText } from '../../lib/user-agent.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'

const limit = 20

/** Where the user is logged in; each can be ended here, at once. */
export function SessionsSection() {
  const [page, setPage] = useState(1)
  const list = useList('account.sessions', { query: { page, limit } })
  const endOthers = useEndOtherSessions()
  if (list.isError) {
    return (
      <ErrorState
        {...errorText('Your sessions could not be loaded', list.error)}
        onRetry={() => void list.refetch()}
        isCompact
      />
    )
  }
  if (!list.data) return <Skeleton className="h-28 max-w-xl" />
  const { sessions, total } = list.data
  const end = () =>
    endOthers.mutate(undefined, {
      onSuccess: (count) => toast('success', `Ended ${formatCount(count, 'session')}`),
      onError: (error) => toast('error', 'The sessions could not be ended', { description: causeOf(error) }),
    })
  return (
    <div className="flex max-w-xl flex-col items-start gap-3">
      <ul aria-label="Sessions" className="w-full divide-y divide-line rounded-card border border-line">
        {sessions.map((session) => (
          <SessionItem key={session.id} session={session} />
        ))}
      </ul>
      <Pagination page={page} limit={limit} total={total} onPageChange={setPage} />
      <Button
        busy={endOthers.isPending}
        disabledReason={total > 1 ? undefined : 'You have no other session.'}
        onClick={end}
      >
        End all other sessions
      </Button>
    </div>
  )
}

const methods: Readonly<Record<string, string>> = {
  password: 'password',
  passkey: 'passkey',
  github: 'GitHub',
  google: 'Google',
  oidc: 'single sign-on',
}

function SessionItem({ session }: { session: SessionRow }) {
  const end = useChange('account.endSession')
  const browser = session.userAgent === '' ? 'Unknown browser' : userAgentText(session.userAgent)
  const name = session.deviceName === null ? browser : `${session.deviceName}, command line`
  return (
    <li className="flex items-center justify-between gap-3 px-3 py-2">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span title={session.userAgent}>{name}</span>
          {session.isCurrent ? <Badge tone="accent">this one</Badge> : null}
        </p>
        <p className="text-small break-words text-text-2">
          {session.ip ?? 'Unknown address'} · by {methods[session.method] ?? session.method} · since{' '}
          <RelativeTime at={session.createdAt} /> · last seen <RelativeTime at={session.lastUsedAt} />
        </p>
      </div>
      {session.isCurrent ? null : (
        <Button
          size="small"
          aria-label={`End the session of ${name}`}
          busy={end.isPending}
          onClick={() =>
            end.mutate(
              { params: { id: session.id } },
              {
                onError: (error) =>
                  toast('error', 'The session could not be ended', { description: causeOf(error) }),
              },
            )
          }
        >
          End
        </Button>
      )}
    </li>
  )
}
