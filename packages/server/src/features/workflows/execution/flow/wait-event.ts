import type { Db } from '../../../../platform/db/database.ts'
import type { Execution } from '../execution.ts'
import type { Look } from '../look.ts'
import type { FlowAct, FlowBegun } from './begin-flow.ts'
import { beginWaiting } from './begin-waiting.ts'

/** Waits for an event of the console; see `deliver-event.ts` for how it arrives. */
export function beginWaitEvent(
  x: Execution,
  db: Db,
  begin: Extract<Look, { kind: 'begin' }>,
  { config, recorded }: FlowAct,
): Promise<FlowBegun> {
  const { event, timeout_ms: timeoutMs } = config as { event: string; timeout_ms?: number }
  const now = x.parts.clock.now().getTime()
  const until = timeoutMs === undefined ? null : new Date(now + timeoutMs)
  return beginWaiting(x, db, begin, { note: `Waits for the event ${event}.`, until, input: recorded })
}
