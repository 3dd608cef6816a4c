import type { EntityRef, Permission, RunStatus } from '@bey/contract'

import type { Db } from '../../../platform/db/database.ts'

/** What a crash can do to a step's effect: stated per step and shown to the user. */
type Guarantee = 'exactly_once' | 'at_least_once_keyed' | 'at_least_once'

export type Json = Record<string, unknown>

/** What a step sees while it executes. */
export type StepContext = {
  run: RunFacts
  /** Counts from 1; more than 1 when a process died in the middle of it. */
  attempt: number
  /** What earlier steps of this run gave back, by step key. */
  outputs: Readonly<Record<string, Json>>
  /** Aborted when the run is cancelled: stop soon and throw the abort's reason. */
  signal: AbortSignal
  /** Writes a line of the run's log. Returns at once; order is kept, and the line is written before the step ends. */
  log(message: string, level?: 'info' | 'warning' | 'error'): void
  /** How far this step is, 0 to 100. */
  progress(percent: number): void
  /** Waits, or throws when the run is cancelled meanwhile. */
  sleep(durationMs: number): Promise<void>
}

export type StepDefinition = {
  key: string
  name: string
  type: string
  guarantee: Guarantee
  /** Must look before it acts: after a crash it is called again. Throws `StepFailure` for what people can mend. */
  execute(context: StepContext): Promise<Json | undefined>
}

/** The facts of a run that do not change while it goes on. */
export type RunFacts = {
  id: string
  organizationId: number
  workflowId: string
  workflowKey: string
  /** What it works on, which runs of this one after another. */
  subject: EntityRef | null
  input: Json
  createdBy: number | null
  /** The API key that started it, whose permissions bound its steps. */
  keyId?: string | null
  /** The API keys that saved what it executes: each of them bounds its steps as well. */
  authorKeyIds?: readonly string[]
  queuedAt: Date
}

/** A change of a run's status, reported inside the transaction that makes it. */
export type RunMove = {
  run: RunFacts
  status: RunStatus
  /** The step that is under way or was last. */
  stepKey: string | null
  stepName: string | null
  progressPercent: number
  error: string | null
  /** Who asked for the cancel, when it was cancelled. */
  cancelledBy: string | null
}

export type WorkflowDefinition = {
  /** Key of a built-in workflow, e.g. `cluster.provision`. */
  key: string
  name: string
  description: string
  type: 'provisioning' | 'deployment' | 'maintenance' | 'data' | 'custom'
  steps: readonly StepDefinition[]
  /** What a caller must be allowed to do to cancel such a run, beside `workflows.cancel`. */
  cancelPermission?: Permission
  /** Changes what the run works on, in the same transaction as the run itself. */
  onMove?(db: Db, move: RunMove): Promise<void>
}
