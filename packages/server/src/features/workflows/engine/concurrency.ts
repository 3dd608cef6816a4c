import { sql } from 'drizzle-orm'

import type { Db } from '../../../platform/db/database.ts'
import { lockUntilCommit } from '../../../platform/db/locks.ts'
import { moveStep } from '../moves.ts'
import type { LockedRun, StepRow } from '../runs/store.ts'
import { endStep } from './end-step.ts'
import { type Execution, record } from './execution.ts'
import type { StepDecision } from './decide-step.ts'
import { planStepOf } from './plan.ts'
import { unchanged } from './run-change.ts'

/** How often a step that waits for its turn looks whether it has come. */
const lookAgainMs = 2_000

/**
 * Takes a place among the steps of the workflow with one concurrency key. Undefined when the step has it; otherwise the
 * step waits, or ends as skipped, as its definition says.
 */
export async function placeFor(
  x: Execution,
  db: Db,
  run: LockedRun,
  key: string,
  step: StepRow,
  concurrencyKey: string,
): Promise<Extract<StepDecision, { kind: 'wait' | 'event' }> | undefined> {
  const work = planStepOf(x.plan, key)?.work
  const limit = work?.kind === 'own' ? work.definition.concurrency : undefined
  if (limit === undefined) return undefined
  const scoped = `${run.workflowId}:${concurrencyKey}`
  await lockUntilCommit(db, 'stepConcurrency', `${x.ref.organizationId}:${scoped}`)
  const { rows } = await db.execute<{ run_id: string }>(sql`
    select s.run_id from step_runs s join workflow_runs r on r.id = s.run_id
    where s.organization_id = ${x.ref.organizationId} and s.concurrency_key = ${concurrencyKey}
      and r.workflow_id = ${run.workflowId} and s.status in ('running', 'uncertain') and s.id <> ${step.id}
      and s.finished_at is null
    order by s.started_at`)
  if (rows.length < limit.max) return undefined
  if (limit.onLimit === 'skip') {
    const note = `Skipped: "${concurrencyKey}" is taken by another run.`
    return { kind: 'event', event: await endStep(x, db, run, key, step, { result: 'skipped', note }) }
  }
  if (limit.onLimit === 'replace') {
    await replaceRuns(
      x,
      db,
      run,
      rows.slice(0, 1 + rows.length - limit.max).map((row) => row.run_id),
    )
  }
  const until = new Date(x.parts.clock.now().getTime() + lookAgainMs)
  const note = `Waits for its turn with "${concurrencyKey}".`
  if (step.status === 'pending') {
    const ready = { ...step, status: moveStep('pending', 'ready'), error: null, note, concurrencyKey }
    await record(x, db, run, { ...unchanged(run), steps: [ready], current: ready })
  }
  return { kind: 'wait', until }
}

/** Asks other runs to stop. One that is locked is asked at the next look: two runs must not wait for each other. */
async function replaceRuns(x: Execution, db: Db, run: LockedRun, runIds: readonly string[]): Promise<void> {
  for (const runId of new Set(runIds)) {
    if (runId === run.id) continue
    const { rows } = await db.execute(
      sql`select 1 from workflow_runs where id = ${runId} for update skip locked`,
    )
    if (rows.length > 0) await x.parts.cancelRun(db, runId, { userId: run.createdBy })
  }
}
