import type { DatabaseStatus } from '@bey/contract'
import pg from 'pg'
import { onTestFinished } from 'vitest'

import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { databaseBackups, databaseWalSegments } from '../../tables/database-backups.ts'
import { databaseRestores, databaseSwaps } from '../../tables/database-restores.ts'
import { databases } from '../../tables/databases.ts'
import { clusterSweep } from './cnpg/testing/cluster-sweep.ts'
import { insertAdvice, insertLocks } from './testing/insert-insight.ts'
import { fakePgDump } from '../../testing/fake-pg-dump.ts'
import { asOwner, newName, type SweepCall, type SweepCalls, type World } from '../../testing/sweep.ts'

/** A database without a server: what an operation does there is seen by its run, which comes later. */
async function databaseIn(
  { app, organizationId }: World,
  provider: 'embedded' | 'external',
  status: DatabaseStatus,
): Promise<SweepCall> {
  const id = uuidv7()
  await app.database.withTenant(organizationId, (db) =>
    db.insert(databases).values({
      id,
      organizationId,
      name: newName(),
      provider,
      status,
      plan: provider === 'embedded' ? 'small' : null,
      databaseName: 'app',
      username: 'app',
      tls: 'disable',
      // Nobody looks at it while the sweep goes on.
      checkAt: new Date(Date.now() + 3_600_000),
    }),
  )
  return { params: { id } }
}

/** A completed backup of such a database. */
async function backupIn(world: World, isLocked: boolean): Promise<SweepCall> {
  const { params } = await databaseIn(world, 'embedded', 'available')
  const { app, organizationId } = world
  const [databaseId = '', backupId] = [params?.['id'], uuidv7()]
  await app.database.withTenant(organizationId, (db) =>
    db.insert(databaseBackups).values({
      id: backupId,
      organizationId,
      databaseId: String(databaseId),
      kind: 'full',
      trigger: 'manual',
      status: 'completed',
      isLocked,
      timeline: 1,
      startSegment: 1,
      stopSegment: 1,
      consistentAt: new Date(),
    }),
  )
  await app.database.withTenant(organizationId, (db) =>
    db.insert(databaseWalSegments).values({
      organizationId,
      databaseId: String(databaseId),
      name: '000000010000000000000001',
      timeline: 1,
      segment: 1,
      storeKey: 'one',
      sizeBytes: 1,
      storedBytes: 1,
      sha256: '',
      untilAt: new Date(),
    }),
  )
  return { params: { ...params, backupId } }
}

/** A database and its restored copy; `completed`: the copy is in its place. */
async function swappable(world: World, status: 'pending' | 'completed') {
  const [old, copy] = [
    await databaseIn(world, 'embedded', 'available'),
    await databaseIn(world, 'embedded', 'available'),
  ].map(({ params }) => String(params?.['id']))
  const { app, organizationId } = world
  const pair = { organizationId, databaseId: String(copy), oldDatabaseId: String(old) }
  await app.database.withTenant(organizationId, async (db) => {
    await db.insert(databaseRestores).values({
      id: uuidv7(),
      organizationId,
      kind: 'restore',
      databaseId: String(old),
      newDatabaseId: String(copy),
      status: 'completed',
    })
    if (status === 'pending') return
    const undoUntil = new Date(Date.now() + 3_600_000)
    const names = { name: newName(), copyName: newName() }
    await db.insert(databaseSwaps).values({ ...pair, ...names, id: uuidv7(), status, undoUntil })
  })
  const params = { id: String(old) }
  return {
    swap: { params, body: { withDatabaseId: String(copy) } },
    undo: { params },
    copyRows: { params: { id: String(copy) }, body: { tables: [{ schema: 'public', name: 'orders' }] } },
  }
}

const embedded = (status: DatabaseStatus) => ({
  call: (world: World) => databaseIn(world, 'embedded', status),
})
/** One database for all endpoints that need a server that answers. */
const servers = new WeakMap<World, Promise<string>>()

