import type { Db } from '../../../../platform/db/database.ts'
import { AppError } from '../../../../platform/errors.ts'
import { endStep } from '../end-step.ts'
import type { Execution } from '../execution.ts'
import type { StepDecision } from '../decide-step.ts'
import type { FlowAct, FlowBegun } from './begin-flow.ts'
import { beginWaiting } from './begin-waiting.ts'

type SubworkflowConfig = {
  workflow: string
  version?: number
  input?: Record<string, unknown>
  wait?: boolean
}

/** Starts a run of another workflow in the transaction that begins the step, and waits for it by default. */
export async function beginSubworkflow(
  x: Execution,
  db: Db,
  begin: Extract<StepDecision, { kind: 'begin' }>,
  key: string,
  { config, recorded }: FlowAct,
): Promise<FlowBegun> {
  const { workflow, version, input = {}, wait = true } = config as SubworkflowConfig
  const { run, step } = begin
  let child: { workflowId: string; runId: string }
  try {
    child = await x.parts.startChild(db, { run, stepKey: key, workflow, version, input })
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error
    const event = await endStep(x, db, run, key, step, {
      result: 'failed',
      error: { message: error.message },
    })
    return { kind: 'event', event }
  }
  if (!wait) {
    const output = { workflow_id: child.workflowId, run_id: child.runId }
    return { kind: 'event', event: await endStep(x, db, run, key, step, { result: 'succeeded', output }) }
  }
  return beginWaiting(x, db, begin, {
    note: `Waits for the workflow "${workflow}".`,
    until: null,
    input: recorded,
  })
}
