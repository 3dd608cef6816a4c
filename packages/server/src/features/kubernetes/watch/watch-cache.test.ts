import { expect, test } from 'vitest'
import { realClock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { fakeClock } from '../../../testing/clock.ts'
import { healthKinds } from '../health/health-kinds.ts'
import { clusterRef, namesIn as names, pod, podsPath, watchedCluster } from '../testing/watched-cluster.ts'
import { kinds } from './kinds.ts'
import { idleMs } from './watch-cache.ts'
import { soonMs } from '../../../testing/soon.ts'

const setUp = (clock = realClock) => watchedCluster({ clock })

test('many readers share one list and one watch, and see changes without asking the cluster again', async () => {
  const { cluster, cache, reachability } = await setUp()
  cluster.put(podsPath, pod('one'))
  await Promise.all(Array.from({ length: 20 }, () => cache.read(clusterRef, ['pods'])))
  await expect.poll(() => cluster.watches()).toBe(1)
  cluster.put(podsPath, pod('two'))
  await expect.poll(() => names(cache)).toEqual(['one', 'two'])
  cluster.put(podsPath, pod('one'), 'DELETED')
  await expect.poll(() => names(cache)).toEqual(['two'])
  expect(cluster.begun).toEqual({ lists: [podsPath], watches: [podsPath] })
  expect(reachability).toEqual([['reachable', null]])
  const { isLive, asOf } = (await cache.read(clusterRef, ['pods'])).freshness(['pods'])
  expect(isLive).toBe(true)
  expect(Date.now() - Date.parse(asOf)).toBeLessThan(soonMs)
})

test('a resource that is kept as a kind and as rows is watched once, and both hear of its changes', async () => {
  const { cluster, cache } = await setUp()
  const deployment = (name: string) => ({ metadata: { name, namespace: 'a', uid: name } })
  const { path } = kinds.deployments
  const resource = { name: 'deployments.apps', path, isNamespaced: true }
  cluster.put(path, deployment('one'))
  await cache.read(clusterRef, ['deployments', 'pods'])
  const { table } = await cache.readRows(clusterRef, resource)
  await expect.poll(() => cluster.begun.watches.filter((each) => each === path)).toHaveLength(2)
  await expect.poll(() => cluster.watches()).toBe(2)
  cluster.put(path, deployment('two'))
  const kept = async () => (await cache.read(clusterRef, ['deployments'])).table('deployments').size()
  await expect.poll(kept).toBe(2)
  expect([...table.values()].map(({ name }) => name)).toEqual(['one', 'two'])
  // Who reads both from the start costs one list.
  const both = { id: 8, organizationId: 1, title: 'other' }
  cluster.begun.lists.length = 0
  await Promise.all([cache.read(both, ['deployments']), cache.readRows(both, resource)])
  expect(cluster.begun.lists).toEqual([path])
})

test('a list of many pages is whole', async () => {
  const { cluster, cache } = await setUp()
  for (let index = 0; index < 1201; index++) cluster.put(podsPath, pod(`pod-${index}`))
  expect(await names(cache)).toHaveLength(1201)
  expect(cluster.begun.lists).toHaveLength(3)
})

test('a watch that expired is followed by a new list', async () => {
  const { cluster, cache } = await setUp()
  cluster.put(podsPath, pod('one'))
  await cache.read(clusterRef, ['pods'])
  await expect.poll(() => cluster.watches()).toBe(1)
  cluster.forget()
  await expect.poll(() => cluster.begun.lists, { timeout: 60_000 }).toHaveLength(2)
})

test('a lost cluster keeps its rows, marked with their age, and is caught up with when it is back', async () => {
  const { cluster, cache, reachability } = await setUp()
  cluster.put(podsPath, pod('one'))
  await cache.read(clusterRef, ['pods'])
  await expect.poll(() => cluster.watches()).toBe(1)
  await cluster.stop()
  const isLive = async () => (await cache.read(clusterRef, ['pods'])).freshness(['pods']).isLive
  await expect.poll(isLive).toBe(false)
  expect(await names(cache)).toEqual(['one'])
  await expect.poll(() => reachability.at(-1)?.[0], { timeout: 60_000 }).toBe('unreachable')
  expect(reachability.at(-1)?.[1]).toMatch(/^It does not answer: the connection was (refused|lost)\.$/)
  await cluster.start()
  cluster.put(podsPath, pod('two'))
  await expect.poll(isLive, { timeout: 60_000 }).toBe(true)
  expect(reachability.at(-1)).toEqual(['reachable', null])
})

test('a cluster that never answered is an error with the reason, soon', async () => {
  const { cluster, cache } = await setUp()
  await cluster.stop()
  await expect(cache.read(clusterRef, ['pods'])).rejects.toThrow(
    new AppError('cluster_unreachable', 'The cluster "prod" does not answer: the connection was refused.'),
  )
  await cluster.start()
  cluster.put(podsPath, pod('one'))
  await expect.poll(() => names(cache).catch(() => 'down')).toEqual(['one'])
})

test('a cluster that hangs is given up after the time-out', async () => {
  const { cluster, cache } = await setUp()
  cluster.answer = () => true
  await expect(cache.read(clusterRef, ['pods'], 200)).rejects.toThrow('it took too long')
})

test('a cluster that answers with a web page, with nonsense or with no list says which, and is read once it does better', async () => {
  const { cluster, cache } = await setUp()
  const answers = [
    ['<!DOCTYPE html><title>Log in</title>', 'it answered with a web page instead of Kubernetes objects'],
    ['{"kind":"PodList","items":[', 'its answer is no JSON'],
    ['[1,2]', 'its answer is no list of Kubernetes objects'],
  ] as const
  for (const [body, reason] of answers) {
    cluster.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(body)
      return true
    }
    cache.forget(clusterRef.id)
    await expect(cache.read(clusterRef, ['pods'])).rejects.toThrow(reason)
  }
  cluster.answer = () => false
  cluster.put(podsPath, pod('one'))
  await expect.poll(() => names(cache).catch(() => 'down')).toEqual(['one'])
})

