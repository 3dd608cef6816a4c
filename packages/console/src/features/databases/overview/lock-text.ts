import type { DatabaseSession, LockSummary } from '@bey/contract'
import { formatCount, formatDuration } from '../../../lib/format.ts'
import { sessionAgeMs, stateText } from '../insight/session-text.ts'

/** "Idle in its transaction for 17 min 48 s; holds locks on orders." */
export function holderText(session: DatabaseSession, nowMs: number): string {
  const state = stateText(session)
  const holds = session.writes.length === 0 ? '' : `; holds locks on ${session.writes.join(', ')}`
  return `${state.charAt(0).toUpperCase()}${state.slice(1)} for ${formatDuration(sessionAgeMs(session, nowMs))}${holds}.`
}

/** "8 sessions wait for payments / worker": where its end does not free all, how many it frees. */
export function waitTitle({ waiting, best }: LockSummary<DatabaseSession>): string {
  const waits = `${formatCount(waiting, 'session')} ${waiting === 1 ? 'waits' : 'wait'}`
  return best.frees === waiting
    ? `${waits} for ${best.session.client}`
    : `${waits}, ${best.frees} of them for ${best.session.client}`
}