async function createServer(world: World): Promise<string> {
  const made = await asOwner(world, 'POST', '/api/databases', { provider: 'embedded', name: newName() })
  const { id } = made.body as { id: string }
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until it answers
    const { body } = await asOwner(world, 'GET', `/api/databases/${id}`)
    const { status, reason } = body as { status: DatabaseStatus; reason: string | null }
    if (status === 'available') return id
    if (status === 'error') throw new Error(reason ?? 'The database was not created')
    // oxlint-disable-next-line no-await-in-loop -- until it answers
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const onServer = (body?: object, params: Record<string, string> = {}) => ({
  call: async (world: World): Promise<SweepCall> => {
    const server = servers.get(world) ?? createServer(world)
    servers.set(world, server)
    return { params: { id: await server, ...params }, ...(body && { body }) }
  },
})

/** A session of a client with an open transaction, to be cancelled or ended. */
const onSession = (reason?: string) => ({
  call: async (world: World): Promise<SweepCall> => {
    const { params } = await onServer().call(world)
    const id = String(params?.['id'])
    const { body } = await asOwner(world, 'GET', `/api/databases/${id}`)
    const { endpoint, credential } = body as {
      endpoint: { host: string; port: number; database: string; username: string }
      credential: { id: string }
    }
    const secret = await asOwner(world, 'POST', `/api/secrets/${credential.id}/reveal`, { reason: 'Sweep' })
    const { value: password } = secret.body as { value: string }
    const { username: user, ...server } = endpoint
    const client = new pg.Client({ ...server, user, password })
    // It lives until it is ended, or its server is.
    client.on('error', () => undefined)
    await client.connect()
    await client.query('begin')
    const { rows } = await client.query<{ pid: number; identity: string }>(
      `select pid, (extract(epoch from backend_start) * 1000000)::int8::text as identity
         from pg_stat_activity where pid = pg_backend_pid()`,
    )
    const { pid = 0, identity = '' } = rows[0] ?? {}
    return { params: { id, pid }, body: { identity, ...(reason !== undefined && { reason }) } }
  },
})

const bucket = {
  endpoint: 'http://127.0.0.1:1',
  region: 'eu-central-1',
  bucket: 'backups',
  accessKeyId: 'key',
  secretAccessKey: 'secret',
}
const onTarget = (body?: object) => ({
  call: async (world: World): Promise<SweepCall> => {
    const made = await asOwner(world, 'POST', '/api/databases/backup-targets', { ...bucket, name: newName() })
    const { id } = made.body as { id: string }
    return { params: { id }, ...(body && { body }) }
  },
})

const connection = { uri: 'postgresql://app@127.0.0.1:1/app?sslmode=disable' }

/** A login of somebody else's. */
const onLogin = {
  role: 'ADMIN' as const,
  call: async (world: World): Promise<SweepCall> => {
    const { params } = await onServer().call(world)
    const id = String(params?.['id'])
    const made = await asOwner(world, 'POST', `/api/databases/${id}/logins`, { reason: 'Sweep' })
    return { params: { id, loginId: (made.body as { login: { id: string } }).login.id } }
  },
}

/** A statement that whoever calls has saved, for others do not change it. */
const onSaved = (body?: object) => ({
  call: async (world: World, { token }: { token: string }): Promise<SweepCall> => {
    const { params } = await databaseIn(world, 'embedded', 'available')
    const id = String(params?.['id'])
    const query = { name: newName(), statement: 'select 1', isShared: true }
    const { organizationId } = world
    const at = `/api/databases/${id}/saved-queries`
    const made = await world.app.ask('POST', at, { token, organizationId, body: query })
    return { params: { id, queryId: (made.body as { id: string }).id }, ...(body && { body }) }
  },
})

/** A user of the server that was made for this call. */
const onUser = (others: object) => ({
  call: async (world: World): Promise<SweepCall> => {
    const name = newName()
    const { params } = await onServer().call(world)
    await asOwner(world, 'POST', `/api/databases/${String(params?.['id'])}/roles`, { name })
    return { params, body: { name, ...others } }
  },
})

/** What its owner made by the same path a moment before. */
const dropped = (path: string, nameOf: () => string) => ({
  call: async (world: World): Promise<SweepCall> => {
    const { params, body } = await onServer({ name: nameOf() }).call(world)
    await asOwner(world, 'POST', `/api/databases/${String(params?.['id'])}/${path}`, body)
    return { params, body }
  },
})

export const sweepCalls: SweepCalls = {
  'databases.logins.list': embedded('available'),
  'databases.logins.create': onServer({ reason: 'Sweep' }),
  'databases.logins.end': onLogin,
  'databases.sqlHistory': embedded('available'),
  'databases.savedQueries.list': embedded('available'),
  'databases.savedQueries.create': {
    call: async (world) => ({
      ...(await databaseIn(world, 'embedded', 'available')),
      body: { name: newName(), statement: 'select 1' },
    }),
  },
  'databases.savedQueries.update': onSaved({ isShared: true }),
  'databases.savedQueries.delete': onSaved(),
  'databases.parameters': onServer(),
  'databases.changes.plan': onServer({ parameters: { statement_timeout: '30s' } }),
  'databases.changes.create': {
    call: async (world) => ({
      ...(await databaseIn(world, 'embedded', 'available')),
      body: { allowList: [{ cidr: '10.20.0.0/16' }] },
    }),
  },
  'databases.roles.list': onServer(),
  'databases.roles.create': { call: async (world) => onServer({ name: newName() }).call(world) },
  'databases.roles.grant': onUser({ access: 'write' }),
  'databases.roles.drop': onUser({}),
  'databases.serverDatabases.list': onServer(),
  'databases.serverDatabases.create': { call: async (world) => onServer({ name: newName() }).call(world) },
  'databases.serverDatabases.drop': dropped('server-databases', newName),
  'databases.extensions.list': onServer(),
  'databases.extensions.install': onServer({ name: 'citext' }),
  'databases.extensions.drop': dropped('extensions', () => 'hstore'),
  'databases.drill': embedded('available'),
  'databases.moments': embedded('available'),
  'databases.backupTargets.get': onTarget(),
  'databases.backupTargets.create': { call: () => ({ body: { ...bucket, name: newName() } }) },
  'databases.backupTargets.update': onTarget({ region: 'eu-west-1' }),
  'databases.backupTargets.delete': onTarget(),
  'databases.backupTargets.test': { call: () => ({ body: bucket }) },
  'databases.backupTargets.check': onTarget(),
  'databases.get': embedded('available'),
  'databases.references': embedded('available'),
  ...clusterSweep,
  'databases.create': { call: () => ({ body: { provider: 'external', name: newName(), connection } }) },
  'databases.test': { call: () => ({ body: { connection } }) },
  'databases.update': {
    call: async (world) => ({
      ...(await databaseIn(world, 'embedded', 'available')),
      body: { description: 'Changed' },
    }),
  },
  'databases.reconnect': {
    call: async (world) => ({
      ...(await databaseIn(world, 'external', 'unreachable')),
      body: { connection },
    }),
  },
  'databases.provision': embedded('error'),
  'databases.restart': embedded('available'),
  'databases.hibernate': embedded('available'),
  'databases.resume': embedded('hibernated'),
  'databases.delete': embedded('hibernated'),
  'databases.backups.list': embedded('available'),
  'databases.backups.get': { call: (world) => backupIn(world, false) },
  'databases.backups.lock': { call: (world) => backupIn(world, false) },
  'databases.backups.unlock': { call: (world) => backupIn(world, true) },
  'databases.backups.create': embedded('available'),
  'databases.backups.delete': { call: (world) => backupIn(world, false) },
  'databases.window': embedded('available'),
  'databases.backupPolicy.get': embedded('available'),
  'databases.backupPolicy.update': {
    call: async (world) => ({
      ...(await databaseIn(world, 'embedded', 'available')),
      body: {
        schedule: '0 2 * * *',
        retentionDays: 14,
        targetId: null,
        pitr: true,
        drillSchedule: null,
        checks: [],
      },
    }),
  },
  'databases.restore': {
    call: async (world) => {
      const { params } = await backupIn(world, false)
      return {
        params: { id: params?.['id'] ?? '' },
        body: { name: newName(), backupId: params?.['backupId'] },
      }
    },
  },
  'databases.swap': { call: async (world) => (await swappable(world, 'pending')).swap },
  'databases.undoSwap': { call: async (world) => (await swappable(world, 'completed')).undo },
  'databases.swaps.copyRows': { call: async (world) => (await swappable(world, 'completed')).copyRows },
  'databases.swaps.leftRows': {
    call: async (world) => {
      const { params } = await onServer().call(world)
      const id = String(params?.['id'])
      const { organizationId } = world
      await world.app.database.withTenant(organizationId, (db) =>
        db.insert(databaseSwaps).values({
          id: uuidv7(),
          organizationId,
          databaseId: id,
          oldDatabaseId: id,
          name: newName(),
          copyName: newName(),
          status: 'ended',
        }),
      )
      return { params }
    },
  },
  'databases.swaps.compare': {
    call: async (world) => {
      const [{ params }, id] = [await onServer().call(world), uuidv7()]
      const copyId = String(params?.['id'])
      await world.app.database.withTenant(world.organizationId, (db) =>
        db.insert(databaseRestores).values({
          id,
          organizationId: world.organizationId,
          kind: 'restore',
          // Of itself: another server would take seconds.
          databaseId: copyId,
          newDatabaseId: copyId,
          status: 'completed',
        }),
      )
      return { params, query: `withDatabaseId=${copyId}` }
    },
  },
  'databases.swaps.latest': embedded('available'),
  'databases.restores.list': embedded('available'),
  'databases.dumpProgram': embedded('hibernated'),
  'databases.downloadDump': {
    call: (world) => {
      // The machine may have none that is new enough.
      fakePgDump('99.0', "printf 'PGDMP'", onTestFinished)
      return onServer().call(world)
    },
  },
  'databases.query': onServer({ statement: 'select 1' }),
  'databases.execute': onServer({ statement: 'select 1' }),
  'databases.explain': onServer({ statement: 'select 1' }),
  'databases.estimate': onServer({ statement: 'select 1' }),
  'databases.cancelQuery': onServer(undefined, { queryId: '019a0000-0000-7000-8000-000000000001' }),
  'databases.relations': onServer(),
  'databases.sessions': onServer(),
  'databases.advice': embedded('available'),
  'databases.checkAdvice': onServer(),
  'databases.dismissAdvice': {
    call: async (world) => {
      const { params } = await databaseIn(world, 'embedded', 'available')
      const key = await insertAdvice(world, String(params?.['id']))
      return { params, body: { key, reason: 'Sweep' } }
    },
  },
  'databases.statements': embedded('available'),
  'databases.measureStatements': onServer(),
  'databases.lockMinutes': embedded('available'),
  'databases.lockMinute': {
    call: async (world) => {
      const { params } = await databaseIn(world, 'embedded', 'available')
      const at = '2026-01-15T09:30:00.000Z'
      await insertLocks(world, String(params?.['id']), at)
      return { params: { ...params, at } }
    },
  },
  'databases.cancelSession': onSession(),
  'databases.endSession': onSession('Test'),
  'databases.break': onServer({ kind: 'slow_query', seconds: 5 }),
  'databases.setDiskQuota': onServer({ limitBytes: 256 * 1024 ** 2 }),
  'databases.allowWrites': onServer({}),
  'databases.endFault': onServer(),
}
