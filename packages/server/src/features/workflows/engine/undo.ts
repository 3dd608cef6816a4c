import { sql } from 'drizzle-orm'

import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { stepRuns } from '../../../tables/step-runs.ts'
import type { LockedRun } from '../runs/store.ts'
import type { Execution } from './execution.ts'
import { stepKeyOf } from './schedule.ts'

/** Makes the step that undoes another one, unless it is there. */
export async function addUndoing(x: Execution, db: Db, run: LockedRun, key: string): Promise<'added'> {
  const step = x.plan.steps.get(stepKeyOf(key))
  const work = step?.work
  const type = work?.kind === 'own' ? (work.definition.compensate?.type ?? '') : ''
  await db
    .insert(stepRuns)
    .values({
      id: uuidv7(),
      organizationId: x.ref.organizationId,
      runId: run.id,
      key,
      name: `Undo ${step?.name ?? ''}`,
      type,
      position: sql<number>`(select coalesce(max(position), 0) + 1 from step_runs where run_id = ${run.id})`,
      needs: [stepKeyOf(key)],
    })
    .onConflictDoNothing()
  return 'added'
}
