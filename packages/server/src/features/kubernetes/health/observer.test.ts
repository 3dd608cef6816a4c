import { healthMoveAfterMs } from '@bey/contract'
import { eq } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { realClock } from '../../../platform/clock.ts'
import { createLog } from '../../../platform/log.ts'
import { publishAll } from '../../../platform/live/publish.ts'
import { clusterConnections } from '../../../tables/cluster-connections.ts'
import { clusterHealth } from '../../../tables/cluster-health.ts'
import { notifications } from '../../../tables/notifications.ts'
import { fakeClock } from '../../../testing/clock.ts'
import { testDatabase } from '../../../testing/database.ts'
import { createGiven } from '../../../testing/given.ts'
import { createNotify } from '../../notifications/rules/notify.ts'
import { healthNotices, moveOfCluster } from '../../notifications/health-notices.ts'
import { createClusterAgents } from '../connection/cluster-agents.ts'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { createKubeClient } from '../watch/kube-client.ts'
import { createWatchCache } from '../watch/watch-cache.ts'
import { createAssessor } from './assessor.ts'
import { startHealthObserver } from './observer.ts'

const database = await testDatabase()
const given = createGiven(database)
const fake = await fakeCluster()
const log = createLog({ level: 'silent' })
const agents = createClusterAgents()
const cleanups: (() => Promise<void> | void)[] = [() => fake.stop(), () => agents.close()]
afterAll(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup()
})

function startObserver(observer: string, clock = fakeClock(new Date())) {
  const cache = createWatchCache({
    client: createKubeClient(agents),
    connect: async () => fake.connection,
    setReachability: async () => undefined,
    live: { local: () => undefined, objectChanged: () => undefined, onSubscription: () => undefined },
    clock: realClock,
    log,
  })
  const noticeHealth = healthNotices(createNotify({ publish: publishAll, clock }))
  const started = startHealthObserver({
    database,
    cache,
    assessor: createAssessor(clock),
    observer,
    onLook: () => undefined,
    publishChange: (db, organizationId) => publishAll(db, [{ organizationId, type: 'CLUSTERS_UPDATE' }]),
    onMove: (db, move) => noticeHealth(db, moveOfCluster(move)),
    attend: () => ({ stop: () => undefined }),
    clock,
    log,
  })
  cleanups.push(async () => {
    await started.stop()
    cache.stop()
  })
  return { clock, started }
}

async function runningCluster() {
  const owner = await given.user()
  const { organizationId } = owner
  const cluster = await given.cluster({ organizationId, status: 'RUNNING', title: 'prod' })
  await database.withTenant(organizationId, async (db) => {
    const { url, caPem } = fake.connection
    await db.insert(clusterConnections).values({ clusterId: cluster.id, organizationId, url, caPem })
  })
  return { owner, cluster }
}

const stored = async (clusterId: number) => {
  const rows = await database.asSystem('test', (db) =>
    db.select().from(clusterHealth).where(eq(clusterHealth.clusterId, clusterId)),
  )
  return rows[0]
}
const notificationsOf = async (organizationId: number) => {
  const rows = await database.asSystem('test', (db) =>
    db
      .select({ title: notifications.title, level: notifications.level, userId: notifications.userId })
      .from(notifications)
      .where(eq(notifications.organizationId, organizationId))
      .orderBy(notifications.at, notifications.id),
  )
  return rows.map(({ title, level }) => `${level}: ${title}`)
}

const pod = (reason?: string) => ({
  metadata: { name: 'web-1', namespace: 'shop', uid: 'p', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { nodeName: 'n1' },
  status: {
    phase: 'Running',
    startTime: '2026-01-01T00:00:00Z',
    containerStatuses: [
      reason
        ? { name: 'web', ready: false, restartCount: 3, state: { waiting: { reason } } }
        : {
            name: 'web',
            ready: true,
            restartCount: 3,
            state: { running: { startedAt: '2026-01-01T00:00:00Z' } },
          },
    ],
  },
})
fake.put('/api/v1/nodes', {
  metadata: { name: 'n1' },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
} as never)

test('a cluster that nobody looks at is observed, and members are notified once when it fails and when it recovers', async () => {
  const { owner, cluster } = await runningCluster()
  await given.user({ organizationId: owner.organizationId, role: 'VIEWER' })
  fake.put('/api/v1/pods', pod())
  const { clock } = startObserver('one')
  /** Time passes in short steps, as the observer waits for both the cluster and its own timers. */
  const until = (check: () => Promise<unknown>, expected: unknown) =>
    expect
      .poll(
        () => {
          clock.advance(500)
          return check()
        },
        { timeout: 60_000, interval: 20 },
      )
      .toEqual(expected)
  const state = async () => (await stored(cluster.id))?.state

  await until(state, 'healthy')
  fake.put('/api/v1/pods', pod('CrashLoopBackOff'), 'MODIFIED')
  await until(state, 'failing')
  expect(await stored(cluster.id)).toMatchObject({
    reason: 'CrashLoopBackOff',
    detail: '1 workload failing',
    object: { kind: 'Pod', namespace: 'shop', name: 'web-1' },
  })
  await until(
    () => notificationsOf(owner.organizationId),
    ['error: prod is failing', 'error: prod is failing'],
  )

  // Shorter than what is worth telling.
  fake.put('/api/v1/pods', pod(), 'MODIFIED')
  await until(state, 'healthy')
  fake.put('/api/v1/pods', pod('CrashLoopBackOff'), 'MODIFIED')
  await until(state, 'failing')
  clock.advance(healthMoveAfterMs + 1_000)
  expect(await notificationsOf(owner.organizationId)).toHaveLength(2)

  fake.put('/api/v1/pods', pod(), 'MODIFIED')
  await until(state, 'healthy')
  await until(
    () => notificationsOf(owner.organizationId),
    [
      'error: prod is failing',
      'error: prod is failing',
      'success: prod has recovered',
      'success: prod has recovered',
    ],
  )
})

test('one process observes a cluster, and another takes over when it stops', async () => {
  const { cluster } = await runningCluster()
  const first = startObserver('first', realClock as never)
  await expect.poll(async () => (await stored(cluster.id))?.observer).toBe('first')
  const second = startObserver('second')
  const observer = async () => {
    second.clock.advance(10_000)
    return (await stored(cluster.id))?.observer
  }
  expect(await observer()).toBe('first')
  await first.started.stop()
  await expect.poll(observer).toBe('second')
})
