import type { Db } from '../../../../platform/db/database.ts'
import type { Execution } from '../execution.ts'
import type { StepDecision } from '../decide-step.ts'
import type { FlowAct, FlowBegun } from './begin-flow.ts'
import { beginWaiting } from './begin-waiting.ts'
import { takeEventGate } from './deliver-events.ts'

/** After so long the transaction of an event that came at the same moment is over. */
const tryAgainMs = 20

/** Waits for an event of the console; see `deliver-events.ts` for how it arrives. */
export async function beginWaitEvent(
  x: Execution,
  db: Db,
  begin: Extract<StepDecision, { kind: 'begin' }>,
  { config, recorded }: FlowAct,
): Promise<FlowBegun> {
  const { event, timeout_ms: timeoutMs } = config as { event: string; timeout_ms?: number }
  const now = x.parts.clock.now().getTime()
  // Not waited for: the transaction of an event may wait for what this one holds.
  if (!(await takeEventGate(db, x.ref.organizationId, event))) {
    return { kind: 'wait', until: new Date(now + tryAgainMs) }
  }
  const until = timeoutMs === undefined ? null : new Date(now + timeoutMs)
  return beginWaiting(x, db, begin, { note: `Waits for the event ${event}.`, until, input: recorded })
}
