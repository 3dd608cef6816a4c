import type { StepStatus } from '@bey/contract'
import { eq, and, asc } from 'drizzle-orm'

import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { RunEvent } from '../../../platform/engine/interpreter.ts'
import { stepRuns } from '../../../tables/step-runs.ts'
import type { Json } from '../definition/definition.ts'
import { type LockedRun, readStepsByKey, type StepRow } from '../runs/store.ts'
import { endStep } from './end-step.ts'
import { type Execution, type EventResult, record } from './execution.ts'
import { recordedEvent } from './recorded-event.ts'
import { resumed, isStepOver, withOpened } from './run-change.ts'
import { iterationKey, stepKeyOf } from './schedule.ts'

/** Makes the steps of the iterations of a loop; a loop over nothing is over at once. */
export async function expandLoop(
  x: Execution,
  db: Db,
  run: LockedRun,
  key: string,
  step: StepRow,
  count: number,
): Promise<RunEvent> {
  if (count === 0) {
    return endStep(x, db, run, key, step, { result: 'succeeded', output: { count: 0, results: [] } })
  }
  const rows = Array.from({ length: count }, (_, index) => ({
    id: uuidv7(),
    organizationId: x.ref.organizationId,
    runId: run.id,
    key: iterationKey(key, index),
    name: `${step.name} ${index + 1}`,
    type: step.type,
    position: step.position,
    guarantee: step.guarantee,
    parentKey: key,
    iteration: index,
  }))
  await db.insert(stepRuns).values(rows)
  await record(x, db, run, withOpened(resumed(run), step, x.parts.clock.now()))
  return { key, result: 'expanded', count }
}

/** Ends a loop whose iterations have all ended, or as many of them as began. */
export async function collectLoop(
  x: Execution,
  db: Db,
  run: LockedRun,
  collectingKey: string,
): Promise<EventResult | 'again'> {
  const key = stepKeyOf(collectingKey)
  const [step] = await readStepsByKey(db, run.id, [key])
  if (step === undefined) return 'again'
  if (isStepOver(step.status)) {
    const event = { ...(await recordedEvent(db, run, step)), key: collectingKey }
    return { kind: 'event', event }
  }
  const iterations = await db
    .select({ status: stepRuns.status, output: stepRuns.output, error: stepRuns.error })
    .from(stepRuns)
    .where(and(eq(stepRuns.runId, run.id), eq(stepRuns.parentKey, key)))
    .orderBy(asc(stepRuns.iteration))
  const failed = iterations.filter(({ status }) => status === 'failed' || status === 'timed_out').length
  const isCancelled = run.status === 'cancelling' || iterations.some(({ status }) => status === 'cancelled')
  const output = loopOutput(iterations)
  const message = `${failed} of ${iterations.length} iterations failed.`
  const conclusion = isCancelled
    ? ({ result: 'cancelled', output } as const)
    : failed > 0
      ? ({ result: 'failed', output, error: { message } } as const)
      : ({ result: 'succeeded', output } as const)
  return { kind: 'event', event: await endStep(x, db, run, collectingKey, step, conclusion) }
}

type Iteration = { status: StepStatus; output: Json | null; error: { message: string } | null }

/** What became of each item, in their order, also where one failed. What is too large stays with the iterations alone. */
function loopOutput(iterations: readonly Iteration[]): Json {
  const count = iterations.length
  const outcomes = iterations.map(({ status, error }) => ({ status, error: error?.message ?? null }))
  const results = outcomes.map((outcome, index) => ({ ...outcome, output: iterations[index]?.output ?? {} }))
  const found = [results, outcomes].find((each) => Buffer.byteLength(JSON.stringify(each)) <= maxBytes)
  return found === undefined ? { count } : { count, results: found }
}

const maxBytes = 1_000_000
