import { expect, test } from 'vitest'
import { testApp } from '../../../testing/app.ts'
import { plansOf } from '../../../testing/plans.ts'

const runs = 100_000
/** Counts end at 10,000, and a page adds what it shows; whatever grows with the runs reads ten times as many. */
const mostRows = 12_000

const { ask, database, given } = await testApp()
const user = await given.user({ role: 'OWNER' })
const { organizationId } = user
const workflows = await Promise.all(Array.from({ length: 5 }, () => given.workflow({ organizationId })))
const [workflow] = workflows
const fillSecrets = (id: number, count: number) =>
  database.ownerPool.query(
    `insert into secrets (id, organization_id, name, type, facts, current_version, last_version, value_hash, max_versions)
     select gen_random_uuid(), $1, 'secret-' || lpad(n::text, 6, '0'), 'opaque', '{}', 1, 1, n::text, 10
     from generate_series(1, $2::int) n`,
    [id, count],
  )
await fillSecrets(organizationId, 10_000)
// Of each thousand 940 completed, 50 failed, 8 were cancelled and 2 are under way, each on one of 20 clusters.
await database.ownerPool.query(
  `insert into workflow_runs (id, organization_id, workflow_id, status, queued_at, started_at, finished_at, subject_type, subject_id)
   select gen_random_uuid(), $1, ($2::uuid[])[1 + n % 5],
     case when n % 1000 < 940 then 'completed' when n % 1000 < 990 then 'failed'
       when n % 1000 < 998 then 'cancelled' else 'running' end,
     at, at, case when n % 1000 < 998 then at + interval '7 seconds' end, 'cluster', (1 + n % 20)::text
   from (select n, now() - make_interval(mins => n) as at from generate_series(1, $3::int) n) runs`,
  [organizationId, workflows.map(({ id }) => id), runs],
)
// Beside twenty small ones, of which the planner takes the large one to be: it does not see which one reads.
for (const small of await Promise.all(Array.from({ length: 20 }, () => given.organization()))) {
  // oxlint-disable-next-line no-await-in-loop -- one connection writes them
  await database.ownerPool.query(
    `with w as (
       insert into workflows (id, organization_id, name, type) select gen_random_uuid(), $1, 'w' || n, 'custom'
       from generate_series(1, 5) n returning id
     )
     insert into workflow_runs (id, organization_id, workflow_id, status, queued_at, started_at, finished_at)
     select gen_random_uuid(), $1, w.id, 'completed', now() - make_interval(mins => n), now(), now()
     from w cross join generate_series(1, 100) n`,
    [small.id],
  )
  // oxlint-disable-next-line no-await-in-loop -- one connection writes them
  await fillSecrets(small.id, 100)
}
await database.ownerPool.query('vacuum analyze workflow_runs, workflows, secrets')

const lists = [
  'runs',
  'runs?order=asc',
  'runs?page=200',
  'runs?status=failed',
  'runs?status=failed&page=90',
  'runs?status=failed,cancelled',
  'runs?is_over=false',
  'runs?is_over=true',
  'runs?sort=status',
  'runs?sort=status&order=desc&page=100',
  'runs?subject_type=cluster&subject_id=7',
  'runs?subject_type=cluster&subject_id=7&status=failed',
  `runs?workflow_id=${workflow?.id}`,
  `runs?workflow_id=${workflow?.id}&status=cancelled`,
  `${workflow?.id}/runs`,
  'runs/counts',
  'runs/counts?subject_type=cluster&subject_id=7',
  'debug/engine-status',
  'approvals',
  '',
  '?sort=lastRunAt&limit=5',
  '?status=failed',
  `${workflow?.id}`,
  `${workflow?.id}/statistics`,
  `${workflow?.id}/versions`,
]

const get = async (path: string) => {
  const reply = await ask('GET', `/api/v1/workflows${/^$|^\?/.test(path) ? '' : '/'}${path}`, user)
  expect([path, reply.status]).toEqual([path, 200])
}

