import type { EntityRef } from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Engine, EngineState } from '../../platform/engine/engine.ts'
import { AppError } from '../../platform/errors.ts'
import type { Json, RunMove, WorkflowDefinition } from './definition/definition.ts'
import type { ChangeListeners } from './engine/record-run-change.ts'
import type { AskedApproval, Publish } from './ports.ts'
import type { StepTypes } from './steps/registry.ts'

/** The engine as this feature needs it; it is created after the feature, so each function asks for it when called. */
type EnginePort = Pick<Engine, 'enqueue' | 'requestCancel' | 'wakeRun'> & { state(): EngineState }

/** What the functions of this feature work with. */
export type WorkflowParts = {
  database: Database
  /** The built-in workflows by their keys. */
  definitions: ReadonlyMap<string, WorkflowDefinition>
  stepTypes: StepTypes
  /** Told of every move of a run in its own transaction, besides the workflow's own definition. */
  onRunMove?: ((db: Db, move: RunMove) => Promise<void>) | undefined
  /** Called for every approval that a run asks for, and every reminder of one, in the transaction that asks. */
  onApproval?: ((db: Db, approval: AskedApproval) => Promise<void>) | undefined
  publish: Publish
  engine: EnginePort
  /** Names this process among those of the engine. */
  executorId: string
  clock: Clock
}

export type StartRun = {
  organizationId: number
  /** Key of a built-in workflow. */
  workflowKey: string
  subject: EntityRef | null
  input: Json
  trigger: 'manual' | 'system'
  createdBy: number | null
  /** An earlier run of the same workflow: its steps before the one that did not succeed are not repeated. */
  resumeFrom?: string
}

/** The definition behind a row; undefined where it is no built-in workflow, or none any more. */
export function definitionOf(
  { definitions }: Pick<WorkflowParts, 'definitions'>,
  row: { builtIn: string | null },
): WorkflowDefinition | undefined {
  return row.builtIn === null ? undefined : definitions.get(row.builtIn)
}

/** Throws AppError `not_found`. */
export function missing(what: 'workflow' | 'workflow run' | 'step' | 'approval'): never {
  throw new AppError('not_found', `This ${what} does not exist in this organization.`)
}

/** Who is notified of changes of a run. */
export function changeListeners(parts: WorkflowParts, run: { workflowKey: string }): ChangeListeners {
  return {
    publish: parts.publish,
    definition: parts.definitions.get(run.workflowKey),
    onRunMove: parts.onRunMove,
    wakeRun: (db, runId) => parts.engine.wakeRun(db, runId),
  }
}
