import { expect, test } from 'vitest'
import { FlowCounts } from './flow-counts.ts'
import type { HubbleFlow } from './observer-messages.ts'

const snapshot = { pods: [], namespaces: [], services: [], nodes: [], policies: [], databases: [] }
const end = (pod: string) => ({ namespace: 'shop', pod, identity: 9_000, workloads: [] })
const flow = (part: Partial<HubbleFlow> = {}): HubbleFlow => ({
  timeMs: 1_000,
  verdict: 1,
  sourceIp: '10.0.0.1',
  destinationIp: '10.0.0.2',
  protocol: 'TCP',
  sourcePort: 40_000,
  destinationPort: 80,
  source: end('web'),
  destination: end('orders'),
  type: 1,
  direction: 1,
  isReply: false,
  ...part,
})

test('a million packets of endless connections and ways leave the memory bounded, with the ways last used', () => {
  const counts = new FlowCounts()
  counts.add(flow())
  counts.add(flow())
  for (let at = 0; at < 200_000; at += 1)
    counts.add(flow({ source: end(`web-${at}`), sourceIp: `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}` }))
  const ways = counts.list(snapshot)
  expect(ways).toHaveLength(5_000)
  expect(JSON.stringify(ways.at(-1))).toContain('web-199999')
  expect(JSON.stringify(ways)).not.toContain('web-1000"')
  // The connections are forgotten as well: the first one begins anew.
  counts.add(flow())
  expect(counts.list(snapshot).at(-1)).toMatchObject({ count: 1 })
})

test.each([
  ['a name', { source: end('w'.repeat(254)) }],
  ['a namespace', { destination: { ...end('web'), namespace: 'n'.repeat(1_000_000) } }],
  ['a workload', { source: { ...end('web'), workloads: [{ kind: 'Deployment', name: 'w'.repeat(254) }] } }],
  ['an address', { sourceIp: '1'.repeat(46) }],
])('%s longer than Kubernetes has is not kept', (_, part) => {
  const counts = new FlowCounts()
  counts.add(flow(part))
  expect(counts.list(snapshot)).toEqual([])
})
