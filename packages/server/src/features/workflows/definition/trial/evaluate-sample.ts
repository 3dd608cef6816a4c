import type { Database } from '../../../../platform/db/database.ts'
import { evaluate, type Scope } from '../expressions/evaluate.ts'
import { ExpressionError } from '../expressions/expression-error.ts'
import { renderTemplate } from '../expressions/render.ts'
import { maskedText } from '../../../../platform/masking/mask.ts'
import { sampleScope, type SampleValues, scopeOfRun } from './sample-scope.ts'

type Sample = SampleValues & {
  source: string
  kind: 'expression' | 'template'
  runId?: string | undefined
  stepKey?: string | undefined
}

/** The value of an expression or template, or what is wrong with it. Secrets are shown as dots and not looked up. */
export async function evaluateSample(
  database: Pick<Database, 'readTenant'>,
  organizationId: number,
  { source, kind, runId, stepKey, ...values }: Sample,
): Promise<{ value: unknown; error: string | null }> {
  const shared = runId === undefined ? sampleScope(values) : await scopeOfRun(database, organizationId, runId)
  const scope = stepKey === undefined ? shared : { ...shared, response: outputOf(shared, stepKey) }
  try {
    const value =
      kind === 'expression'
        ? evaluate(source, scope)
        : await renderTemplate(source, scope, async () => maskedText)
    return { value, error: null }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return { value: null, error: error.message }
  }
}

function outputOf({ steps }: Scope, key: string): unknown {
  // Made by `sampleScope` or `scopeOfRun`.
  return (steps as Readonly<Record<string, { output: unknown }>>)[key]?.output
}
