import { and, eq } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { stepRuns } from '../../../tables/step-runs.ts'
import { type Reader, readApprovalOfStep } from './approvals/reads.ts'
import { missing, type WorkflowParts } from '../parts.ts'
import { presentStep } from '../present.ts'
import { listAttempts } from './attempts.ts'
import { findRun, stepColumns } from '../store.ts'

/** One step of a run with what it was given, what it gave back, and each of its attempts. */
export function createStepReads({ database }: Pick<WorkflowParts, 'database'>) {
  return {
    step(organizationId: number, reader: Reader, ids: { id: string; runId: string; stepKey: string }) {
      return database.readTenant(organizationId, async (db) => {
        const [run, row] = await Promise.all([
          findRun(db, organizationId, ids.id, ids.runId),
          findStep(db, organizationId, ids.runId, ids.stepKey),
        ])
        if (run === undefined) return missing('workflow run')
        if (row === undefined) return missing('step')
        const { input, output, ...step } = row
        const [attempts, approval] = await Promise.all([
          listAttempts(db, organizationId, step.id),
          readApprovalOfStep(db, organizationId, step.id, reader),
        ])
        return { step: presentStep(step), input, output, attempts, approval }
      })
    },
  }
}

async function findStep(db: Db, organizationId: number, runId: string, key: string) {
  const rows = await db
    .select({ ...stepColumns, input: stepRuns.input, output: stepRuns.output })
    .from(stepRuns)
    .where(and(eq(stepRuns.organizationId, organizationId), eq(stepRuns.runId, runId), eq(stepRuns.key, key)))
  return rows[0]
}
