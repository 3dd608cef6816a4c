import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { publish } from './publish.ts'
import { connect, liveServer } from './testing/live-server.ts'

const database = await testDatabase()
const given = createGiven(database)

const notify = (organizationId: number, ...userIds: number[]) =>
  database.withTenant(organizationId, async (db) => {
    for (const userId of userIds) {
      await publish(db, { organizationId, type: 'NOTIFICATIONS_UPDATE', data: { userId } })
    }
    await publish(db, { organizationId, type: 'SECRETS_UPDATE', data: { secretId: 's1' } })
  })

test('what screens show is read once for all sockets, and events keep their order', async () => {
  const { live, url } = await liveServer(database)
  const reads: number[] = []
  live.enrich('NOTIFICATIONS_UPDATE', async (_, events) => {
    reads.push(events.length)
    return events.map((_event, index) => ({ unreadCount: index + 1 }))
  })
  const user = await given.user()
  const sockets = [await connect(url, user), await connect(url, user)]
  await notify(user.organizationId, user.id, user.id, user.id)
  for (const socket of sockets) {
    await socket.frame('SECRETS_UPDATE')
    const data = socket.events('NOTIFICATIONS_UPDATE').map((event) => event.data)
    expect(data).toHaveLength(3)
    for (const each of data) expect(each).toMatchObject({ userId: user.id, unreadCount: expect.any(Number) })
    expect(socket.frames.map(({ type }) => type).slice(-4)).toEqual([
      'NOTIFICATIONS_UPDATE',
      'NOTIFICATIONS_UPDATE',
      'NOTIFICATIONS_UPDATE',
      'SECRETS_UPDATE',
    ])
  }
  expect(reads.reduce((sum, each) => sum + each, 0)).toBe(3)
})

test('nothing is read for who is not there', async () => {
  const { live, url } = await liveServer(database)
  let reads = 0
  live.enrich('NOTIFICATIONS_UPDATE', async () => {
    reads += 1
    return [{}]
  })
  const user = await given.user()
  const socket = await connect(url, user)
  await notify(user.organizationId, user.id + 1_000)
  await socket.frame('SECRETS_UPDATE')
  expect(reads).toBe(0)
})

test('an event whose rows cannot be read is delivered without them', async () => {
  const { live, url } = await liveServer(database)
  live.enrich('NOTIFICATIONS_UPDATE', () => Promise.reject(new Error('no')))
  const user = await given.user()
  const socket = await connect(url, user)
  await notify(user.organizationId, user.id)
  await socket.frame('NOTIFICATIONS_UPDATE')
  expect(socket.events('NOTIFICATIONS_UPDATE').map(({ data }) => data)).toEqual([{ userId: user.id }])
  await socket.frame('SECRETS_UPDATE')
})
