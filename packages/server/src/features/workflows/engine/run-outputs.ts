import { type WorkflowDefinitionBody, workflowLimits } from '@bey/contract'

import type { Db } from '../../../platform/db/database.ts'
import type { Json } from '../definition/definition.ts'
import { ExpressionError } from '../definition/expressions/expression-error.ts'
import { referencesOf } from '../definition/expressions/references.ts'
import { refuseSecrets, renderConfig } from '../definition/expressions/render.ts'
import type { LockedRun } from '../runs/store.ts'
import type { RunChange } from './run-change.ts'
import { readScope } from './scope.ts'

/** The results of a run as its workflow names them, or why there are none. `change` is what its last step brings. */
export async function ownOutputs(
  db: Db,
  run: LockedRun,
  { outputs }: WorkflowDefinitionBody,
  change: RunChange,
): Promise<{ values: Json } | { error: string }> {
  if (Object.keys(outputs).length === 0) return { values: {} }
  const scope = await readScope(db, run, [...referencesOf(outputs).steps])
  const steps = { ...(scope['steps'] as Json) }
  for (const { key, status, output } of change.steps) {
    if (output !== undefined) steps[key] = { status, output: output ?? {}, error: null }
  }
  try {
    const values = await renderConfig(outputs, { ...scope, steps }, refuseSecrets)
    const bytes = Buffer.byteLength(JSON.stringify(values))
    if (bytes <= workflowLimits.payloadBytes) return { values }
    return {
      error: `The outputs of the run have ${bytes} bytes; at most ${workflowLimits.payloadBytes} are kept.`,
    }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return { error: `The outputs of the run: ${error.message}` }
  }
}
