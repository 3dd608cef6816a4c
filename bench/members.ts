import { listMembers } from '../packages/server/src/features/members/store.ts'
import { listRuns } from '../packages/server/src/features/workflows/runs/list.ts'
import type { Database, Db } from '../packages/server/src/platform/db/database.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { report } from './figure.ts'
import { median } from './process-figures.ts'
import { withDatabase } from './with-database.ts'

const people = 10_000
const rounds = 31

type MemberFilter = Parameters<typeof listMembers>[2]
const page = { page: 1, limit: 50, sort: 'name' } as const

/** What people ask of the list of members. */
const lists: readonly (readonly [name: string, filter: MemberFilter])[] = [
  ['by name', page],
  ['by role', { ...page, sort: 'role' }],
  ['last page', { ...page, page: people / page.limit }],
  ['without a second factor', { ...page, secondFactor: 'none' }],
  ['search for a name', { ...page, search: 'person 77' }],
]

/** A page of the list of 10,000 members with their sessions and factors, beside a page of a list of as many runs. */
export async function run(): Promise<void> {
  await withDatabase(async (database) => {
    const { id } = await createGiven(database).organization()
    await crowd(database, id)
    const runs = (db: Db) => listRuns(db, id, { page: 1, limit: 50, sort: 'queuedAt' })
    for (const [name, filter] of lists) {
      const times: { members: number; runs: number }[] = []
      // One after the other: a machine may be quick now and slow a minute later.
      for (let round = 0; round < rounds; round += 1) {
        times.push({
          members: await readMs(database, id, (db) => listMembers(db, id, filter)),
          runs: await readMs(database, id, runs),
        })
      }
      const membersMs = median(times.map(({ members }) => members))
      const runsMs = median(times.map((each) => each.runs))
      report({
        name: `members ${name}, of ${people.toLocaleString('en')}`,
        value: membersMs,
        unit: 'ms',
        detail: `a page of as many runs ${runsMs.toFixed(1)} ms`,
      })
    }
  })
}

async function readMs(
  database: Database,
  organizationId: number,
  read: (db: Db) => Promise<unknown>,
): Promise<number> {
  const startedAt = performance.now()
  await database.readTenant(organizationId, read)
  return performance.now() - startedAt
}

/** 10,000 people with a session each, and as many runs of one workflow. */
async function crowd(database: Database, organizationId: number): Promise<void> {
  await database.ownerPool.query(
    `with person as (
       insert into users (email, name)
       select 'person-' || n || '@crowd.example', 'Person ' || n from generate_series(1, $2::int) n returning id
     ), member as (insert into memberships (organization_id, user_id, role) select $1, id, 'VIEWER' from person)
     insert into sessions (id, user_id, token_hash, expires_at)
     select gen_random_uuid(), id, sha256(convert_to('crowd ' || id, 'UTF8')), now() + interval '1 day' from person`,
    [organizationId, people],
  )
  const workflow = await createGiven(database).workflow({ organizationId })
  await database.ownerPool.query(
    `insert into workflow_runs (id, organization_id, workflow_id, status, queued_at, started_at, finished_at)
     select gen_random_uuid(), $1, $2, 'completed', at, at, at
     from (select now() - make_interval(secs => n * 2) as at from generate_series(1, $3::int) n) runs`,
    [organizationId, workflow.id, people],
  )
  await database.ownerPool.query('vacuum analyze users, memberships, sessions, workflow_runs')
}
