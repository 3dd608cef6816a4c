import { and, eq } from 'drizzle-orm'

import type { Database } from '../../../../platform/db/database.ts'
import { stepRuns } from '../../../../tables/step-runs.ts'
import { workflowRuns } from '../../../../tables/workflow-runs.ts'
import type { Scope } from '../expressions/evaluate.ts'
import { missing } from '../../parts.ts'

export type SampleValues = {
  input: Record<string, unknown>
  /** Outputs of earlier steps by key. */
  outputs: Record<string, unknown>
}

/** What expressions see of sample values: every step that has an output succeeded. */
export function sampleScope({ input, outputs }: SampleValues): Scope {
  return {
    inputs: input,
    steps: Object.fromEntries(
      Object.entries(outputs).map(([key, output]) => [key, { output, status: 'succeeded', error: null }]),
    ),
    run: {
      id: '00000000-0000-8000-8000-000000000000',
      started_at: new Date(0).toISOString(),
      trigger: 'manual',
      attempt: 1,
      started_by: null,
    },
  }
}

/** Steps of a run whose outputs a sample takes. */
const maxSteps = 500

/** What the expressions of a run saw, or see by now. Throws AppError `not_found`. */
export async function scopeOfRun(
  database: Pick<Database, 'readTenant'>,
  organizationId: number,
  runId: string,
): Promise<Scope> {
  return database.readTenant(organizationId, async (db) => {
    const [run] = await db
      .select({
        id: workflowRuns.id,
        input: workflowRuns.input,
        trigger: workflowRuns.trigger,
        startedAt: workflowRuns.startedAt,
        createdBy: workflowRuns.createdBy,
      })
      .from(workflowRuns)
      .where(and(eq(workflowRuns.organizationId, organizationId), eq(workflowRuns.id, runId)))
    if (run === undefined) return missing('workflow run')
    const steps = await db
      .select({
        key: stepRuns.key,
        status: stepRuns.status,
        output: stepRuns.output,
        error: stepRuns.error,
      })
      .from(stepRuns)
      .where(and(eq(stepRuns.organizationId, organizationId), eq(stepRuns.runId, runId)))
      .orderBy(stepRuns.position)
      .limit(maxSteps)
    return {
      inputs: run.input,
      steps: Object.fromEntries(
        steps.map(({ key, status, output, error }) => [
          key,
          { status, output: output ?? {}, error: error?.message ?? null },
        ]),
      ),
      run: {
        id: run.id,
        started_at: run.startedAt?.toISOString() ?? null,
        trigger: run.trigger,
        attempt: 1,
        started_by: run.createdBy,
      },
    }
  })
}
