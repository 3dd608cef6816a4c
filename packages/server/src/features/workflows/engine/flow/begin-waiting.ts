import type { Db } from '../../../../platform/db/database.ts'
import { moveStep } from '../../moves.ts'
import { type Execution, record } from '../execution.ts'
import { resumed } from '../run-change.ts'
import type { StepDecision } from '../decide-step.ts'
import type { Json } from '../../definition/definition.ts'
import type { FlowBegun } from './begin-flow.ts'

/** Records that a step waits: for what, until when, and with which config. */
export async function beginWaiting(
  x: Execution,
  db: Db,
  { step, run }: Extract<StepDecision, { kind: 'begin' }>,
  { note, until, input }: { note: string; until: Date | null; input: Json },
): Promise<FlowBegun> {
  const now = x.parts.clock.now()
  const waiting = {
    ...step,
    status:
      step.status === 'ready' ? moveStep('ready', 'waiting') : moveStep(step.status, 'ready', 'waiting'),
    attempt: step.attempt + 1,
    error: null,
    nextAt: until,
    note,
    input,
    startedAt: now,
  }
  await record(x, db, run, { ...resumed(run), steps: [waiting], current: waiting })
  return { kind: 'wait', until }
}
