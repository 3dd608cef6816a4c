import type { Db } from '../../../platform/db/database.ts'
import type { LockedRun, StepRow } from '../runs/store.ts'
import type { Outcome } from './attempt.ts'
import { endStep } from './end-step.ts'
import { placeFor } from './concurrency.ts'
import { type Execution, record, runAfter } from './execution.ts'
import { beginFlow } from './flow/begin-flow.ts'
import { expandLoop } from './loop.ts'
import type { StepDecision } from './decide-step.ts'
import type { Prepared } from './prepare-step.ts'
import { resumed, stepAfter, withOpened } from './run-change.ts'

type Begin = Extract<StepDecision, { kind: 'begin' }>
export type Opened =
  | Exclude<StepDecision, { kind: 'begin' }>
  | { kind: 'execute'; step: StepRow; run: LockedRun; prepared?: Prepared & { kind: 'act' } }

/** Records that a step is under way. */
export async function beginBuiltIn(x: Execution, db: Db, { step, run }: Begin): Promise<Opened> {
  const change = withOpened(resumed(run), step, x.parts.clock.now())
  await record(x, db, run, change)
  return { kind: 'execute', step: stepAfter(change, step.key) ?? step, run: runAfter(run, change) }
}

/** Begins a step of a workflow of one's own as its definition says, or ends it where it says so. */
export async function beginOwn(
  x: Execution,
  db: Db,
  begin: Begin,
  key: string,
  prepared: Prepared | Outcome,
): Promise<Opened> {
  const { step, run } = begin
  if ('status' in prepared) {
    // What is wrong with its templates will be so at the next attempt as well.
    const message = 'message' in prepared ? prepared.message : 'The step could not begin.'
    return ended(await endStep(x, db, run, key, step, { result: 'failed', error: { message } }))
  }
  if (prepared.kind === 'skip') {
    return ended(await endStep(x, db, run, key, step, { result: 'skipped', note: prepared.note }))
  }
  if (prepared.kind === 'loop') return ended(await expandLoop(x, db, run, key, step, prepared.count))
  const { concurrencyKey } = prepared
  if (concurrencyKey !== undefined) {
    const place = await placeFor(x, db, run, key, step, concurrencyKey)
    if (place !== undefined) return place
  }
  if (prepared.type.kind === 'flow') return beginFlow(x, db, begin, key, prepared)
  const named = { ...step, guarantee: prepared.guarantee }
  const details = { input: prepared.recorded, ...(concurrencyKey === undefined ? {} : { concurrencyKey }) }
  const change = withOpened(resumed(run), named, x.parts.clock.now(), details)
  await record(x, db, run, change)
  return { kind: 'execute', step: stepAfter(change, step.key) ?? step, run: runAfter(run, change), prepared }
}

function ended(event: Extract<StepDecision, { kind: 'event' }>['event']): Opened {
  return { kind: 'event', event }
}
