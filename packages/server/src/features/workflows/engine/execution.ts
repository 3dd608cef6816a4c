import { isRunOver, type RunStatus } from '@bey/contract'

import type { Clock } from '../../../platform/clock.ts'
import { type Database, type Db, withCommit } from '../../../platform/db/database.ts'
import type { RunEvent, RunHost, RunRef } from '../../../platform/engine/interpreter.ts'
import { isExecutedElsewhere } from '../../../platform/engine/journal.ts'
import type { Log } from '../../../platform/log.ts'
import type { Tracing } from '../../../platform/tracing/tracing.ts'
import type { Json, RunFacts, RunMove, WorkflowDefinition } from '../definition/definition.ts'
import type { ResolveSecret } from '../definition/expressions/render.ts'
import type { SecretReference } from '../definition/expressions/template.ts'
import type { AskedApproval, Publish } from '../ports.ts'
import type { LockedRun, StepRow } from '../runs/store.ts'
import { lockRun, readStepsByKey } from '../runs/store.ts'
import type { KnownSecrets } from '../steps/known-secrets.ts'
import type { StepTypes } from '../steps/registry.ts'
import { recordRunChange, type ChangeListeners } from './record-run-change.ts'
import { retryWhileDatabaseUnavailable } from './database-retry.ts'
import type { RunPlan } from './plan.ts'
import type { RunChange } from './run-change.ts'
import type { Schedule } from './schedule.ts'
import type { StartChild } from './start-child.ts'
import type { InTurn } from './turns.ts'

/** What executing runs needs of the rest of the server. */
export type ExecutionParts = {
  database: Database
  /** The built-in workflows by their keys. */
  definitions: ReadonlyMap<string, WorkflowDefinition>
  stepTypes: StepTypes
  publish: Publish
  clock: Clock
  log: Log
  /** Undefined makes no spans. */
  tracing?: Tracing | undefined
  /** Whether no step may begin at the moment; never unless given. */
  isReadOnly?: (() => boolean) | undefined
  /** Gives secrets to a step of a run; each use is recorded. */
  secretsOf(run: RunFacts, stepKey: string): ResolveSecret
  /** Values of these secrets, to take them out of what is shown; those that cannot be read are left out. */
  secretValuesOf(organizationId: number, secrets: readonly SecretReference[]): Promise<readonly string[]>
  /** Starts the run of a sub-workflow in the caller's transaction. */
  startChild: StartChild
  /** Lets a run that waits look at its rows once the transaction is committed. */
  wakeRun(db: Db, runId: string): Promise<void>
  /** Asks a run to stop in the caller's transaction, which locks it. */
  cancelRun(db: Db, runId: string, by: { userId: number | null }): Promise<unknown>
  /** Told of every move of a run in its own transaction. */
  onRunMove?: ((db: Db, move: RunMove) => Promise<void>) | undefined
  /** Told of every approval that a run asks for, in the transaction that asks. */
  onApproval?: ((db: Db, approval: AskedApproval) => Promise<void>) | undefined
}

/** One execution of a run in this process. What it remembers saves reads and shows progress; the rows decide. */
export type Execution = {
  parts: ExecutionParts
  ref: RunRef
  host: RunHost
  plan: RunPlan
  schedule: Schedule
  /** As it was when this process took it. */
  run: LockedRun
  /** Lets the transactions that lock the run take turns: their events are recorded in the order in which they are applied. */
  inTurn: InTurn
  /** What steps gave back, for the ones of built-in workflows. */
  outputs: Map<string, Json>
  /** Steps that a commit of this process has just begun. */
  opened: Map<string, { step: StepRow; run: LockedRun }>
  /** How far steps under way are, 0 to 100. */
  percents: Map<string, number>
  /** All secrets that the workflow names: what one step sends out may come back in another. */
  knownSecrets(): Promise<KnownSecrets>
  /** A signal for one attempt, aborted by a cancel, the deadline of the run, or the end of the process. */
  signal(): AbortSignal
  /** Whether that has happened. */
  isBrokenOff(): boolean
  /** Aborted by the end of the process alone. */
  stopping: AbortSignal
  /** Resolves when the run is over although something still executes, after a forced cancel. */
  givenUp: Promise<void>
  /** How often the run was woken. A step asks before it looks, and hands it to `wait`. */
  wakes(): number
  /** Steps that wait do so here: resolves when the run is, or was since `seen`, woken, at that time, or when it is to end. */
  wait(key: string, until: Date | null, seen: number): Promise<void>
  /** How many steps under way do something rather than wait. */
  busy(): number
  hasTimedOut(): boolean
  /** With which this execution ended the run; undefined while it goes on, and where somebody else ended it. */
  endStatus: RunStatus | undefined
}

