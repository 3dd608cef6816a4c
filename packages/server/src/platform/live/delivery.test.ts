import { includesPosition } from '@bey/contract'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createGiven } from '../../testing/given.ts'
import { testDatabase } from '../../testing/database.ts'
import type { Publish } from '../../features/workflows/ports.ts'
import { publish, publishAll } from './publish.ts'
import { connect, flushed, liveServer, openSocket } from './testing/live-server.ts'

const database = await testDatabase()
const given = createGiven(database)
const first = await liveServer(database)
const second = await liveServer(database)

const workflowId = '019a0000-0000-7000-8000-000000000001'
const runId = '019a0000-0000-7000-8000-000000000002'

const runUpdate = (organizationId: number, progress = 10) =>
  ({
    organizationId,
    type: 'WORKFLOW_RUN_UPDATE',
    message: 'Run running',
    data: { workflowId, runId, status: 'running', subject: { type: 'cluster', id: '4' }, progress },
  }) as const

const stepUpdate = (organizationId: number) =>
  ({
    organizationId,
    type: 'WORKFLOW_STEP_UPDATE',
    data: {
      workflowId,
      runId,
      subject: { type: 'cluster', id: '4' },
      stepKey: 'boot',
      stepName: 'Boot',
      stepStatus: 'running',
      message: '',
      progress: 1,
    },
  }) as const

const inTenant = (organizationId: number, event: Parameters<typeof publish<'WORKFLOW_RUN_UPDATE'>>[1]) =>
  database.withTenant(organizationId, (db) => publish(db, event))

test('the features’ port is what publishAll is', () => {
  const port: Publish = publishAll
  expect(port).toBe(publishAll)
})

test('an event arrives as specified, after the commit and not before', async () => {
  const user = await given.user()
  const socket = await connect(first.url, user)
  await database.withTenant(user.organizationId, async (db) => {
    await publish(db, runUpdate(user.organizationId))
    await db.execute(sql`select 1`)
    await flushed(socket)
    expect(socket.events('WORKFLOW_RUN_UPDATE')).toEqual([])
  })
  await socket.frame('WORKFLOW_RUN_UPDATE')
  expect(socket.events('WORKFLOW_RUN_UPDATE')).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      type: 'WORKFLOW_RUN_UPDATE',
      target: 'ALL',
      timestamp: expect.stringMatching(/Z$/) as string,
      component: 'workflows',
      message: 'Run running',
      organizationId: user.organizationId,
      position: first.live.position(user.organizationId),
      data: { workflowId, runId, status: 'running', subject: { type: 'cluster', id: '4' }, progress: 10 },
    },
  ])
})

test('a socket enters at a position, and events of its organization alone move on from there', async () => {
  const user = await given.user()
  const stranger = await given.user()
  const socket = await openSocket(first.url)
  const { payload } = await socket.authenticate(user.token, user.organizationId)
  const entered = String(payload?.['position'])
  await inTenant(stranger.organizationId, runUpdate(stranger.organizationId))
  await inTenant(user.organizationId, runUpdate(user.organizationId))
  await socket.frame('WORKFLOW_RUN_UPDATE')
  const [event] = socket.events('WORKFLOW_RUN_UPDATE')
  expect(includesPosition(entered, event?.position)).toBe(false)
  expect(includesPosition(first.live.position(user.organizationId), event?.position)).toBe(true)
  expect(event?.position).toBe(entered.replace('.0.0', '.1.0'))
})

