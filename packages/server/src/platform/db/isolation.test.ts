import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { clusterConnections } from '../../tables/cluster-connections.ts'
import { createGiven } from '../../testing/given.ts'
import { entryOf, oneRowOfEach } from '../../testing/one-row-of-each.ts'
import { usageEvent } from '../../testing/one-row-of-usage.ts'
import { audit } from '../audit/audit.ts'
import { linkAudit } from '../audit/linker.ts'
import { makePartitions } from '../metrics/partitions.ts'
import { recordUsage } from '../usage/record.ts'

const database = await testDatabase()
const given = createGiven(database)

/** Every table of an organization, as PostgreSQL's own catalogue tells it, and the column that names it. */
const tenantTables = await database.ownerPool
  .query<{ name: string; key: string }>(
    `select c.relname as name, a.attname as key
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
       and (a.attname = 'organization_id' or (c.relname = 'organizations' and a.attname = 'id'))
     order by 1`,
  )
  .then((result) => result.rows)

let mine = 0
let theirs = 0
/** The user of each organization above. */
const members = new Map<number, number>()

/** One row of each table; answers the organization. */
async function newOrganization(): Promise<number> {
  const { organizationId, userId } = await oneRowOfEach(database, given)
  members.set(organizationId, userId)
  return organizationId
}

beforeAll(async () => {
  await database.asSystem('test', (db) => makePartitions(db, new Date()))
  mine = await newOrganization()
  theirs = await newOrganization()
  // One entry of each is linked, and one waits for its link.
  await linkAudit(database)
  for (const id of [mine, theirs]) await database.withTenant(id, (db) => audit(db, entryOf(id)))
  // Likewise one event of each is added up, and one waits.
  for (const id of [mine, theirs]) {
    await database.withTenant(id, (db) => recordUsage(db, id, [usageEvent('two')]))
  }
})

