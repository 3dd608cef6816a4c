import { sql } from 'drizzle-orm'
import { act, serverItself } from '../../platform/act.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { violatedConstraint } from '../../platform/db/failure.ts'
import type { Retention } from '../../platform/db/retention.ts'
import { endAccess } from '../../platform/live/access-end.ts'
import type { Log } from '../../platform/log.ts'

/** Runs that the engine forgets at once. */
const runsAtOnce = 200

type PurgeParts = {
  database: Database
  log: Log
  /** Lets the engine forget what it keeps of runs. */
  forgetRuns: (runIds: string[]) => Promise<void>
}

/**
 * Deletes organizations whose time to undo the deletion is over, with every row of theirs save the audit trail, which
 * is append-only. Safe on several servers: each organization by the process that holds its row.
 */
export function createPurge({ database, log, forgetRuns }: PurgeParts): Retention {
  return async function deleteOrganizations(now) {
    const failures: unknown[] = []
    for (const { id } of await dueOrganizations(database, now)) {
      try {
        await forgetAllRuns(database, id, forgetRuns)
        const isDeleted = await database.asSystem('delete an organization', (db) =>
          deleteOrganization(db, id, now),
        )
        if (!isDeleted)
          log.warn({ organizationId: id }, 'An organization that is due to be deleted has clusters again')
      } catch (cause) {
        // The others do not wait for it.
        failures.push(new Error(`The organization ${id} could not be deleted`, { cause }))
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Organizations could not be deleted')
  }
}

async function dueOrganizations(database: Database, now: Date): Promise<{ id: number }[]> {
  return database.asSystem('find organizations to delete', async (db) => {
    const { rows } = await db.execute<{ id: number }>(
      sql`select id from organizations where deletes_at <= ${now.toISOString()} order by deletes_at limit 20`,
    )
    return rows
  })
}

/** The engine first: what it has forgotten and we have not is found again. */
export async function forgetAllRuns(database: Database, id: number, forgetRuns: PurgeParts['forgetRuns']) {
  const runIds = await database.asSystem('find runs to forget', async (db) => {
    const { rows } = await db.execute<{ id: string }>(
      sql`select id from workflow_runs where organization_id = ${id}`,
    )
    return rows.map((row) => row.id)
  })
  for (let from = 0; from < runIds.length; from += runsAtOnce) {
    await forgetRuns(runIds.slice(from, from + runsAtOnce))
  }
}

/** False where a cluster was made meanwhile: nothing may run on without an owner. */
async function deleteOrganization(db: Db, id: number, now: Date): Promise<boolean> {
  const { rows: held } = await db.execute<{ name: string }>(
    sql`select name from organizations where id = ${id} and deletes_at <= ${now.toISOString()} for update skip locked`,
  )
  const [organization] = held
  // Undone meanwhile, or another server is at it.
  if (organization === undefined) return true
  const { rows: clusters } = await db.execute(
    sql`select 1 from clusters where organization_id = ${id} and deleted_at is null limit 1`,
  )
  if (clusters.length > 0) return false
  const { rows: members } = await db.execute<{ user_id: number }>(
    sql`select user_id from memberships where organization_id = ${id}`,
  )
  await act(db, serverItself(id), {
    action: 'organization.purge',
    class: 'delete',
    target: { type: 'organization', id, name: organization.name },
  })
  await deleteRows(db, id)
  await db.execute(sql`delete from organizations where id = ${id}`)
  for (const { user_id: userId } of members)
    await endAccess(db, { kind: 'member', organizationId: id, userId })
  return true
}

/**
 * Every table that names an organization, by PostgreSQL's own catalogue, so that no table is forgotten. One that others
 * still point at is tried again after them.
 */
export async function deleteRows(db: Db, id: number): Promise<void> {
  const { rows } = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not like 'audit\\_%'
    order by c.relname`)
  let left = rows.map(({ name }) => name)
  while (left.length > 0) {
    const blocked: string[] = []
    for (const name of left) if (!(await deleteFrom(db, name, id))) blocked.push(name)
    if (blocked.length === left.length) throw new Error(`Rows of ${left.join(', ')} hold each other`)
    left = blocked
  }
}

async function deleteFrom(db: Db, table: string, id: number): Promise<boolean> {
  try {
    await db.transaction((inner) =>
      inner.execute(sql`delete from ${sql.identifier(table)} where organization_id = ${id}`),
    )
    return true
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error
    return false
  }
}
