import { expect, test } from 'vitest'
import { fakeClock } from '../../../testing/clock.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import { KubeError } from '../watch/kube-client.ts'
import { claimUsage } from './claim-usage.ts'
import { claimsInSummary } from './stats-summary.ts'
import { createVolumeUsage } from './volume-usage.ts'

const cluster = { id: 7, organizationId: 1, title: 'prod' }

type Pod = { namespace: string; claims: string[]; node: string | null; isTerminal: boolean }
const pod = (claim: string, node: string | null): Pod => ({
  namespace: 'shop',
  claims: [claim],
  node,
  isTerminal: false,
})
const summary = (claim: string, usedBytes: number) => ({
  pods: [{ volume: [{ pvcRef: { namespace: 'shop', name: claim }, usedBytes, capacityBytes: 100 }] }],
})

function source(pods: Pod[], answer: (node: string) => unknown) {
  const clock = fakeClock()
  const asked: string[] = []
  let running = 0
  let mostAtOnce = 0
  const volumes = createVolumeUsage({
    client: {
      async get(_connection, path) {
        const node = path.split('/')[4] ?? ''
        asked.push(node)
        running += 1
        mostAtOnce = Math.max(mostAtOnce, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
        return answer(node)
      },
    },
    connect: async () => ({}) as never,
    clock,
  })
  // Of the cache nothing is read but its pods.
  const cached = { holds: () => true, table: () => ({ values: () => pods }) } as unknown as ClusterCache
  const read = () => volumes.read(cluster, cached)
  return { clock, volumes, asked, read, mostAtOnce: () => mostAtOnce }
}

test('only nodes that mount a claim are asked, eight at once, and once a minute however many read', async () => {
  const pods = Array.from({ length: 20 }, (_, index) => pod(`c${index}`, `n${index}`))
  pods.push(pod('waiting', null), { ...pod('ended', 'n99'), isTerminal: true })
  const { clock, asked, read, mostAtOnce } = source(pods, (node) => summary(node.replace('n', 'c'), 50))
  const [found] = await Promise.all([read(), read(), read()])
  expect(asked.toSorted()).toEqual(Array.from({ length: 20 }, (_, index) => `n${index}`).toSorted())
  expect(mostAtOnce()).toBe(8)
  expect(claimUsage(found, 'shop/c3').measured).toMatchObject({
    usedBytes: 50,
    capacityBytes: 100,
    inodes: null,
  })
  clock.advance(59_000)
  await read()
  expect(asked).toHaveLength(20)
  clock.advance(2_000)
  await read()
  expect(asked).toHaveLength(40)
})

test('a claim that was mounted since is measured before the minute is over', async () => {
  const pods = [pod('data', 'n1')]
  const { clock, asked, read } = source(pods, () => summary('data', 10))
  await read()
  pods.push(pod('more', 'n2'))
  await read()
  expect(asked).toEqual(['n1'])
  clock.advance(6_000)
  await read()
  expect(asked.toSorted()).toEqual(['n1', 'n1', 'n2'])
})

test('a claim whose node does not know it yet is asked for again within seconds, for a minute', async () => {
  let isKnown = false
  const pods = [pod('data', 'n1')]
  const { clock, asked, read } = source(pods, () => (isKnown ? summary('data', 10) : { pods: [] }))
  expect(claimUsage(await read(), 'shop/data').measured).toBeNull()
  clock.advance(6_000)
  isKnown = true
  expect(claimUsage(await read(), 'shop/data').measured).toMatchObject({ usedBytes: 10 })
  // Measured now: the next time is a minute later.
  clock.advance(30_000)
  await read()
  expect(asked).toHaveLength(2)
})

test('a claim that no node ever measures, such as a raw device, is asked for once a minute after the first', async () => {
  const { clock, asked, read } = source([pod('raw', 'n1')], () => ({ pods: [] }))
  for (let seconds = 0; seconds < 600; seconds += 5) {
    await read()
    clock.advance(5_000)
  }
  expect(asked.length).toBeGreaterThan(12)
  expect(asked.length).toBeLessThanOrEqual(13 + 10)
})

test('a refusal ends the round, is not repeated for minutes, and names the right that is missing', async () => {
  const pods = Array.from({ length: 50 }, (_, index) => pod(`c${index}`, `n${index}`))
  const { clock, asked, read } = source(pods, () => Promise.reject(new KubeError(403)))
  const found = await read()
  expect(asked.length).toBeLessThanOrEqual(8)
  expect(claimUsage(found, 'shop/c1')).toEqual({
    measured: null,
    unknownReason: expect.stringContaining('may not ask nodes for their statistics (get nodes/proxy)'),
  })
  const before = asked.length
  clock.advance(4 * 60_000)
  await read()
  expect(asked).toHaveLength(before)
})

test('what a silent node measured before stays with its time, and the reason is said where nothing is known', async () => {
  let isSilent = false
  const pods = [pod('data', 'n1'), pod('fresh', 'n2')]
  const { clock, read } = source(pods, (node) => {
    if (isSilent || node === 'n2') throw new KubeError(503)
    return summary('data', 95)
  })
  const first = await read()
  expect(claimUsage(first, 'shop/fresh').unknownReason).toBe(
    'The node n2 gives no figures: the cluster could not reach its kubelet (status 503).',
  )
  isSilent = true
  clock.advance(61_000)
  const later = await read()
  expect(claimUsage(later, 'shop/data').measured?.at).toBe('2026-01-01T00:00:00.000Z')
  expect(later?.volumes.get('shop/data')?.nearlyFullSinceMs).toBe(Date.parse('2026-01-01T00:00:00.000Z'))
  expect(claimUsage(later, 'shop/nobody').unknownReason).toContain('No running pod mounts it')
})

test.each([
  ['nothing', null],
  ['a web page', '<html>'],
  ['pods that are no list', { pods: 'none' }],
  ['volumes without a claim', { pods: [{ volume: [{ usedBytes: 1, capacityBytes: 2 }] }, null, {}] }],
  ['a raw device', { pods: [{ volume: [{ pvcRef: { namespace: 'a', name: 'b' }, capacityBytes: 2 }] }] }],
  [
    'figures that are none',
    { pods: [{ volume: [{ pvcRef: { namespace: 'a', name: 'b' }, usedBytes: '1', capacityBytes: -2 }] }] },
  ],
])('a kubelet that answers %s has measured nothing', (_what, answer) => {
  expect(claimsInSummary(answer)).toEqual([])
})
