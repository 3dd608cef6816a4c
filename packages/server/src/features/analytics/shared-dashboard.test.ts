import { expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { testApp } from '../../testing/app.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { createAnalyticsService } from './service.ts'
import { sharedForMs, shareDashboard } from './shared-dashboard.ts'

const database = await testDatabase()
const given = createGiven(database)
const app = await testApp()

/** The dashboard as the product reads it, with the organizations whose rows were read, and a clock that stands still. */
function sharedDashboard() {
  const read: number[] = []
  const positions = new Map<number, number>()
  const timers: { callback: () => void; delayMs: number }[] = []
  const service = createAnalyticsService({
    database: {
      readTenant: (organizationId, work) => {
        read.push(organizationId)
        return database.readTenant(organizationId, work)
      },
    },
    figures: () => Promise.reject(new Error('No cluster of these tests runs')),
    attentionOf: () => [],
    databaseHealth: async () => [],
    networkHealth: async () => [],
    alertHealth: async () => [],
    ingressHealth: async () => [],
    attentionList: (items) => ({ items: [...items], total: items.length }) as never,
    clock: realClock,
  })
  const dashboard = shareDashboard({
    read: service.dashboard,
    position: (organizationId) => `test.${positions.get(organizationId) ?? 0}.0`,
    clock: {
      ...realClock,
      setTimeout: (callback, delayMs) => {
        timers.push({ callback, delayMs })
        return () => undefined
      },
    },
  })
  return {
    dashboard,
    read,
    timers,
    hear: (organizationId: number) => positions.set(organizationId, (positions.get(organizationId) ?? 0) + 1),
  }
}

test('twenty readers of one organization cost the queries of one, until an event of the organization is heard', async () => {
  const cluster = await given.cluster({ title: 'first', status: 'PENDING' })
  const { organizationId } = cluster
  const { dashboard, read, hear } = sharedDashboard()
  const replies = await Promise.all(Array.from({ length: 20 }, () => dashboard(organizationId)))
  expect(read).toEqual([organizationId])
  expect(replies.map(({ clusters }) => clusters.total)).toEqual(Array.from({ length: 20 }, () => 1))

  await given.cluster({ title: 'second', status: 'PENDING', organizationId })
  hear(organizationId)
  expect((await dashboard(organizationId)).clusters.total).toBe(2)
  expect(read).toHaveLength(2)
})

test('another organization is read by itself, whatever was read before', async () => {
  const mine = await given.cluster({ title: 'mine', status: 'PENDING' })
  const empty = await given.organization()
  const { dashboard, read } = sharedDashboard()
  expect((await dashboard(mine.organizationId)).clusters.total).toBe(1)
  expect((await dashboard(empty.id)).clusters.total).toBe(0)
  expect(read).toEqual([mine.organizationId, empty.id])
})

test('figures are forgotten after their time, and a failure at once', async () => {
  const { organizationId } = await given.cluster({ title: 'only', status: 'PENDING' })
  const { dashboard, read, timers } = sharedDashboard()
  await dashboard(organizationId)
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([sharedForMs])
  timers[0]?.callback()
  await dashboard(organizationId)
  expect(read).toHaveLength(2)

  let fails = 0
  const failing = shareDashboard({
    read: () => Promise.reject(new Error(`failure ${(fails += 1)}`)),
    position: () => 'test.0.0',
    clock: realClock,
  })
  await expect(failing(organizationId)).rejects.toThrow('failure 1')
  await expect(failing(organizationId)).rejects.toThrow('failure 2')
})

test('every role reads it, and nobody of another organization', async () => {
  const owner = await app.given.user({ role: 'OWNER' })
  const { organizationId } = owner
  const viewer = await app.given.user({ role: 'VIEWER', organizationId })
  const stranger = await app.given.user({ role: 'OWNER' })
  const ask = (token: string) => app.ask('GET', '/api/analytics/dashboard', { token, organizationId })
  expect((await ask(owner.token)).status).toBe(200)
  expect((await ask(viewer.token)).status).toBe(200)
  expect((await ask(stranger.token)).status).toBe(404)
})
