import type { CallOutput, SessionRow } from '@bey/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { Terminal } from 'lucide-react'
import { useChange } from '../../data/use-change.ts'
import { causeOf, errorText } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'

/** The newest sessions that are looked through; the profile lists all. */
export const maxSessionsRead = 100

/** Sessions that began with a code, the last used first. */
export function cliSessions(sessions: readonly SessionRow[]): SessionRow[] {
  return sessions.filter(({ deviceName }) => deviceName !== null)
}

/** Where the command line is logged in as the reader; each can be revoked. */
export function CliLogins({ sessions }: { sessions: UseQueryResult<CallOutput<'account.sessions'>> }) {
  return (
    <Section
      title="Your logins"
      aside={
        <Link href="/profile" className="underline underline-offset-4 hover:text-text">
          All your sessions
        </Link>
      }
    >
      <Content sessions={sessions} />
    </Section>
  )
}

function Content({ sessions }: { sessions: UseQueryResult<CallOutput<'account.sessions'>> }) {
  if (sessions.isError) {
    return (
      <ErrorState
        {...errorText('Your sessions could not be loaded', sessions.error)}
        onRetry={() => void sessions.refetch()}
        isCompact
      />
    )
  }
  if (!sessions.data) return <Skeleton className="h-16" />
  const rows = cliSessions(sessions.data.sessions)
  if (rows.length === 0)
    return <p className="text-text-2">No machine is logged in. Run bey login in a terminal.</p>
  return (
    <ul aria-label="Your logins" className="divide-y divide-line border-y border-line">
      {rows.map((row) => (
        <Login key={row.id} row={row} />
      ))}
    </ul>
  )
}

function Login({ row }: { row: SessionRow }) {
  const end = useChange('account.endSession')
  return (
    <li className="flex items-center gap-3 py-2">
      <Terminal size={14} aria-hidden className="shrink-0 text-text-3" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={row.deviceName ?? ''}>
          {row.deviceName}
        </p>
        <p className="text-small break-words text-text-2">
          {row.userAgent} · {row.ip ?? 'unknown address'} · since <RelativeTime at={row.createdAt} /> · ends{' '}
          <RelativeTime at={row.expiresAt} />
        </p>
      </div>
      <span className="shrink-0 text-small text-text-2">
        <RelativeTime at={row.lastUsedAt} />
      </span>
      <Button
        size="small"
        aria-label={`Revoke the login of ${row.deviceName ?? ''}`}
        busy={end.isPending}
        onClick={() =>
          end.mutate(
            { params: { id: row.id } },
            {
              onError: (error) =>
                toast('error', 'The login could not be revoked', { description: causeOf(error) }),
            },
          )
        }
      >
        Revoke
      </Button>
    </li>
  )
}
