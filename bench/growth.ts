import { countRunsByStatus, listTroubledRuns } from '../packages/server/src/features/analytics/store.ts'
import { readEngineFigures } from '../packages/server/src/features/workflows/engine/status.ts'
import { listRuns, type RunFilter } from '../packages/server/src/features/workflows/runs/list.ts'
import { findRun, findWorkflow, listWorkflows } from '../packages/server/src/features/workflows/store.ts'
import { usualDurations } from '../packages/server/src/features/workflows/runs/usual-durations.ts'
import type { Database, Db } from '../packages/server/src/platform/db/database.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { compareGrowth } from './compare-growth.ts'
import { measureLists } from './growth-lists.ts'
import { withDatabase } from './with-database.ts'

const few = 1_000
const many = 1_000_000

/** Beside them stand so many organizations with so many runs each. */
const others = { count: 20, runs: 5_000 }

const page = { page: 1, limit: 50, sort: 'queuedAt' } as const
const ofOneCluster = { subjectType: 'cluster', subjectId: '7' } as const
type Of = { organizationId: number; workflowId: string; runId: string }
type Read = (db: Db, of: Of, count: number) => Promise<unknown>
const list =
  (filter: RunFilter): Read =>
  (db, { organizationId }) =>
    listRuns(db, organizationId, filter)
const workflowsBy =
  (sort: 'name' | 'lastRunAt'): Read =>
  (db, { organizationId }) =>
    listWorkflows(db, organizationId, { page: 1, limit: 50, sort })
const dayAgo = () => new Date(Date.now() - 86_400_000)

const reads: readonly (readonly [name: string, read: Read])[] = [
  ['any status', list(page)],
  ['completed', list({ ...page, status: ['completed'] })],
  ['failed or cancelled', list({ ...page, status: ['failed', 'cancelled'] })],
  ['under way', list({ ...page, isOver: 'false' })],
  ['by status', list({ ...page, sort: 'status' })],
  ["one cluster's failed", list({ ...page, ...ofOneCluster, status: ['failed'] })],
  [
    'last page',
    (db, { organizationId }, count) => listRuns(db, organizationId, { ...page, page: count / page.limit }),
  ],
  ['engine status', (db, { organizationId }) => readEngineFigures(db, organizationId)],
  ['workflows by name', workflowsBy('name')],
  ['workflows by last run', workflowsBy('lastRunAt')],
  ['a workflow', (db, { organizationId, workflowId }) => findWorkflow(db, organizationId, workflowId)],
  [
    "a workflow's runs",
    (db, { organizationId, workflowId }) => listRuns(db, organizationId, { ...page, workflowId }),
  ],
  [
    "a workflow's failed runs",
    (db, { organizationId, workflowId }) =>
      listRuns(db, organizationId, { ...page, workflowId, status: ['failed'] }),
  ],
  [
    'a run',
    async (db, { organizationId, workflowId, runId }) => {
      await findRun(db, organizationId, workflowId, runId)
      await usualDurations(db, workflowId, runId)
    },
  ],
  [
    'the dashboard',
    async (db, { organizationId }) => {
      await countRunsByStatus(db, organizationId, dayAgo())
      await listTroubledRuns(db, organizationId, dayAgo())
    },
  ],
]

/** What is read of the runs of an organization with 1,000,000 of them, against one with 1,000, beside twenty others. */
export async function run(): Promise<void> {
  await withDatabase(async (database) => {
    const small = await organizationOf(database, few)
    const large = await organizationOf(database, many)
    for (let each = 0; each < others.count; each += 1) await organizationOf(database, others.runs)
    await database.ownerPool.query('vacuum analyze workflow_runs')
    for (const [name, read] of reads) {
      const of = (each: Of, count: number) => () =>
        database.readTenant(each.organizationId, (db) => read(db, each, count))
      await compareGrowth(
        `${name}, ${many.toLocaleString('en')} runs against ${few.toLocaleString('en')}`,
        { small: of(small, few), large: of(large, many) },
        `the total is exact to 10,000: up to 10,001 entries of an index are counted, where the small organization has ${few.toLocaleString('en')} at most`,
      )
    }
    await measureLists(database)
  })
}

/** Ten workflows; of a thousand runs each 940 completed, 50 failed, 8 were cancelled and 2 are under way. */
async function organizationOf(database: Database, count: number): Promise<Of> {
  const given = createGiven(database)
  const { id: organizationId } = await given.organization()
  const workflows = await Promise.all(Array.from({ length: 10 }, () => given.workflow({ organizationId })))
  await database.ownerPool.query(
    `insert into workflow_runs (id, organization_id, workflow_id, status, queued_at, started_at, finished_at, subject_type, subject_id)
     select gen_random_uuid(), $1, ($2::uuid[])[1 + n % 10],
       case when n % 1000 < 940 then 'completed' when n % 1000 < 990 then 'failed'
         when n % 1000 < 998 then 'cancelled' else 'running' end,
       at, at, case when n % 1000 < 998 then at + interval '7 seconds' end,
       'cluster', (1 + n % 20)::text
     from (select n, now() - make_interval(secs => n * 2) as at from generate_series(1, $3::int) n) runs`,
    [organizationId, workflows.map(({ id }) => id), count],
  )
  const { rows } = await database.ownerPool.query<{ id: string; workflow_id: string }>(
    'select id, workflow_id from workflow_runs where organization_id = $1 limit 1',
    [organizationId],
  )
  const [run] = rows
  if (run === undefined) throw new Error('There are no runs')
  return { organizationId, workflowId: run.workflow_id, runId: run.id }
}