/** The statements of a request that read too much. */
async function greedy(path: string) {
  const plans = await plansOf(database, organizationId, () => get(path))
  expect(plans.length).toBeGreaterThan(1)
  return plans.filter(({ rowsScanned }) => rowsScanned > mostRows)
}

test.each(lists)(
  'of 100,000 runs /workflows/%s reads what it shows and what it counts, and no more',
  async (path) => {
    expect(await greedy(path)).toEqual([])
  },
)

test('of 100,000 runs the dashboard reads those of a day, and up to a bound', async () => {
  const ofDay = await plansOf(database, organizationId, () => ask('GET', '/api/analytics/dashboard', user))
  expect(ofDay.length).toBeGreaterThan(1)
  expect(ofDay.filter(({ rowsScanned }) => rowsScanned > mostRows)).toEqual([])
})

test('a page of 10,000 secrets looks at its own alone, also the last one', async () => {
  for (const page of [1, 200]) {
    const plans = await plansOf(database, organizationId, () => ask('GET', `/api/secrets?page=${page}`, user))
    const [list] = plans.filter(({ sql }) => sql.includes('secret_uses'))
    expect(list).toMatchObject({ subplanLoops: 50 })
    expect(list?.rowsScanned).toBeLessThanOrEqual(200)
  }
  const names = async (query: string) =>
    (await ask('GET', `/api/secrets?${query}`, user)).body.secrets.map(({ name }: { name: string }) => name)
  const numbered = (first: number, count: number) =>
    Array.from({ length: count }, (_, n) => `secret-${String(first + n).padStart(6, '0')}`)
  expect(await names('page=200')).toEqual(numbered(9_951, 50))
  expect(await names('page=143&limit=70')).toEqual(numbered(9_941, 60))
  expect(await names('page=199&order=desc')).toEqual(numbered(51, 50).toReversed())
  expect(await names('page=201')).toEqual([])
})

test('a page far from the beginning is found from where it was found before, as is the next one', async () => {
  await get('runs?page=1900')
  expect(await greedy('runs?page=1900')).toEqual([])
  expect(await greedy('runs?page=1901')).toEqual([])
  const ids = async (page: number) =>
    (await ask('GET', `/api/v1/workflows/runs?page=${page}&limit=50`, user)).body.runs.map(
      ({ id }: { id: string }) => id,
    )
  const { rows } = await database.ownerPool.query<{ id: string }>(
    `select id from workflow_runs where organization_id = $1 order by queued_at desc, id desc offset 94950 limit 100`,
    [organizationId],
  )
  expect([...(await ids(1900)), ...(await ids(1901))]).toEqual(rows.map(({ id }) => id))
})

test('of a new run with 200 steps and 5,000 lines only the lines that are shown are compared with its steps', async () => {
  const run = await given.run({ organizationId, workflowId: workflow?.id ?? '', status: 'completed' })
  await database.ownerPool.query(
    `with steps as (
       insert into step_runs (id, organization_id, run_id, key, name, type, position)
       select gen_random_uuid(), $1, $2, 'step_' || n, 'Step ' || n, 'http', n from generate_series(0, 199) n
       returning id, position
     )
     insert into step_logs (organization_id, run_id, seq, step_run_id, message)
     select $1, $2, seq, steps.id, 'Line ' || seq
     from generate_series(1, 5000) seq join steps on steps.position = seq % 200`,
    [organizationId, run.id],
  )
  const path = `${workflow?.id}/runs/${run.id}`
  for (const each of [path, `${path}/logs?limit=200`, `${path}/logs?limit=200&step_key=step_7`]) {
    const plans = await plansOf(database, organizationId, () => get(each))
    expect([each, plans.filter(({ rowsScanned }) => rowsScanned > 200 * 200)]).toEqual([each, []])
  }
  const reply = await ask('GET', `/api/v1/workflows/${path}/logs?limit=2&step_key=step_7`, user)
  expect(reply.body.logs).toMatchObject([
    { seq: 4_607, step_key: 'step_7', message: 'Line 4607' },
    { seq: 4_807, step_key: 'step_7', message: 'Line 4807' },
  ])
})
