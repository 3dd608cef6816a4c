import type { Db } from '../../../../platform/db/database.ts'
import { endStep } from '../end-step.ts'
import type { Execution } from '../execution.ts'
import type { StepDecision } from '../decide-step.ts'
import type { FlowAct, FlowBegun } from './begin-flow.ts'
import { beginWaiting } from './begin-waiting.ts'

type WaitConfig = { duration_ms?: number; until?: string }

/** Waits for a time, or until a point in time; one that has passed is no wait. */
export async function beginWait(
  x: Execution,
  db: Db,
  begin: Extract<StepDecision, { kind: 'begin' }>,
  key: string,
  { config, recorded }: FlowAct,
): Promise<FlowBegun> {
  const { duration_ms: durationMs, until: at } = config as WaitConfig
  const now = x.parts.clock.now()
  const until = at === undefined ? new Date(now.getTime() + (durationMs ?? 0)) : new Date(at)
  if (Number.isNaN(until.getTime())) {
    const error = { message: `"${at ?? ''}" is no point in time. Write it as 2026-01-31T09:00:00Z.` }
    const event = await endStep(x, db, begin.run, key, begin.step, { result: 'failed', error })
    return { kind: 'event', event }
  }
  return beginWaiting(x, db, begin, { note: `Waits until ${until.toISOString()}.`, until, input: recorded })
}
