import { expect, test } from 'vitest'
import { createGiven } from '../../testing/given.ts'
import { testDatabase } from '../../testing/database.ts'
import { publish } from './publish.ts'
import { connect, flushed, liveServer } from './testing/live-server.ts'

const database = await testDatabase()
const given = createGiven(database)

const changed = (organizationId: number) =>
  database.withTenant(organizationId, (db) => publish(db, { organizationId, type: 'CLUSTERS_UPDATE' }))

test('the data of CLUSTERS_UPDATE is built at delivery, once for all sockets and per burst', async () => {
  const { live, url } = await liveServer(database)
  let built = 0
  live.expand('CLUSTERS_UPDATE', async () => {
    built += 1
    return { clusters: [], total: built }
  })
  const user = await given.user()
  const sockets = await Promise.all([1, 2, 3].map(() => connect(url, user)))
  await Promise.all(Array.from({ length: 20 }, () => changed(user.organizationId)))
  for (const socket of sockets) {
    await socket.until(() =>
      socket.events('CLUSTERS_UPDATE').find(({ data }) => 'total' in data && data.total === built),
    )
  }
  expect(built).toBeLessThan(10)
})

test('nothing is built for an organization that nobody watches', async () => {
  const { live, url } = await liveServer(database)
  const built: number[] = []
  live.expand('CLUSTERS_UPDATE', async (organizationId) => {
    built.push(organizationId)
    return { clusters: [], total: 0 }
  })
  const user = await given.user()
  const socket = await connect(url, user)
  await changed((await given.organization()).id)
  await changed(user.organizationId)
  await socket.frame('CLUSTERS_UPDATE')
  expect(built).toEqual([user.organizationId])
})

test('what was overtaken while it was built is built again, and never delivered after newer things', async () => {
  const { live, url } = await liveServer(database)
  const user = await given.user()
  const { organizationId } = user
  const socket = await connect(url, user)
  let built = 0
  live.expand('CLUSTERS_UPDATE', async () => {
    built += 1
    if (built === 1) {
      await database.withTenant(organizationId, (db) =>
        publish(db, {
          organizationId,
          type: 'CLUSTER_PROVISIONING_UPDATE',
          data: {
            clusterId: 1,
            status: 'COMPLETED',
            error: null,
            workflowId: 'w',
            runId: 'r',
            stepName: null,
            progress: 100,
          },
        }),
      )
      await socket.frame('CLUSTER_PROVISIONING_UPDATE')
    }
    return { clusters: [], total: built }
  })
  await changed(organizationId)
  await socket.frame('CLUSTERS_UPDATE')
  expect(socket.events('CLUSTERS_UPDATE').map(({ data }) => data)).toMatchObject([{ total: 2 }])
})

test('data that cannot be built becomes a REFETCH', async () => {
  const { live, url } = await liveServer(database)
  live.expand('CLUSTERS_UPDATE', () => Promise.reject(new Error('no')))
  const user = await given.user()
  const socket = await connect(url, user)
  await changed(user.organizationId)
  expect(await socket.frame('REFETCH')).toMatchObject({
    payload: { reason: 'An event could not be delivered' },
  })
  await flushed(socket)
  expect(socket.events('CLUSTERS_UPDATE')).toEqual([])
})