export function listenersOf({
  parts,
  plan,
}: {
  parts: ExecutionParts
  plan: RunPlan | undefined
}): ChangeListeners {
  const { publish, onRunMove, wakeRun } = parts
  return { publish, definition: plan?.builtIn, onRunMove, wakeRun }
}

/** Runs work in the tenant's transaction; retries while the database is unavailable. */
export function inTenantWithRetry<T>(
  { database, clock }: Pick<ExecutionParts, 'database' | 'clock'>,
  ref: RunRef,
  work: (db: Db, isRepeated: boolean) => Promise<T>,
): Promise<T> {
  return retryWhileDatabaseUnavailable(clock, (isRepeated) =>
    database.withTenant(ref.organizationId, (db) => work(db, isRepeated)),
  )
}

/** An event of a run that happens with the transaction that returns it. */
export type EventResult = { kind: 'event'; event: RunEvent }

/**
 * The same with the run locked, and with the steps of these keys as they are under its lock. An event that the work answers
 * is recorded in its transaction. `over` and `lost` where there is nothing to do for this process any more.
 */
export function withLockedRun<T>(
  x: Execution,
  keys: readonly string[],
  work: (db: Db, run: LockedRun, steps: readonly StepRow[]) => Promise<T | EventResult>,
): Promise<T | EventResult | 'over' | 'lost'> {
  const { journal } = x.host
  return x.inTurn(async () => {
    try {
      const result = await inTenantWithRetry(x.parts, x.ref, async (db, isRepeated) => {
        // Sent together: PostgreSQL answers them one after the other, so the steps are read under the lock.
        const [run, steps] = await Promise.all([
          lockRun(db, x.ref.runId),
          keys.length === 0 ? [] : readStepsByKey(db, x.ref.runId, keys),
        ])
        if (run === undefined || isRunOver(run.status)) return 'over'
        if (run.executorId !== x.host.executorId) return 'lost'
        const found = await work(db, run, steps)
        if (!isEventResult(found)) return found
        const recording = journal.record(db, found.event)
        if (isRepeated) return { ...found, event: await recording }
        withCommit(db, recording)
        return found
      })
      if (isEventResult(result)) journal.confirm()
      return result
    } catch (error) {
      if (isExecutedElsewhere(error)) return 'lost'
      throw error
    }
  })
}

function isEventResult(result: unknown): result is EventResult {
  return typeof result === 'object' && result !== null && 'kind' in result && result.kind === 'event'
}

/** Records a change of a locked run. */
export function record(x: Execution, db: Db, run: LockedRun, change: RunChange): Promise<void> {
  if (isRunOver(change.status)) x.endStatus = change.status
  return recordRunChange(db, listenersOf(x), run, change, progressOf(x, change))
}

/** How far the run is with this change, 0 to 100: the mean of its steps. */
export function progressOf({ plan, schedule, percents }: Execution, change?: RunChange): number {
  let sum = schedule.concluded() * 100
  for (const percent of percents.values()) sum += percent
  for (const step of change?.steps ?? []) {
    if (step.status === 'succeeded' && plan.steps.has(step.key)) sum += 100 - (percents.get(step.key) ?? 0)
  }
  return plan.steps.size === 0 ? 0 : Math.min(100, Math.round(sum / plan.steps.size))
}

/** The locked run after a change of it. */
export function runAfter(run: LockedRun, change: RunChange): LockedRun {
  const { status, executorId, recoveryCount } = change
  return { ...run, status, executorId, recoveryCount, logCount: run.logCount + change.lines.length }
}