test.each([
  ['text/html', '<!DOCTYPE html><title>Log in</title>', 'it answered with a web page'],
  ['application/json', '{"kind":"Nonsense","items":[null]}', 'its answer is no list of Kubernetes objects'],
])('a watch that is answered with %s is not called live', async (mediaType, body, reason) => {
  const { cluster, cache, reachability } = await setUp()
  cluster.put(podsPath, pod('one'))
  await names(cache)
  await expect.poll(() => cluster.watches()).toBe(1)
  cluster.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': mediaType }).end(body)
    return true
  }
  cluster.cut('')
  const isLive = async () => (await cache.read(clusterRef, ['pods'])).freshness(['pods']).isLive
  await expect.poll(() => reachability.at(-1)?.[0], { timeout: 60_000 }).toBe('unreachable')
  expect(reachability.at(-1)?.[1]).toContain(reason)
  expect(await isLive()).toBe(false)
  expect(await names(cache)).toEqual(['one'])
})

test('an object of 10 MB is listed and watched like others, and one that is too large does not end its kind', async () => {
  const { cluster, cache } = await setUp()
  const large = (name: string, bytes: number) => ({
    ...pod(name),
    metadata: { ...pod(name).metadata, annotations: { blob: 'x'.repeat(bytes) } },
  })
  cluster.put(podsPath, large('listed', 10_000_000))
  expect(await names(cache)).toEqual(['listed'])
  await expect.poll(() => cluster.watches()).toBe(1)
  cluster.put(podsPath, large('watched', 10_000_000))
  await expect.poll(() => names(cache), { timeout: 60_000 }).toEqual(['listed', 'watched'])
  // More than a watch takes: the list that follows has it.
  cluster.put(podsPath, large('huge', 18_000_000))
  await expect.poll(() => names(cache), { timeout: 60_000 }).toContain('huge')
})

test('a cluster that vanishes in the midst of an event keeps what it said before', async () => {
  const { cluster, cache } = await setUp()
  cluster.put(podsPath, pod('one'))
  await names(cache)
  await expect.poll(() => cluster.watches()).toBe(1)
  cluster.cut('{"type":"ADDED","object":{"metadata":{"na')
  await cluster.stop()
  expect(await names(cache)).toEqual(['one'])
  await cluster.start()
  await expect.poll(() => cluster.begun.watches, { timeout: 60_000 }).toHaveLength(2)
  cluster.put(podsPath, pod('two'))
  await expect.poll(() => names(cache)).toEqual(['one', 'two'])
})

test('a kind that the cluster does not serve holds up nothing that needs others as well', async () => {
  const { cluster, cache } = await setUp()
  cluster.serve(kinds.cronjobs.path, false)
  cluster.put(podsPath, pod('one'))
  const read = await cache.read(clusterRef, ['pods', 'cronjobs'])
  expect(read.table('cronjobs').size()).toBe(0)
  expect(read.failures(['cronjobs', 'pods'])).toEqual([])
})

