import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { createClusterAgents } from '../../connection/cluster-agents.ts'
import { fakeCluster } from '../../testing/fake-cluster.ts'
import { pod, podsPath } from '../../testing/watched-cluster.ts'
import { createKubeClient, KubeError, watchPath, type WatchHandlers } from '../kube-client.ts'
import { createWatchHub } from './watch-hub.ts'

const cluster = await fakeCluster()
const agents = createClusterAgents()
const hub = createWatchHub(createKubeClient(agents))
const leaving: AbortController[] = []
afterEach(async () => {
  for (const each of leaving.splice(0)) each.abort()
  await vi.waitFor(() => expect(cluster.watches()).toBe(0))
  expect(hub.size()).toBe(0)
  cluster.begun.watches.length = 0
})
afterAll(async () => {
  agents.close()
  await cluster.stop()
})

/** Reads pods from a version on; `events` are their names with the version of each. */
function read(version: number, accept = 'application/json') {
  const left = new AbortController()
  leaving.push(left)
  const events: string[] = []
  const opened = Promise.withResolvers<void>()
  const ended = hub.watch(
    { clusterId: 7, connection: cluster.connection, path: watchPath(podsPath, String(version)) },
    left.signal,
    {
      accept,
      open: opened.resolve,
      event: ({ type, object }) => events.push(`${type} ${object.metadata?.name}`),
    },
  )
  ended.catch(() => undefined)
  return { events, opened: opened.promise, ended, leave: () => left.abort() }
}

let version = 100
function put(name: string, type: 'ADDED' | 'DELETED' = 'ADDED'): number {
  cluster.put(podsPath, pod(name), type)
  version += 1
  return version
}
const until = (events: string[], expected: string[]) => vi.waitFor(() => expect(events).toEqual(expected))

test('those that read the same in the same form share one watch, and the last to leave ends it', async () => {
  const one = read(version)
  const other = read(version)
  await Promise.all([one.opened, other.opened])
  put('a')
  await Promise.all([until(one.events, ['ADDED a']), until(other.events, ['ADDED a'])])
  expect(cluster.watches()).toBe(1)
  one.leave()
  await one.ended
  put('b')
  await until(other.events, ['ADDED a', 'ADDED b'])
  const table = read(version, 'application/json;as=Table;v=v1;g=meta.k8s.io')
  await table.opened
  expect(cluster.watches()).toBe(2)
})

test('one that listed after what was watched last is given nothing twice', async () => {
  const one = read(version)
  await one.opened
  const listed = put('c')
  await until(one.events, ['ADDED c'])
  const other = read(listed)
  await other.opened
  put('d')
  await until(other.events, ['ADDED d'])
  expect(cluster.begun.watches).toHaveLength(1)
})

test('one that listed before what was watched last misses nothing, and the others are given nothing twice', async () => {
  const listed = version
  const one = read(listed)
  await one.opened
  put('e')
  await until(one.events, ['ADDED e'])
  const late = read(listed)
  await until(late.events, ['ADDED e'])
  put('f')
  await Promise.all([until(late.events, ['ADDED e', 'ADDED f']), until(one.events, ['ADDED e', 'ADDED f'])])
  await vi.waitFor(() => expect(cluster.watches()).toBe(1))
})

test('a watch that cannot begin so early fails for its reader alone', async () => {
  const one = read(version)
  await one.opened
  put('g')
  await until(one.events, ['ADDED g'])
  cluster.answer = (request, response) => {
    if (!request.url?.includes('resourceVersion=90')) return false
    response.writeHead(410).end('{}')
    return true
  }
  const early = read(90)
  await expect(early.ended).rejects.toEqual(new KubeError(410))
  put('h')
  await until(one.events, ['ADDED g', 'ADDED h'])
  const next = read(version)
  await next.opened
  expect(cluster.watches()).toBe(1)
})

test('what ends the watch ends it for all, and who comes after an expiry gets a new one', async () => {
  const one = read(version)
  const other = read(version)
  await Promise.all([one.opened, other.opened])
  cluster.forget()
  await Promise.all([one.ended, other.ended])
  expect([one.events, other.events]).toEqual([['ERROR undefined'], ['ERROR undefined']])
  const next = read(version)
  await next.opened
  put('i')
  await until(next.events, ['ADDED i'])
})

/** A hub whose watches a test opens and fills itself; `begun` has them by the version from which they began. */
function scriptedHub(versions: string[]) {
  const begun = new Map<string, { on: WatchHandlers; signal: AbortSignal }>()
  const scripted = createWatchHub({
    watch(_connection, path, signal, on) {
      begun.set(path.split('resourceVersion=')[1] ?? '', { on, signal })
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  const left = new AbortController()
  const readers = versions.map((from) => {
    const seen: string[] = []
    const target = { clusterId: 7, connection: cluster.connection, path: watchPath(podsPath, from) }
    const ended = scripted.watch(target, left.signal, {
      accept: 'application/json',
      open: () => seen.push('open'),
      event: ({ type, object }) => seen.push(`${type} ${object.metadata?.resourceVersion}`),
    })
    return { seen, ended }
  })
  return {
    readers,
    begun,
    send(from: string, type: 'ADDED' | 'BOOKMARK', resourceVersion: string) {
      const object = { metadata: { name: 'a', resourceVersion } }
      begun.get(from)?.on.event({ type, object }, JSON.stringify({ type, object }))
    },
    leave: () => left.abort(),
  }
}

test('of several that begin ever earlier, the earliest one takes the readers of all, also of those that are not open yet', async () => {
  const { readers, begun, send, leave } = scriptedHub(['300', '200', '100'])
  begun.get('100')?.on.open()
  for (const version of ['150', '250', '350']) send('100', 'ADDED', version)
  expect(readers.map(({ seen }) => seen)).toEqual([
    ['open', 'ADDED 350'],
    ['open', 'ADDED 250', 'ADDED 350'],
    ['open', 'ADDED 150', 'ADDED 250', 'ADDED 350'],
  ])
  expect([...begun.values()].map(({ signal }) => signal.aborted)).toEqual([true, true, false])
  leave()
  await Promise.all(readers.map(({ ended }) => ended))
  expect(begun.get('100')?.signal.aborted).toBe(true)
})

test('a reader that is ahead of a restored cluster begins again, instead of waiting for the version that it knows', async () => {
  const { readers, begun, send, leave } = scriptedHub(['900', '400'])
  begun.get('400')?.on.open()
  send('400', 'BOOKMARK', '450')
  await readers[0]?.ended
  send('400', 'ADDED', '451')
  expect(readers.map(({ seen }) => seen)).toEqual([['open'], ['open', 'BOOKMARK 450', 'ADDED 451']])
  leave()
})

test('a cluster that is reached in another way is watched anew for whoever comes', async () => {
  const one = read(version)
  await one.opened
  await cluster.stop()
  await one.ended.catch(() => undefined)
  await cluster.start({ isElsewhere: true })
  const next = read(version)
  await next.opened
  expect(cluster.watches()).toBe(1)
})
