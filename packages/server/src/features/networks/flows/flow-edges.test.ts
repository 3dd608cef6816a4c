import { compilePolicies } from '@bey/contract/reachability/compile'
import { endpointName } from '@bey/contract/reachability/endpoint-name'
import type { Endpoint } from '@bey/contract/reachability/endpoint'
import { nineFacts, policy } from '@bey/contract/testing/network-facts'
import { expect, test } from 'vitest'
import type { FlowLog, Observed } from '../observed/flow-log.ts'
import { edgesOf, seenBetween, policyPathsOf } from './flow-edges.ts'
import { flowNodes, type Grouping } from './flow-nodes.ts'

const compiled = compilePolicies(
  nineFacts({
    // Only y/b enters x/a, and only on TCP 80; everybody else and every other port is closed.
    policies: [
      policy({
        ingress: [
          {
            from: [
              { namespaceSelector: { matchLabels: { ns: 'y' } }, podSelector: { matchLabels: { pod: 'b' } } },
            ],
            ports: [{ protocol: 'TCP', port: 80 }],
          },
        ],
      }),
    ],
  }),
)
const pod = (namespace: string, name: string): Endpoint => ({
  kind: 'workload',
  workloadKind: 'Pod',
  namespace,
  name,
})
type Flow = Observed['flows'][number]
const flow = (from: Endpoint, to: Endpoint, values: Partial<Flow> = {}): Flow => ({
  from,
  to,
  port: { protocol: 'TCP', port: 80 },
  count: 1,
  lastSeenAtMs: 1_000,
  isDropped: false,
  ...values,
})

function mapOf(
  grouping: Grouping,
  flows: Flow[] | null,
  asked: Parameters<typeof edgesOf>[2] = {},
  isKnown = true,
) {
  const { groups } = flowNodes(compiled, grouping)
  const log: FlowLog =
    flows === null
      ? { source: null, reason: 'No.' }
      : { source: 'sandbox', sinceMs: null, incomplete: null, flows }
  const { seen, unplaced } = seenBetween(log, groups, grouping)
  const options = {
    isKnown,
    isObserved: flows !== null,
    idOf: ({ endpoint }: (typeof groups)[number]) => endpointName(endpoint),
  }
  const { edges, counts } = edgesOf(policyPathsOf(compiled, groups), seen, asked, options)
  const between = (from: string, to: string) => edges.find((edge) => edge.from === from && edge.to === to)
  return { edges, counts, between, unplaced, nodes: groups.map(({ endpoint }) => endpointName(endpoint)) }
}
const byNamespace: Grouping = { by: 'namespace', opened: new Set() }
const xOpened: Grouping = { by: 'namespace', opened: new Set(['x']) }
const [a, b, c] = ['workload:x/Pod/a', 'workload:x/Pod/b', 'workload:x/Pod/c']

test('a namespace is one node until it is opened, and what is outside is always one', () => {
  expect(mapOf(byNamespace, []).nodes).toEqual([
    'namespace:x',
    'namespace:y',
    'namespace:z',
    'address:0.0.0.0/0',
  ])
  expect(mapOf(xOpened, []).nodes).toEqual(['namespace:y', 'namespace:z', a, b, c, 'address:0.0.0.0/0'])
})

test('what is open, in part or not at all comes from the policies, port by port', () => {
  const { between, edges, counts } = mapOf(xOpened, [])
  expect(between('namespace:y', b)).toMatchObject({ state: 'unused', policy: 'open', portCount: 6 })
  expect(between('namespace:y', a)).toMatchObject({ state: 'unused', policy: 'partly' })
  expect(between('namespace:y', a)?.ports[0]).toEqual({ protocol: 'TCP', port: 80, policy: 'partly' })
  // Closed ones that nobody tried are counted, and listed where they are asked for.
  expect(between('namespace:z', a)).toBeUndefined()
  const denied = mapOf(xOpened, [], { state: 'denied' })
  expect(denied.between('namespace:z', a)).toMatchObject({ state: 'denied', policy: 'closed' })
  expect([counts.denied, edges.length]).toEqual([denied.edges.length, counts.unused])
})

test('observed connections come first, and refused ones are told apart from those that nobody tried', () => {
  const flows = [
    flow(pod('z', 'a'), pod('x', 'a'), { isDropped: true, count: 7, lastSeenAtMs: 5_000 }),
    flow(pod('y', 'b'), pod('x', 'a'), { count: 3 }),
    flow(pod('y', 'c'), pod('x', 'a'), { isDropped: true, count: 2, lastSeenAtMs: 2_000 }),
    flow(pod('y', 'gone'), pod('w', 'a'), { count: 5 }),
    flow({ kind: 'address', address: '8.8.8.8' }, pod('x', 'b'), { port: { protocol: 'TCP', port: 8443 } }),
  ]
  const { edges, between, unplaced } = mapOf(xOpened, flows)
  expect(edges.slice(0, 3).map(({ from, to, state }) => [from, to, state])).toEqual([
    ['namespace:z', a, 'refused'],
    ['namespace:y', a, 'used'],
    ['address:0.0.0.0/0', b, 'used'],
  ])
  expect(between('namespace:y', a)?.observed).toEqual({
    passed: 3,
    dropped: 2,
    lastSeenAt: new Date(2_000).toISOString(),
  })
  // A port that no container declares and no service leads to stands among the ports all the same.
  expect(between('address:0.0.0.0/0', b)?.ports[0]).toMatchObject({ port: 8443 })
  expect(unplaced).toBe(5)
  const asked = mapOf(xOpened, flows, { port: 81, namespace: 'x' })
  expect(asked.between('namespace:z', a)).toBeUndefined()
  expect(asked.between('namespace:y', b)).toMatchObject({ state: 'unused', portCount: 3 })
  expect(asked.between('namespace:y', 'namespace:z')).toBeUndefined()
})

test('without a source nothing counts as observed, and without an answer nothing counts as open', () => {
  expect(mapOf(byNamespace, null).edges.every(({ observed }) => observed === null)).toBe(true)
  const { edges, counts } = mapOf(byNamespace, [flow(pod('y', 'b'), pod('x', 'a'))], {}, false)
  expect(counts).toMatchObject({ used: 1, unused: 0, denied: 0 })
  expect(edges.every(({ policy: each }) => each === 'unknown')).toBe(true)
})

test('no way leads from outside the cluster to outside', () => {
  const { edges } = mapOf(byNamespace, null, { state: 'unused' })
  const ends = edges.map(({ from, to }) => `${from} ${to}`)
  expect(ends).toContain('address:0.0.0.0/0 namespace:z')
  expect(ends).toContain('namespace:z address:0.0.0.0/0')
  expect(ends).not.toContain('address:0.0.0.0/0 address:0.0.0.0/0')
})