test('a transaction that is rolled back tells nobody', async () => {
  const user = await given.user()
  const socket = await connect(first.url, user)
  const failing = database.withTenant(user.organizationId, async (db) => {
    await publish(db, runUpdate(user.organizationId, 1))
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  await inTenant(user.organizationId, runUpdate(user.organizationId, 2))
  await socket.frame('WORKFLOW_RUN_UPDATE')
  expect(socket.events('WORKFLOW_RUN_UPDATE').map(({ data }) => data)).toMatchObject([{ progress: 2 }])
})

test('another organization gets no frame of it', async () => {
  const user = await given.user()
  const stranger = await given.user()
  const mine = await connect(first.url, user)
  const foreign = await connect(first.url, stranger)
  await inTenant(user.organizationId, runUpdate(user.organizationId))
  await mine.frame('WORKFLOW_RUN_UPDATE')
  await flushed(foreign)
  expect(foreign.frames.map((frame) => frame.type)).toEqual(['CONNECTED', 'AUTHENTICATED', 'PONG'])
})

test('two processes on one database both deliver', async () => {
  const user = await given.user()
  const sockets = [await connect(first.url, user), await connect(second.url, user)]
  await inTenant(user.organizationId, runUpdate(user.organizationId))
  for (const socket of sockets) await socket.frame('WORKFLOW_RUN_UPDATE')
})

test('events of one transaction arrive in their order', async () => {
  const user = await given.user()
  const socket = await connect(first.url, user)
  await database.withTenant(user.organizationId, async (db) => {
    for (let i = 1; i <= 50; i += 1) await publish(db, runUpdate(user.organizationId, i))
  })
  await socket.until(() => (socket.events('WORKFLOW_RUN_UPDATE').length === 50 ? true : undefined))
  const seen = socket
    .events('WORKFLOW_RUN_UPDATE')
    .map(({ data }) => ('progress' in data ? data.progress : 0))
  expect(seen).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
})

test.each([
  ['the workflow', { kind: 'workflow', workflowId }],
  ['all workflows', { kind: 'workflows' }],
  ['the cluster', { kind: 'cluster', clusterId: 4 }],
  ['the cluster, its id given as text', { kind: 'cluster', clusterId: '4' }],
])('steps reach anyone who follows %s, and nobody else', async (_, subscription) => {
  const user = await given.user()
  const follower = await connect(first.url, user)
  const other = await connect(first.url, user)
  expect(await follower.follow(subscription)).toMatchObject({ success: true })
  await other.follow({ kind: 'cluster', clusterId: 5 })
  await database.withTenant(user.organizationId, (db) => publish(db, stepUpdate(user.organizationId)))
  await follower.frame('WORKFLOW_STEP_UPDATE')
  await flushed(other)
  expect(other.events('WORKFLOW_STEP_UPDATE')).toEqual([])
})

test('who follows in two ways gets an event once', async () => {
  const user = await given.user()
  const socket = await connect(first.url, user)
  await socket.follow({ kind: 'workflows' })
  await socket.follow({ kind: 'cluster', clusterId: 4 })
  await database.withTenant(user.organizationId, (db) => publish(db, stepUpdate(user.organizationId)))
  await inTenant(user.organizationId, runUpdate(user.organizationId))
  await socket.frame('WORKFLOW_RUN_UPDATE')
  expect(socket.events('WORKFLOW_STEP_UPDATE')).toHaveLength(1)
})

test('an event that is too large fails the transaction and says how large it is', async () => {
  const { id } = await given.organization()
  const event = { ...runUpdate(id), message: 'é'.repeat(4_000) }
  await expect(inTenant(id, event)).rejects.toThrow(/WORKFLOW_RUN_UPDATE takes \d+ bytes/)
})

test('a local event stays in this process', async () => {
  const user = await given.user()
  const here = await connect(first.url, user)
  const there = await connect(second.url, user)
  const clusters = { kind: 'cluster_resources', clusterId: 4 }
  await here.follow(clusters)
  await there.follow(clusters)
  first.live.local({
    organizationId: user.organizationId,
    type: 'CLUSTER_RESOURCE_UPDATE',
    data: { clusterId: 4, kinds: ['pods'], objects: {}, isLive: true },
  })
  await here.frame('CLUSTER_RESOURCE_UPDATE')
  await flushed(there)
  expect(there.events('CLUSTER_RESOURCE_UPDATE')).toEqual([])
})

test('notifications that are nonsense harm nobody', async () => {
  const user = await given.user()
  const socket = await connect(first.url, user)
  for (const payload of [
    '',
    'x',
    `${user.organizationId} {`,
    `${user.organizationId} {"type":"NEW"}`,
    '1 null',
  ]) {
    await database.ownerPool.query('select pg_notify($1, $2)', ['bey_events', payload])
    await database.ownerPool.query('select pg_notify($1, $2)', ['bey_access', payload])
  }
  await inTenant(user.organizationId, runUpdate(user.organizationId))
  await socket.frame('WORKFLOW_RUN_UPDATE')
})
