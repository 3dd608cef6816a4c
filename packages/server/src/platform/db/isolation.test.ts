import { randomBytes } from 'node:crypto'

import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'

import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { accessTickets } from '../../tables/access-tickets.ts'
import { annotationReplies } from '../../tables/annotation-replies.ts'
import { clusterConnections } from '../../tables/cluster-connections.ts'
import { clusterHealth } from '../../tables/cluster-health.ts'
import { errorGroups, errorHours, errorReleases, errorUsers } from '../../tables/error-groups.ts'
import { errorOccurrences } from '../../tables/error-occurrences.ts'
import { idempotencyKeys } from '../../tables/idempotency-keys.ts'
import { notifications } from '../../tables/notifications.ts'
import { kubeconfigTokens } from '../../tables/kubeconfig-tokens.ts'
import { objectVersions } from '../../tables/object-versions.ts'
import { metricHours, metricMinutes, metricPending, metricSamples } from '../../tables/metric-points.ts'
import { metricQuotas, metricSeries } from '../../tables/metric-series.ts'
import { organizationKeys } from '../../tables/organization-keys.ts'
import { secretGrants } from '../../tables/secret-grants.ts'
import { secretShares } from '../../tables/secret-shares.ts'
import { secretSyncs } from '../../tables/secret-syncs.ts'
import { secretUses } from '../../tables/secret-uses.ts'
import { secretVersions } from '../../tables/secret-versions.ts'
import { secrets } from '../../tables/secrets.ts'
import { audit, type AuditEntry } from '../audit/audit.ts'
import { linkAudit } from '../audit/linker.ts'
import { uuidv7 } from '../crypto/uuid.ts'
import { makePartitions } from '../metrics/partitions.ts'

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

beforeAll(async () => {
  await database.asSystem('test', (db) => makePartitions(db, new Date()))
  mine = await oneRowOfEach()
  theirs = await oneRowOfEach()
  // One entry of each is linked, and one waits for its link.
  await linkAudit(database)
  for (const id of [mine, theirs]) await database.withTenant(id, (db) => audit(db, entryOf(id)))
})

const entryOf = (organizationId: number): AuditEntry => ({
  organizationId,
  actor: { type: 'system', display: 'Bey' },
  via: 'api',
  action: 'cluster.create',
  class: 'create',
})

