import type { DatabaseSession } from '@bey/contract'
import { formatDuration } from '../../../lib/format.ts'
import { sessionAgeMs, stateText } from '../insight/session-text.ts'

/** "Idle in its transaction for 17 min 48 s; holds locks on orders." */
export function holderText(session: DatabaseSession, nowMs: number): string {
  const state = stateText(session)
  const holds = session.writes.length === 0 ? '' : `; holds locks on ${session.writes.join(', ')}`
  return `${state.charAt(0).toUpperCase()}${state.slice(1)} for ${formatDuration(sessionAgeMs(session, nowMs))}${holds}.`
}
