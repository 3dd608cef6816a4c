import type { Interruption, RunEvent } from '../../../platform/engine/interpreter.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { LockedRun, StepRow } from '../runs/store.ts'
import { failure, type Outcome } from './attempt.ts'
import { beginBuiltIn, beginOwn, type Opened } from './begin-step.ts'
import { retryWhileDatabaseUnavailable } from './database-retry.ts'
import { executeStep } from './execute-step.ts'
import { type Execution, type EventResult, withLockedRun } from './execution.ts'
import { collectLoop } from './loop.ts'
import { checkAttempt } from './run-ownership.ts'
import { keysToDecide, type StepDecision, decideStep } from './decide-step.ts'
import { planStepOf } from './plan.ts'
import type { Scope } from '../definition/expressions/evaluate.ts'
import { type Prepared, prepareStep, scopeOf } from './prepare-step.ts'
import { keysToSettle, settleAttempt } from './settle-attempt.ts'
import { stepKeyOf } from './schedule.ts'
import { addUndoing } from './undo.ts'

/** How often a step that is held looks whether Bey is still read-only. */
const readOnlyLookMs = 1_000

/** Does what a key represents, with all its attempts and waits, until its end is recorded. */
export async function performStep(x: Execution, key: string): Promise<RunEvent | Interruption> {
  if (key.endsWith('#end'))
    return eventOr(key, await withLockedRun(x, [], (db, run) => collectLoop(x, db, run, key)))
  for (;;) {
    if (x.stopping.aborted || x.host.isStopping()) return 'left'
    const wakes = x.wakes()
    if (x.parts.isReadOnly?.() === true && !x.opened.has(key) && !x.isBrokenOff()) {
      await x.wait(key, new Date(x.parts.clock.now().getTime() + readOnlyLookMs), wakes)
      continue
    }
    const next = takeOpened(x, key) ?? (await open(x, key))
    if (typeof next === 'string') return eventOr(key, next)
    switch (next.kind) {
      case 'again':
        return 'again'
      case 'event':
        return next.event
      case 'wait':
        await x.wait(key, next.until, wakes)
        continue
      default:
        break
    }
    const settled = await attempt(x, key, next)
    if (settled !== 'retry') return eventOr(key, settled)
  }
}

type Execute = { kind: 'execute'; step: StepRow; run: LockedRun; prepared?: Prepared & { kind: 'act' } }

/** A step that the commit before has begun. */
function takeOpened(x: Execution, key: string): Execute | undefined {
  const opened = x.opened.get(key)
  x.opened.delete(key)
  return opened === undefined ? undefined : { kind: 'execute', ...opened }
}

async function open(
  x: Execution,
  key: string,
): Promise<'over' | 'lost' | Exclude<StepDecision, { kind: 'begin' }> | Execute> {
  if (key.endsWith('!undo')) await withLockedRun(x, [], (db, run) => addUndoing(x, db, run, key))
  const work = planStepOf(x.plan, key)?.work
  const keys = keysToDecide(x, key)
  if (work?.kind !== 'own') {
    return withLockedRun(x, keys, async (db, run, rows) => {
      const seen = await decideStep(x, db, run, key, rows)
      return seen.kind === 'begin' ? beginBuiltIn(x, db, seen) : seen
    })
  }
  let scope: Scope | undefined
  const seen = await withLockedRun(x, keys, async (db, run, rows) => {
    const first = await decideStep(x, db, run, key, rows)
    if (first.kind === 'begin') scope = await scopeOf(x, db, run, key, work.definition)
    return first
  })
  if (typeof seen === 'string' || seen.kind !== 'begin') return seen
  const prepared = await preparedOrFailed(x, key, scope)
  return withLockedRun(x, keys, async (db, run, rows): Promise<Opened> => {
    const now = await decideStep(x, db, run, key, rows)
    return now.kind === 'begin' ? beginOwn(x, db, now, key, prepared) : now
  })
}

async function preparedOrFailed(x: Execution, key: string, scope?: Scope): Promise<Prepared | Outcome> {
  const work = planStepOf(x.plan, key)?.work
  try {
    if (work?.kind !== 'own') throw new Error('It is no step of a workflow of one’s own')
    return await retryWhileDatabaseUnavailable(x.parts.clock, (isRepeated) => {
      const mayEnd = isRepeated && !key.endsWith('!undo')
      if (mayEnd && x.isBrokenOff()) throw new StepFailure('The run ends before the step could begin.')
      return prepareStep(x, key, work, scope)
    })
  } catch (error) {
    return failure(error)
  }
}

async function attempt(
  x: Execution,
  key: string,
  { step, run, prepared }: Execute,
): Promise<EventResult | Interruption | 'over' | 'retry'> {
  const work = planStepOf(x.plan, key)?.work
  let known: Prepared | Outcome | undefined = prepared
  if (known === undefined && work?.kind === 'own') {
    // A step that was under way already: its templates are resolved again, which may wait for the database.
    known = await preparedOrFailed(x, key)
    const seen = await checkAttempt(x, step)
    if (seen !== 'held') return seen
  }
  const { outcome, lines } = await executeStep(x, key, step, run, known)
  if (outcome === 'left' || outcome === 'lost') return outcome
  return withLockedRun(x, keysToSettle(x, key, outcome), (db, locked, rows) =>
    settleAttempt(x, db, locked, key, step, outcome, lines(), rows),
  )
}

/** A run that is over needs no record of it: what its rows say ends every execution. */
function eventOr(key: string, result: EventResult | Interruption | 'over'): RunEvent | Interruption {
  if (result === 'over') return { key: stepKeyOf(key), result: 'cancelled', over: true }
  return typeof result === 'string' ? result : result.event
}
