import type pg from 'pg'

import type { Ledger } from './ledger.ts'
import type { Outside } from './outside.ts'
import { verifyOutside } from './verify-outside.ts'

export type Violations = { lost: string[]; repeated: string[]; twice: string[] }

type Row = { text: string }

/** What did not hold when everything had time to end. `expected`: how each run that was confirmed has to end. */
export async function verify(
  pool: pg.Pool,
  ledger: Ledger,
  outside: Outside,
  expected: ReadonlyMap<string, readonly string[]>,
): Promise<Violations> {
  const texts = async (query: string) => (await pool.query<Row>(query)).rows.map(({ text }) => text)
  const { rows: runs } = await pool.query<{ id: string; status: string; error: unknown }>(
    'select id, status, error from workflow_runs',
  )
  const statuses = new Map(runs.map((run) => [run.id, run]))
  const unmet = [...expected].flatMap(([id, allowed]) => {
    const run = statuses.get(id)
    if (run === undefined) return [`Run ${id} was confirmed and is gone`]
    if (allowed.includes(run.status)) return []
    return [`Run ${id} is ${run.status} and not ${allowed.join(' or ')}: ${JSON.stringify(run.error)}`]
  })
  const lost = [
    ...unmet,
    ...(await texts(
      `select format('Run %s (%s) is not over: %s', id, status, waiting) as text from workflow_runs where finished_at is null`,
    )),
    ...(await texts(
      `select format('Run %s is %s, and the engine says %s', r.id, r.status, d.status) as text
       from workflow_runs r join dbos.workflow_status d on d.workflow_uuid = r.id::text
       where r.finished_at is not null and d.status <> 'SUCCESS'`,
    )),
    ...(await missingEffects(pool, ledger)),
  ]
  const others = await verifyOutside(pool, ledger, outside)
  return {
    lost: [...lost, ...others.lost],
    repeated: [...(await repeatedEffects(pool, ledger)), ...others.repeated],
    twice: [...(await writtenTwice(pool, ledger)), ...others.twice],
  }
}

type StepRow = { run_id: string; key: string; status: string; attempt: number; finished_at: Date | null }

async function httpSteps(pool: pg.Pool): Promise<StepRow[]> {
  const { rows } = await pool.query<StepRow>(
    `select run_id, key, status, attempt, finished_at from step_runs where type = 'http' and status <> 'pending'`,
  )
  return rows
}

/** The name under which the ledger knows a step: iterations and undoing call one address each. */
const ledgerKey = (key: string) => (key.endsWith('!undo') ? 'undo' : key.replace(/\[\d+\]$/, ''))

async function missingEffects(pool: pg.Pool, ledger: Ledger): Promise<string[]> {
  const steps = await httpSteps(pool)
  return steps.flatMap(({ run_id: runId, key, status }) =>
    status !== 'succeeded' || ledger.countOf(runId, ledgerKey(key)) > 0
      ? []
      : [`Step ${key} of run ${runId} succeeded without its effect`],
  )
}

/** A request that was broken off by a cancel may be read by the ledger so much later than the end of its step. */
const brokenOffMs = 1_000

/** Effects that began after the end of their step was recorded, and more effects than attempts. */
async function repeatedEffects(pool: pg.Pool, ledger: Ledger): Promise<string[]> {
  const steps = await httpSteps(pool)
  return steps
    .filter(({ key }) => !key.includes('[') && key !== 'each')
    .flatMap(({ run_id: runId, key, status, attempt, finished_at: finishedAt }) => {
      const effects = ledger.effects.filter((each) => each.runId === runId && each.key === ledgerKey(key))
      const lateAfterMs =
        finishedAt === null
          ? Number.POSITIVE_INFINITY
          : finishedAt.getTime() + (status === 'succeeded' ? 0 : brokenOffMs)
      const late = effects.filter(({ at }) => at > lateAfterMs)
      const step = `Step ${key} (${status}) of run ${runId}`
      return [
        ...late.map(({ at }) => `${step} had an effect ${at - lateAfterMs} ms after its end was recorded`),
        ...(effects.length > attempt ? [`${step} had ${effects.length} effects in ${attempt} attempts`] : []),
      ]
    })
}

async function writtenTwice(pool: pg.Pool, ledger: Ledger): Promise<string[]> {
  const texts = async (query: string) => (await pool.query<Row>(query)).rows.map(({ text }) => text)
  const asked = (await httpSteps(pool)).filter(({ key }) => key === 'once' || key === 'three')
  return [
    ...asked.flatMap(({ run_id: runId, key }) => {
      const count = ledger.countOf(runId, key)
      return count > 1 ? [`Step ${key} of run ${runId} must not be repeated and had ${count} effects`] : []
    }),
    ...(await texts(
      `select format('Step %s of run %s started %s runs', parent_step_key, parent_run_id, count(*)) as text
       from workflow_runs where parent_run_id is not null group by parent_step_key, parent_run_id having count(*) > 1`,
    )),
    ...(await texts(
      `select format('Step %s asked %s times', step_run_id, count(*)) as text from run_approvals
       group by step_run_id having count(*) > 1`,
    )),
    ...(await texts(
      `select format('"%s" was notified %s times', title, count(*)) as text from notifications
       where title like 'Inside %' or title like 'Chain %' group by title, user_id having count(*) > 1`,
    )),
    ...(await texts(
      `select format('Run %s counts %s lines', r.id, r.log_count) as text from workflow_runs r
       where r.log_count <> (select count(*) from step_logs l where l.run_id = r.id)
          or r.log_count <> (select coalesce(max(seq), 0) from step_logs l where l.run_id = r.id)`,
    )),
  ]
}
