import { randomBytes } from 'node:crypto'

import { afterAll, expect, onTestFinished, test, vi } from 'vitest'

import { realClock } from '../../../../platform/clock.ts'
import { fingerprintOf } from '../../../../platform/crypto/root-key.ts'
import { AppError } from '../../../../platform/errors.ts'
import { createLog } from '../../../../platform/log.ts'
import { openPeers } from '../../../../platform/peers/peers.ts'
import { testDatabase } from '../../../../testing/database.ts'
import { createGiven } from '../../../../testing/given.ts'
import { createClusterAgents } from '../../connection/cluster-agents.ts'
import type { ClusterConnection } from '../../connection/ports.ts'
import { fakeCluster } from '../../testing/fake-cluster.ts'
import { pod, podsPath } from '../../testing/watched-cluster.ts'
import { createKubeClient, KubeError, watchPath } from '../kube-client.ts'
import { shareWatches } from './share-watches.ts'

const patience = { timeout: 30_000, interval: 50 }
const database = await testDatabase()
const given = createGiven(database)
const key = randomBytes(32)
const log = createLog({ level: 'silent' })
const cluster = await fakeCluster()
const agents = createClusterAgents()
afterAll(async () => {
  agents.close()
  await cluster.stop()
})

/** A process that shares its watches. `connect` is how it reaches the cluster. */
async function sharing(connect: () => Promise<ClusterConnection> = async () => cluster.connection) {
  const peers = await openPeers({
    database,
    rootKey: { key, fingerprint: fingerprintOf(key) },
    address: { host: '127.0.0.1', port: 0 },
    clock: realClock,
    log,
  })
  const shared = shareWatches({
    client: createKubeClient(agents),
    connect,
    peers,
    database,
    clock: realClock,
    log,
  })
  onTestFinished(async () => {
    shared.stop()
    await peers.stop()
  })
  return { ...shared, id: peers.id, connected: peers.connected }
}
type Sharing = Awaited<ReturnType<typeof sharing>>

/** Two processes that know each other, and a cluster that the first one observes. */
async function ownerAndFollower(connectOfOwner?: () => Promise<ClusterConnection>) {
  const [owner, follower] = [await sharing(connectOfOwner), await sharing()]
  await vi.waitFor(() => expect([...follower.connected()]).toEqual([owner.id]), patience)
  await vi.waitFor(() => expect([...owner.connected()]).toEqual([follower.id]), patience)
  const user = await given.user()
  const { id } = await given.cluster({ organizationId: user.organizationId, status: 'RUNNING' })
  await observe(id, user.organizationId, owner.id)
  return { owner, follower, ref: { id, organizationId: user.organizationId } }
}

const observe = (clusterId: number, organizationId: number, observer: string) =>
  database.ownerPool.query(
    `insert into cluster_health (cluster_id, organization_id, observer, lease_until)
     values ($1, $2, $3, now() + interval '1 hour')
     on conflict (cluster_id) do update set observer = excluded.observer`,
    [clusterId, organizationId, observer],
  )

/** Watches pods in a process, and again after each end as a reflector does. */
function read(process: Sharing, ref: { id: number; organizationId: number }, version: number) {
  const left = new AbortController()
  onTestFinished(() => left.abort())
  const names: string[] = []
  const attempts: Promise<void>[] = []
  let from = String(version)
  const opened = Promise.withResolvers<void>()
  const over = (async () => {
    while (!left.signal.aborted) {
      const attempt = process
        .clientOf(ref)
        .watch(cluster.connection, watchPath(podsPath, from), left.signal, {
          accept: 'application/json',
          open: opened.resolve,
          event({ object }) {
            names.push(object.metadata?.name ?? '')
            from = object.metadata?.resourceVersion ?? from
          },
        })
      attempts.push(attempt)
      await attempt
    }
  })()
  over.catch(() => undefined)
  return { names, attempts, opened: opened.promise, over, leave: () => left.abort() }
}

let version = 100
function put(name: string): void {
  cluster.put(podsPath, pod(name))
  version += 1
}
const noWatches = () => vi.waitFor(() => expect(cluster.watches()).toBe(0), patience)

test('what one process watches the other one reads from it, until neither reads any more', async () => {
  const { owner, follower, ref } = await ownerAndFollower()
  const there = read(follower, ref, version)
  await there.opened
  const here = read(owner, ref, version)
  await here.opened
  put('a')
  await vi.waitFor(() => expect([here.names, there.names]).toEqual([['a'], ['a']]), patience)
  expect(cluster.watches()).toBe(1)
  expect(follower.figures()).toMatchObject({ fromClusters: 0, fromPeers: 1, toPeers: 0, connectedPeers: 1 })
  expect(owner.figures()).toMatchObject({ fromClusters: 1, fromPeers: 0, toPeers: 1 })
  here.leave()
  put('b')
  await vi.waitFor(() => expect(there.names).toEqual(['a', 'b']), patience)
  there.leave()
  await noWatches()
  await vi.waitFor(() => expect(owner.figures()).toMatchObject({ fromClusters: 0, toPeers: 0 }), patience)
})

test('a new owner is followed from the version that was reached, and nothing is missed or read twice', async () => {
  const { owner, follower, ref } = await ownerAndFollower()
  const there = read(follower, ref, version)
  const here = read(owner, ref, version)
  await Promise.all([there.opened, here.opened])
  put('c')
  await vi.waitFor(() => expect([here.names, there.names]).toEqual([['c'], ['c']]), patience)
  await observe(ref.id, ref.organizationId, follower.id)
  await vi.waitFor(() => expect(owner.figures()).toMatchObject({ fromPeers: 1, fromClusters: 0 }), patience)
  put('d')
  await vi.waitFor(
    () =>
      expect([here.names, there.names]).toEqual([
        ['c', 'd'],
        ['c', 'd'],
      ]),
    patience,
  )
  expect(follower.figures()).toMatchObject({ fromClusters: 1, fromPeers: 0, toPeers: 1 })
  expect(cluster.watches()).toBe(1)
  here.leave()
  there.leave()
  await noWatches()
})

test('what its owner does not reach, a process watches for itself', async () => {
  const unreachable = async () => {
    throw new AppError('cluster_unreachable', 'The owner does not reach it.')
  }
  const { owner, follower, ref } = await ownerAndFollower(unreachable)
  const there = read(follower, ref, version)
  await there.opened
  put('e')
  await vi.waitFor(() => expect(there.names).toEqual(['e']), patience)
  expect(there.attempts).toHaveLength(2)
  expect(follower.figures()).toMatchObject({ fromClusters: 1, fromPeers: 0 })
  expect(owner.figures()).toMatchObject({ fromClusters: 0, toPeers: 0 })
  there.leave()
  await noWatches()
})

test('a version that the cluster has forgotten is refused to the follower as to the owner', async () => {
  const { follower, ref } = await ownerAndFollower()
  onTestFinished(() => void (cluster.answer = () => false))
  cluster.answer = (request, response) => {
    if (!request.url?.includes('watch=1')) return false
    response.writeHead(410).end('{}')
    return true
  }
  await expect(read(follower, ref, 1).over).rejects.toEqual(new KubeError(410))
})
