import type { Log } from '../../../platform/log.ts'
import type { ExecutionParts } from './execution.ts'
import type { WorkflowParts } from '../parts.ts'
import { cancelRun } from '../runs/cancel.ts'
import { createStartChild } from '../runs/starting/start-child.ts'

/** What the execution of runs needs, out of the parts of this feature. */
export function executionParts(
  parts: WorkflowParts,
  rest: { log: Log } & Pick<ExecutionParts, 'secretsOf' | 'secretValuesOf' | 'tracing' | 'isReadOnly'>,
): ExecutionParts {
  const { database, definitions, stepTypes, publish, clock, onRunMove, onApproval, engine } = parts
  return {
    database,
    definitions,
    stepTypes,
    publish,
    clock,
    onRunMove,
    onApproval,
    ...rest,
    startChild: createStartChild(parts),
    cancelRun: (db, runId, by) => cancelRun(parts, db, runId, by),
    wakeRun: (db, runId) => engine.wakeRun(db, runId),
  }
}
