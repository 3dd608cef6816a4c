import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { AppError } from '../../../platform/errors.ts'
import { fakeClock } from '../../../testing/clock.ts'
import { clusterRef, namesIn, pod, podsPath, watchedCluster } from '../testing/watched-cluster.ts'
import { probePath, probePeriodMs } from './probe-cluster.ts'
import type { WatchCache } from './watch-cache.ts'

const freshness = async (cache: WatchCache) => (await cache.read(clusterRef, ['pods'])).freshness(['pods'])
const isLive = async (cache: WatchCache) => (await freshness(cache)).isLive
const answer = (response: ServerResponse, status: number, body: object = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

/** A cluster with one pod whose watch is open, and whose first probe has been answered. */
async function running(options: Parameters<typeof watchedCluster>[0] = {}) {
  const set = await watchedCluster(options)
  set.cluster.put(podsPath, pod('one'))
  expect(await namesIn(set.cache)).toEqual(['one'])
  await expect.poll(() => set.cluster.watches()).toBe(1)
  await expect.poll(() => set.reachability).toEqual([['reachable', null]])
  return set
}

test('a server that hangs is not live within 15 s, with the time of its last answer, and live within 10 s of its return', async () => {
  const { cluster, cache, reachability } = await running()
  const hungAtMs = Date.now()
  cluster.hang()
  await expect.poll(() => isLive(cache), { timeout: 60_000, interval: 100 }).toBe(false)
  expect(reachability.at(-1)).toEqual(['unreachable', 'It does not answer: it took too long.'])
  const { asOf, noAnswerSince } = await freshness(cache)
  expect(Date.parse(noAnswerSince ?? '')).toBeLessThanOrEqual(hungAtMs)
  expect(asOf).toBe(noAnswerSince)
  // What is known is shown, and what is not does not keep anybody waiting.
  expect(await namesIn(cache)).toEqual(['one'])
  const askedAtMs = Date.now()
  await expect(cache.read(clusterRef, ['nodes'])).rejects.toThrow('does not answer: it took too long')
  // A request of its own would be given 15 s.
  expect(Date.now() - askedAtMs).toBeLessThan(10_000)

  cluster.resume()
  cluster.put(podsPath, pod('two'))
  await expect.poll(() => isLive(cache), { timeout: 60_000, interval: 100 }).toBe(true)
  await expect.poll(() => namesIn(cache)).toEqual(['one', 'two'])
  expect(reachability.at(-1)).toEqual(['reachable', null])
  expect((await freshness(cache)).noAnswerSince).toBeNull()
})

test('a database that is away says nothing of a cluster that has not been asked yet', async () => {
  const clock = fakeClock()
  const { cache, state, reachability } = await watchedCluster({ clock })
  state.refusal = new AppError('unavailable', 'The database does not answer at the moment.')
  const unread = cache.read(clusterRef, ['pods'], 60_000).catch((error: AppError) => error.message)
  const refused = () => {
    clock.advance(2_000)
    return state.refused
  }
  await expect.poll(refused).toBeGreaterThan(6)
  expect(reachability).toEqual([])
  expect(cache.silence(clusterRef.id)).toBeUndefined()
  state.refusal = undefined
  const recorded = () => {
    clock.advance(2_000)
    return reachability
  }
  await expect.poll(recorded).toEqual([['reachable', null]])
  await unread
})

test('what waits for a cluster is given up as soon as the cluster is known not to answer', async () => {
  const { cluster, cache } = await running()
  const work = cache.whileAnswering(clusterRef, () => new Promise(() => undefined))
  const refusal = expect(work).rejects.toThrow(
    new AppError('cluster_unreachable', 'The cluster "prod" does not answer: the connection was refused.'),
  )
  await cluster.stop()
  await refusal
})

test('all that is shown of a cluster is read again when it stops answering and when it answers again', async () => {
  const { cluster, cache, events, follow } = await running()
  follow()
  const ofAll = () => events.filter(({ data }) => (data as { kinds: string[] }).kinds.length === 0)
  await cluster.stop()
  await expect.poll(ofAll, { timeout: 60_000 }).toMatchObject([{ data: { isLive: false } }])
  await cluster.start()
  await expect.poll(ofAll, { timeout: 60_000 }).toHaveLength(2)
  await expect.poll(() => isLive(cache), { timeout: 60_000 }).toBe(true)
})

test.each([
  ['another cluster behind the same address', { uid: 'another', version: 5 }],
  ['an earlier state of the same cluster', { version: 5 }],
])('%s is read anew while its watches are still open and silent, and that is said', async (_what, by) => {
  const clock = fakeClock()
  const { cluster, cache, identities } = await running({ clock })
  cluster.replace(by)
  cluster.put(podsPath, pod('new'))
  const names = () => {
    clock.advance(probePeriodMs)
    return namesIn(cache)
  }
  await expect.poll(names).toEqual(['new'])
  expect(identities).toContainEqual({ uid: 'uid' in by ? by.uid : 'uid-of-kube-system', isReplaced: true })
  expect(identities.filter(({ isReplaced }) => isReplaced)).toHaveLength(1)
  await expect.poll(() => isLive(cache)).toBe(true)
  cluster.put(podsPath, pod('later'))
  await expect.poll(names).toEqual(['new', 'later'])
})

test('a cluster that comes back empty is read anew, although Bey may not read its namespaces', async () => {
  const { cluster, cache, identities } = await running({ silenceMs: 200 })
  cluster.answer = (request, response) => {
    if (request.url !== probePath) return false
    answer(response, 403)
    return true
  }
  cluster.replace({ version: 5 })
  // The watch is silent, and its version is compared.
  await expect.poll(() => namesIn(cache), { timeout: 60_000 }).toEqual([])
  expect(identities.at(-1)).toMatchObject({ isReplaced: true })
})

test('a watch that is silent for too long begins again where it was, and stays live', async () => {
  const { cluster, cache } = await running({ silenceMs: 100 })
  await expect.poll(() => cluster.begun.watches.length).toBeGreaterThan(3)
  expect(await isLive(cache)).toBe(true)
  expect(cluster.begun.lists).toEqual([podsPath])
  cluster.put(podsPath, pod('two'))
  await expect.poll(() => namesIn(cache)).toEqual(['one', 'two'])
})

test.each([
  ['an event', (response: ServerResponse) => answer(response, 200, { type: 'ERROR', object: { code: 504 } })],
  ['a time-out', (response: ServerResponse) => answer(response, 504, { reason: 'Timeout' })],
])('"Too large resource version" as %s is followed by a new list', async (_how, refuse) => {
  const { cluster, cache } = await running()
  cluster.answer = (request, response) => {
    if (!request.url?.includes('watch=1')) return false
    refuse(response)
    cluster.answer = () => false
    return true
  }
  cluster.cut('')
  await expect.poll(() => cluster.begun.lists, { timeout: 60_000 }).toEqual([podsPath, podsPath])
  await expect.poll(() => isLive(cache)).toBe(true)
})

test('a kind that may not be read stays so over an outage, and never becomes an empty list', async () => {
  const { cluster, cache, reachability } = await watchedCluster()
  cluster.put('/api/v1/nodes', { metadata: { name: 'n1' } })
  cluster.answer = (request, response) => {
    if (!request.url?.startsWith(podsPath)) return false
    answer(response, 403)
    return true
  }
  const pods = () =>
    cache.read(clusterRef, ['pods']).then(
      () => 'read',
      (error: AppError) => error.code,
    )
  const seen = new Set<string>()
  const look = async () => void seen.add(await pods())
  await look()
  await cluster.stop()
  await expect
    .poll(() => look().then(() => reachability.at(-1)?.[0]), { timeout: 60_000 })
    .toBe('unreachable')
  await look()
  await cluster.start()
  await expect.poll(() => look().then(() => reachability.at(-1)?.[0]), { timeout: 60_000 }).toBe('reachable')
  await look()
  expect([...seen]).toEqual(['cluster_forbidden'])
  expect((await cache.read(clusterRef, ['nodes', 'pods'])).failures(['pods'])).toMatchObject([
    { isRefused: true },
  ])
})

test('objects of a kind that may not be read any more are not shown', async () => {
  const { cluster, cache } = await running()
  cluster.answer = (request, response) => {
    if (!request.url?.startsWith(podsPath)) return false
    answer(response, 403)
    return true
  }
  cluster.cut('')
  await expect.poll(() => namesIn(cache).catch((error: AppError) => error.code)).toBe('cluster_forbidden')
})

test('a custom kind that was deleted is not there, which is no empty list, and is live once it is made again', async () => {
  const path = '/apis/example.org/v1/widgets'
  const widgets = { name: 'widgets.example.org', path, isNamespaced: true }
  const { cluster, cache } = await watchedCluster()
  cluster.put(path, { metadata: { name: 'one', namespace: 'a' } })
  const rows = () =>
    cache.readRows(clusterRef, widgets).then(
      ({ table, isLive }) => ({ isLive, names: [...table.values()].map(({ name }) => name) }),
      (error: AppError) => error.code,
    )
  expect(await rows()).toMatchObject({ names: ['one'] })
  await expect.poll(() => cluster.watches()).toBe(1)
  cluster.serve(path, false)
  await expect.poll(rows, { timeout: 60_000 }).toBe('not_found')
  expect(cache.kept(clusterRef.id)).toMatchObject([{ isLive: false, failure: { isRefused: false } }])
  cluster.serve(path, true)
  cluster.put(path, { metadata: { name: 'again', namespace: 'a' } })
  await expect.poll(rows, { timeout: 60_000 }).toEqual({ isLive: true, names: ['again'] })
})

test('a kind whose namespaces are watched one by one is no empty list while one of them has not been read', async () => {
  const { cluster, cache } = await watchedCluster()
  cluster.connection.namespaces = ['a', 'b']
  cluster.answer = (request, response) => {
    const path = request.url ?? ''
    if (path.startsWith('/api/v1/pods')) answer(response, 403)
    else if (path.startsWith('/api/v1/namespaces/b/pods')) answer(response, 500)
    else return false
    return true
  }
  await expect(cache.read(clusterRef, ['pods'], 1_000)).rejects.toMatchObject({ code: 'cluster_unreachable' })
})
