import { and, asc, eq, gt, or } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { stepAttempts } from '../../../tables/step-attempts.ts'
import { stepRuns } from '../../../tables/step-runs.ts'

const stepsShown = 500
const attemptsShown = 5_000

const columns = {
  stepKey: stepRuns.key,
  attempt: stepAttempts.attempt,
  status: stepAttempts.status,
  startedAt: stepAttempts.startedAt,
  finishedAt: stepAttempts.finishedAt,
  executorId: stepAttempts.executorId,
  error: stepAttempts.error,
}

/** The attempts of those steps of a run that took more than one or lost their process, in the order of their start. */
export async function listRepeatedAttempts(db: Db, organizationId: number, runId: string) {
  const repeated = db
    .select({ id: stepRuns.id, key: stepRuns.key })
    .from(stepRuns)
    .where(
      and(
        eq(stepRuns.organizationId, organizationId),
        eq(stepRuns.runId, runId),
        or(gt(stepRuns.attempt, 1), eq(stepRuns.status, 'uncertain')),
      ),
    )
    .orderBy(asc(stepRuns.position))
    .limit(stepsShown)
    .as('repeated')
  const rows = await db
    .select({ ...columns, stepKey: repeated.key })
    .from(repeated)
    .innerJoin(stepAttempts, eq(stepAttempts.stepRunId, repeated.id))
    .where(eq(stepAttempts.organizationId, organizationId))
    .orderBy(asc(stepAttempts.startedAt), asc(stepAttempts.attempt))
    .limit(attemptsShown)
  return rows.map(presentAttempt)
}

/** Every attempt of one step, the first first. */
export async function listAttempts(db: Db, organizationId: number, stepRunId: string) {
  const rows = await db
    .select(columns)
    .from(stepAttempts)
    .innerJoin(stepRuns, eq(stepRuns.id, stepAttempts.stepRunId))
    .where(and(eq(stepAttempts.organizationId, organizationId), eq(stepAttempts.stepRunId, stepRunId)))
    .orderBy(asc(stepAttempts.attempt))
    .limit(101)
  return rows.map(presentAttempt)
}

type AttemptRow = {
  stepKey: string
  attempt: number
  status: string
  startedAt: Date
  finishedAt: Date | null
  executorId: string
  error: { message: string } | null
}

function presentAttempt({ startedAt, finishedAt, error, ...row }: AttemptRow) {
  return {
    ...row,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    error: error === null ? null : { message: error.message },
  }
}
