import type { DatabaseSession, LockNode, LockSummary } from '@bey/contract'
import { formatCount } from '../../../lib/format.ts'
import { sinceText } from '../../../ui/time-text.ts'

interface LockLeadProps {
  summary: LockSummary<DatabaseSession>
  nodes: readonly LockNode<DatabaseSession>[]
  nowMs: number
  /** It is about a moment that is over. */
  isPast?: boolean
}

/** How many wait, since when, and which end frees the most of them. */
export function LockLead({ summary, nodes, nowMs, isPast = false }: LockLeadProps) {
  const { best, waiting, nextFrees } = summary
  const what = best.session.state === 'idle in transaction' ? 'One idle transaction' : 'One session'
  return (
    <p className="px-(--gutter)">
      <strong className="font-medium text-warn">{`${what} ${isPast ? 'held' : 'holds'} up ${formatCount(waiting, 'session')}`}</strong>
      {`, the first since ${sinceText(new Date(firstWaitMs(nodes, nowMs)), new Date(nowMs))}. `}
      {isPast ? null : (
        <>
          <strong className="font-medium">
            {`Ending pid ${best.session.pid} frees ${best.frees === waiting ? `all ${waiting}` : best.frees}`}
          </strong>
          {nodes.length > 2 ? `; ending any other frees at most ${nextFrees}.` : '.'}
        </>
      )}
    </p>
  )
}

function firstWaitMs(nodes: readonly LockNode<DatabaseSession>[], nowMs: number): number {
  const waits = nodes.flatMap(({ session: { waitingSince } }) =>
    waitingSince === null ? [] : [Date.parse(waitingSince)],
  )
  return Math.min(nowMs, ...waits)
}
