import type { DatabaseSession, LockNode } from '@bey/contract'
import { CornerDownRight } from 'lucide-react'
import { databaseHref } from '../../../entities/databases/database-text.ts'
import { formatCount, formatDuration } from '../../../lib/format.ts'
import { Link } from '../../../ui/link.tsx'
import { Section } from '../../../ui/section.tsx'
import { sessionAgeMs } from '../insight/session-text.ts'
import { waitingClients } from './waiting-clients.ts'

const shown = 6

/** On a phone: the session that holds the others up, and who waits for it or for others. */
export function WhoWaits({
  databaseId,
  nodes,
  best,
  nowMs,
}: {
  databaseId: string
  nodes: readonly LockNode<DatabaseSession>[]
  best: LockNode<DatabaseSession>
  nowMs: number
}) {
  const clients = waitingClients(nodes, nowMs)
  const others = clients.slice(shown)
  const waiting = clients.reduce((sum, { sessions }) => sum + sessions, 0)
  return (
    <Section
      title="Who waits"
      aside={
        <Link href={databaseHref(databaseId, 'locks')} className="underline hover:text-accent-text">
          {formatCount(waiting, 'session')}
        </Link>
      }
    >
      <ul className="divide-y divide-line border-b border-line">
        <li className="-mx-(--gutter) flex min-h-11 items-center gap-3 bg-danger-soft px-(--gutter) text-danger">
          <span className="min-w-0 truncate font-medium" data-tooltip={best.session.client}>
            {best.session.client}
          </span>
          <span className="flex-1 text-small whitespace-nowrap">{`${best.session.pid}, frees ${best.frees}`}</span>
          <span className="font-medium whitespace-nowrap tabular-nums">
            {formatDuration(sessionAgeMs(best.session, nowMs))}
          </span>
        </li>
        {clients.slice(0, shown).map(({ client, sessions, longestMs }) => (
          <li key={client} className="flex min-h-11 items-center gap-2">
            <CornerDownRight size={14} className="shrink-0 text-text-3" aria-hidden />
            <span className="min-w-0 truncate font-medium" data-tooltip={client}>
              {client}
            </span>
            <span className="flex-1 text-small whitespace-nowrap text-text-2">
              {formatCount(sessions, 'session')}
            </span>
            <span className="whitespace-nowrap text-text-2 tabular-nums">{formatDuration(longestMs)}</span>
          </li>
        ))}
      </ul>
      {others.length > 0 ? (
        <p className="mt-1 text-small text-text-3">{`and ${formatCount(others.length, 'other client')}`}</p>
      ) : null}
    </Section>
  )
}