test('a kind is watched until five minutes after its last reader, a follower keeps it', async () => {
  const clock = fakeClock()
  const { cluster, cache, follow } = await setUp(clock)
  cluster.put(podsPath, pod('one'))
  await cache.read(clusterRef, ['pods'])
  await expect.poll(() => cluster.watches()).toBe(1)
  clock.advance(idleMs - 1000)
  await cache.read(clusterRef, ['pods'])
  clock.advance(idleMs - 1000)
  expect(cluster.watches()).toBe(1)
  const unfollow = follow()
  clock.advance(10 * idleMs)
  expect(cluster.watches()).toBe(1)
  unfollow()
  clock.advance(idleMs + 60_000)
  await expect.poll(() => cluster.watches()).toBe(0)
})

test('who follows hears of changes together, at most every 250 ms, and nothing once they have left', async () => {
  const clock = fakeClock()
  const { cluster, cache, events, follow } = await setUp(clock)
  cluster.put(podsPath, pod('one'))
  const unfollow = follow()
  const cached = await cache.read(clusterRef, ['pods'])
  // What health is derived from, and events.
  await expect.poll(() => cluster.watches()).toBe(healthKinds.length + 1)
  clock.advance(1000)
  events.length = 0

  for (let index = 0; index < 50; index++) cluster.put(podsPath, pod(`burst-${index}`))
  await expect.poll(() => cached.table('pods').size()).toBe(51)
  clock.advance(20)
  expect(events).toEqual([
    {
      organizationId: 1,
      type: 'CLUSTER_RESOURCE_UPDATE',
      // Too many to be named.
      data: { clusterId: 7, kinds: ['pods'], objects: {}, isLive: expect.any(Boolean) },
    },
  ])
  cluster.put(podsPath, pod('next'))
  await expect.poll(() => cached.table('pods').size()).toBe(52)
  clock.advance(200)
  expect(events).toHaveLength(1)
  clock.advance(50)
  expect(events).toHaveLength(2)

  unfollow()
  cluster.put(podsPath, pod('late'))
  await expect.poll(() => cached.table('pods').size()).toBe(53)
  clock.advance(1000)
  expect(events).toHaveLength(2)
})

test('who begins to follow hears of what changed since their page was read', async () => {
  const clock = fakeClock()
  const { cluster, cache, events, follow, followToo } = await setUp(clock)
  const ofPods = () =>
    events.filter(({ data }) => (data as { kinds: string[] }).kinds.includes('pods')).length
  follow()
  const cached = await cache.read(clusterRef, ['pods'])
  await expect.poll(() => cluster.watches()).toBe(healthKinds.length + 1)
  clock.advance(20_000)
  events.length = 0

  cluster.put(podsPath, pod('one'))
  await expect.poll(() => cached.table('pods').size()).toBe(1)
  clock.advance(5_000)
  expect(ofPods()).toBe(1)
  // Their page was read before "one" came, and they were no follower when it was announced.
  followToo()
  clock.advance(1_000)
  expect(ofPods()).toBe(2)

  clock.advance(20_000)
  followToo()
  clock.advance(1_000)
  expect(ofPods()).toBe(2)
})

test('who begins to follow while a cluster is being made hears of it once it runs', async () => {
  const clock = fakeClock()
  const { cluster, cache, events, follow, state } = await setUp(clock)
  state.refusal = new AppError('conflict', 'It is creating.')
  follow()
  await expect.poll(() => state.refused).toBeGreaterThan(0)
  state.refusal = undefined
  cluster.put(podsPath, pod('one'))
  const cached = await cache.read(clusterRef, ['pods'])
  // The kinds that were refused are tried again one after the other, and each is announced once it is listed.
  const areAllWatched = () => {
    clock.advance(100)
    return healthKinds.every((kind) => cluster.begun.watches.includes(kinds[kind].path))
  }
  await expect.poll(areAllWatched).toBe(true)
  clock.advance(1000)
  events.length = 0
  cluster.put(podsPath, pod('two'))
  await expect.poll(() => cached.table('pods').size()).toBe(2)
  clock.advance(20)
  expect(events).toMatchObject([{ data: { kinds: ['pods'] } }])
})

test('a cluster that is forgotten is no longer watched', async () => {
  const { cluster, cache } = await setUp()
  cluster.put(podsPath, pod('one'))
  await cache.read(clusterRef, ['pods'])
  await expect.poll(() => cluster.watches()).toBe(1)
  cache.forget(7)
  await expect.poll(() => cluster.watches()).toBe(0)
})