/** Runs raw SQL as the application role in a transaction of `organizationId` and its user that is rolled back. */
async function asMember<T>(organizationId: number | undefined, work: (client: pg.PoolClient) => Promise<T>) {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    if (organizationId !== undefined) {
      await client.query(
        `select set_config('bey.organization_id', $1, true), set_config('bey.user_id', $2, true)`,
        [String(organizationId), String(members.get(organizationId) ?? '')],
      )
    }
    return await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** SQLSTATE 42501: row-level security or a missing grant. */
const refused = expect.objectContaining({ code: '42501' })

const outcome = (statement: Promise<unknown>) => statement.catch((error: unknown) => error)

test('the catalogue knows the tables that the tests think of', () => {
  expect(tenantTables.length).toBeGreaterThanOrEqual(13)
})

describe.each(tenantTables)('$name', ({ name, key }) => {
  const table = pg.escapeIdentifier(name)

  test('yields own rows and none of another organization', async () => {
    const own = await asMember(mine, (client) =>
      client.query<{ key: number }>(`select distinct ${key} as key from ${table}`),
    )
    expect(own.rows).toEqual([{ key: mine }])
    const named = await asMember(mine, (client) =>
      client.query(`select 1 from ${table} where ${key} = $1`, [theirs]),
    )
    expect(named.rowCount).toBe(0)
  })

  test('yields nothing before an organization is known', async () => {
    const none = await asMember(undefined, (client) => client.query(`select ${key} from ${table}`))
    expect(none.rowCount).toBe(0)
  })

  test('accepts no row of another organization', async () => {
    const { rows } = await database.ownerPool.query<{ row: object }>(
      `select to_jsonb(t) as row from ${table} t where ${key} = $1 limit 1`,
      [theirs],
    )
    const copy = JSON.stringify(rows[0]?.row)
    const insert = `insert into ${table} overriding system value select * from jsonb_populate_record(null::${table}, $1)`
    expect(await outcome(asMember(mine, (client) => client.query(insert, [copy])))).toEqual(refused)
  })

  test('lets no row be moved to another organization, nor changed or deleted there', async () => {
    const move = `update ${table} set ${key} = $1 where ${key} = $2`
    const moved = await outcome(asMember(mine, (client) => client.query(move, [theirs, mine])))
    // An identity column refuses every update by itself (428C9).
    expect(moved).toMatchObject({ code: expect.stringMatching(/^(42501|428C9)$/) })
    const reach = (statement: string) =>
      asMember(mine, async (client) => (await client.query(statement, [theirs])).rowCount)
    // `id` of organizations cannot be written at all; its name represents the rest of the row.
    const column = name === 'organizations' ? 'name' : key
    const grab = `update ${table} set ${column} = ${column} where ${key} = $1`
    expect([0, refused]).toContainEqual(await outcome(reach(grab)))
    expect([0, refused]).toContainEqual(await outcome(reach(`delete from ${table} where ${key} = $1`)))
  })
})

test('a row cannot point at a cluster or run of another organization', async () => {
  const foreign = await given.cluster({ organizationId: theirs })
  const foreignRun = await given.run({ organizationId: theirs })
  const pointAtCluster = database.withTenant(mine, (db) =>
    db.insert(clusterConnections).values({ clusterId: foreign.id, organizationId: mine }),
  )
  await expect(pointAtCluster).rejects.toMatchObject({ cause: { code: '23503' } })
  const pointAtRun = given.step({ organizationId: mine, runId: foreignRun.id })
  await expect(pointAtRun).rejects.toMatchObject({ cause: { code: '23503' } })
})

test('every table forces row-level security and belongs to somebody else than the application role', async () => {
  const { rows } = await database.ownerPool.query(
    `select relname from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not (relrowsecurity and relforcerowsecurity and relowner <> 'bey_app'::regrole)`,
  )
  expect(rows).toEqual([])
})

test('every policy of the application role looks at the organization or user of the transaction', async () => {
  const { rows } = await database.ownerPool.query(
    `select tablename, policyname from pg_policies
     where schemaname = 'public' and 'bey_app' = any (roles)
       and coalesce(qual, with_check) !~ 'current_setting\\(''bey\\.(organization_id|user_id)'''`,
  )
  expect(rows).toEqual([])
})

test('every foreign key has an index that finds its rows', async () => {
  const { rows } = await database.ownerPool.query(
    `select c.conrelid::regclass::text as table, c.conname
     from pg_constraint c
     where c.contype = 'f' and c.connamespace = 'public'::regnamespace and not exists (
       select 1 from pg_index i
       join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
       where i.indrelid = c.conrelid and a.attnum = any (c.conkey)
         -- A row without the column refers to nothing.
         and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname))
         and (cardinality(c.conkey) = 1 or a.attname <> 'organization_id' or c.conkey <@ (i.indkey::int2[]))
     )`,
  )
  expect(rows).toEqual([])
})

test('functions of the owner fix their search path and are closed to the public', async () => {
  const { rows } = await database.ownerPool.query(
    `select p.oid::regprocedure::text as function from pg_proc p
     where p.pronamespace = 'public'::regnamespace
       and (not coalesce(p.proconfig::text like '%search_path=%', false)
            or has_function_privilege('public', p.oid, 'execute'))`,
  )
  expect(rows).toEqual([])
})

test('keys of the server, its processes and its mails are out of reach of the application role', async () => {
  for (const table of ['server_keys', 'processes', 'peers', 'mail_outbox']) {
    expect(await outcome(asMember(mine, (client) => client.query(`select 1 from ${table}`)))).toEqual(refused)
  }
})

test('a password hash cannot be read back', async () => {
  const read = asMember(mine, (client) => client.query('select password_hash from users'))
  expect(await outcome(read)).toEqual(refused)
})

test('colleagues are visible, strangers are not', async () => {
  const colleague = await given.user({ organizationId: mine, role: 'VIEWER' })
  const stranger = await given.user()
  const seen = await asMember(mine, (client) => client.query<{ id: number }>('select id from users'))
  const ids = seen.rows.map((row) => row.id)
  expect(ids).toContain(colleague.id)
  expect(ids).not.toContain(stranger.id)
})

test('a user without an organization reaches their own rows only', async () => {
  const me = await given.user()
  const other = await given.user({ organizationId: me.organizationId })
  const seen = await database.withUser(me.id, async (db) => ({
    users: (await db.execute<{ id: number }>('select id from users')).rows,
    sessions: (await db.execute<{ user_id: number }>('select user_id from sessions')).rows,
    memberships: (await db.execute('select organization_id, user_id from memberships')).rows,
    organizations: (await db.execute<{ id: number }>('select id from organizations')).rows,
    clusters: (await db.execute('select id from clusters')).rows,
  }))
  expect(seen).toEqual({
    users: [{ id: me.id }],
    sessions: [{ user_id: me.id }],
    memberships: [{ organization_id: me.organizationId, user_id: me.id }],
    organizations: [{ id: me.organizationId }],
    clusters: [],
  })
  const promote = database.withUser(other.id, (db) => db.execute(`update memberships set role = 'OWNER'`))
  expect((await promote).rowCount).toBe(0)
})