async function oneRowOfEach(): Promise<number> {
  const user = await given.user()
  const { organizationId } = user
  members.set(organizationId, user.id)
  const cluster = await given.cluster({ organizationId })
  const step = await given.step({ organizationId })
  await given.logs(step, ['one'])
  const note = await given.annotation({ organizationId, userId: user.id })
  await database.withTenant(organizationId, async (db) => {
    await db.insert(clusterConnections).values({ clusterId: cluster.id, organizationId })
    await db
      .insert(clusterHealth)
      .values({ clusterId: cluster.id, organizationId, observer: 'test', leaseUntil: new Date() })
    await db.insert(objectVersions).values({
      id: uuidv7(),
      organizationId,
      clusterId: cluster.id,
      resource: 'configmaps',
      kind: 'ConfigMap',
      namespace: 'default',
      name: 'settings',
      uid: 'u',
      at: new Date(),
      change: 'created',
      hash: '',
      bytes: 2,
      object: {},
    })
    await db.insert(kubeconfigTokens).values({
      id: uuidv7(),
      organizationId,
      userId: user.id,
      clusterId: cluster.id,
      tokenHash: randomBytes(32),
      expiresAt: new Date(Date.now() + 3_600_000),
    })
    await db.insert(accessTickets).values({
      id: uuidv7(),
      organizationId,
      clusterId: cluster.id,
      sessionId: user.sessionId,
      kind: 'stream',
      ticketHash: randomBytes(32),
      path: '/',
      expiresAt: new Date(Date.now() + 3_600_000),
    })
    await db.insert(idempotencyKeys).values({
      id: uuidv7(),
      organizationId,
      userId: user.id,
      key: 'k',
      endpoint: 'POST /x',
      requestHash: randomBytes(32),
    })
    await db
      .insert(annotationReplies)
      .values({ id: uuidv7(), organizationId, annotationId: note.id, text: 'Seen.' })
    await db.insert(notifications).values({
      organizationId,
      userId: user.id,
      id: uuidv7(),
      kind: 'toast',
      level: 'error',
      title: 'Action failed',
      at: new Date(),
    })
    const secretId = uuidv7()
    const ofSecret = { organizationId, secretId }
    await db.insert(secrets).values({
      id: secretId,
      organizationId,
      name: 's',
      type: 'opaque',
      valueHash: 'h',
      facts: { fields: {}, certificate: null, contexts: [] },
      currentVersion: 1,
      lastVersion: 1,
      maxVersions: 10,
    })
    await db
      .insert(secretVersions)
      .values({ ...ofSecret, version: 1, status: 'current', sealed: randomBytes(60) })
    await db
      .insert(secretGrants)
      .values({ ...ofSecret, subjectType: 'role', subjectId: 'MEMBER', access: 'use' })
    await db
      .insert(secretUses)
      .values({ ...ofSecret, subjectType: 'user', subjectId: '1', subjectName: 'Ada', lastVersion: 1 })
    await db
      .insert(secretShares)
      .values({ ...ofSecret, id: uuidv7(), ciphertext: 'c', expiresAt: new Date() })
    const place = { clusterId: cluster.id, namespace: 'default', name: 'one' }
    const copy = { kubernetesType: 'Opaque', keys: {}, nextAt: new Date() } as const
    await db.insert(secretSyncs).values({ ...ofSecret, ...place, ...copy, id: uuidv7() })
    await db.insert(organizationKeys).values({ organizationId, wrapped: randomBytes(60) })
    const point = { organizationId, block: 1, at: new Date() }
    await db.insert(metricSamples).values({ ...point, readings: [1] })
    await db.insert(metricMinutes).values({ ...point, averages: [1], maxima: [1] })
    await db.insert(metricHours).values({ ...point, averages: [1], maxima: [1] })
    await db.insert(metricPending).values({ organizationId, step: 'minute', at: new Date() })
    await db.insert(metricQuotas).values({ organizationId })
    await db.insert(metricSeries).values({
      organizationId,
      block: 1,
      slot: 1,
      entityType: 'cluster',
      entityId: String(cluster.id),
      metric: 'cpu_used_millicores',
      labels: {},
      span: 'year',
      lastSeenAt: new Date(),
    })
    const error = { organizationId, groupId: uuidv7() }
    const seen = { firstSeenAt: new Date(), lastSeenAt: new Date(), firstRelease: '1', lastRelease: '1' }
    await db.insert(errorGroups).values({
      ...seen,
      id: error.groupId,
      organizationId,
      fingerprint: randomBytes(32),
      message: 'm',
      culprit: '',
      kind: 'error',
    })
    await db.insert(errorHours).values({ ...error, hour: new Date(), occurrenceCount: 1 })
    await db
      .insert(errorReleases)
      .values({ ...error, release: '1', occurrenceCount: 1, lastSeenAt: new Date() })
    await db.insert(errorUsers).values({ ...error, userId: user.id })
    const texts = { message: '', stack: '', componentStack: '', source: '', userAgent: '', url: '' }
    await db.insert(errorOccurrences).values({
      ...error,
      ...texts,
      id: uuidv7(),
      at: new Date(),
      reportedAt: new Date(),
      release: '1',
      sessionId: '',
      errorBoundary: '',
      errorBoundaryStack: '',
    })
    await audit(db, entryOf(organizationId))
  })
  return organizationId
}

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
    // `id` of organizations cannot be written at all; its name stands for the rest of the row.
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

test('keys of the server and its processes are out of reach of the application role', async () => {
  for (const table of ['server_keys', 'processes']) {
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
