import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { connect, flushed, liveServer } from './testing/live-server.ts'

const database = await testDatabase()
const given = createGiven(database)

test('work is started for the first follower and ended after the last has left or gone', async () => {
  const { live, url } = await liveServer(database)
  const log: string[] = []
  live.onSubscription('cluster_resources', ({ clusterId }, organizationId) => {
    log.push(`start ${clusterId} ${organizationId === user.organizationId}`)
    return () => log.push(`stop ${clusterId}`)
  })
  const user = await given.user()
  const one = await connect(url, user)
  const two = await connect(url, user)
  const subscription = { kind: 'cluster_resources', clusterId: 4 }
  await one.follow(subscription)
  await one.follow(subscription)
  await two.follow(subscription)
  await one.leave(subscription)
  expect(log).toEqual(['start 4 true'])
  two.socket.terminate()
  await expect.poll(() => log).toEqual(['start 4 true', 'stop 4'])
  await one.follow(subscription)
  expect(log).toHaveLength(3)
  expect(live.figures()).toMatchObject({ connections: 1, subscriptions: 1, isListening: true })
})

test('each follower after the first is told of by itself', async () => {
  const { live, url } = await liveServer(database)
  let nexts = 0
  live.onSubscription(
    'cluster_resources',
    () => () => undefined,
    ({ clusterId }) => (nexts += clusterId),
  )
  const user = await given.user()
  const one = await connect(url, user)
  const two = await connect(url, user)
  await one.follow({ kind: 'cluster_resources', clusterId: 4 })
  expect(nexts).toBe(0)
  await two.follow({ kind: 'cluster_resources', clusterId: 4 })
  expect(nexts).toBe(4)
})

test('two organizations that follow the same number are two', async () => {
  const { live, url } = await liveServer(database)
  const started: number[] = []
  live.onSubscription('cluster_resources', (_, organizationId) => {
    started.push(organizationId)
    return () => undefined
  })
  const users = [await given.user(), await given.user()]
  for (const user of users)
    await (await connect(url, user)).follow({ kind: 'cluster_resources', clusterId: 4 })
  expect(started).toEqual(users.map((user) => user.organizationId))
})

test('metrics say when they start, stop and fail, to who follows them', async () => {
  const { live, url } = await liveServer(database)
  live.onSubscription('cluster_metrics', ({ clusterId }, organizationId) => {
    if (clusterId === 9) throw new Error('no metrics server')
    live.local({
      organizationId,
      type: 'CLUSTER_METRICS_UPDATE',
      data: { clusterId, nodes: [], at: '2026-11-21T00:00:00.000Z' },
    })
    return () => undefined
  })
  const user = await given.user()
  const socket = await connect(url, user)
  await socket.follow({ kind: 'cluster_metrics', clusterId: 4 })
  await socket.leave({ kind: 'cluster_metrics', clusterId: 4 })
  expect(await socket.follow({ kind: 'cluster_metrics', clusterId: 9 })).toMatchObject({ success: false })
  await flushed(socket)
  const received = socket.frames.filter((frame) => /METRICS/.test(frame.type))
  expect(received.map((frame) => [frame.type, frame.data])).toMatchObject([
    ['CLUSTER_METRICS_UPDATE', { clusterId: 4 }],
    ['METRICS_STREAMING_STARTED', { clusterId: 4 }],
    ['METRICS_STREAMING_STOPPED', { clusterId: 4 }],
    ['METRICS_STREAMING_ERROR', { clusterId: 9, error: 'It cannot be followed at the moment' }],
  ])
})
