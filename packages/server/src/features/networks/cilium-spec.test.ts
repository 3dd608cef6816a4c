import { canReach } from '@bey/contract/reachability/can-reach'
import { compilePolicies } from '@bey/contract/reachability/compile'
import type { CiliumPolicy, StandardPolicy } from '@bey/contract/reachability/policy'
import type { RulePeer, SecurityRule } from '@bey/contract/networks/security-group-rules'
import { nineFacts } from '@bey/contract/testing/network-facts'
import { randomOf } from '@bey/contract/testing/random-policies'
import { expect, test } from 'vitest'

import { ciliumSpec } from './cilium-spec.ts'
import { ciliumAsStandard } from './drift/cilium-as-standard.ts'
import { openingKey, readOpenings } from './drift/policy-openings.ts'
import { renderGroups } from './groups/render-groups.ts'
import { renderPolicies } from './render-policies.ts'

function openingsOf(spec: Record<string, unknown>, namespace: string) {
  const read = readOpenings(spec, namespace)
  if ('member' in read) throw new Error(read.member)
  return { ...read, openings: read.openings.map(openingKey).toSorted() }
}

test('a policy of Cilium that says more than rules can is refused with its member', () => {
  const refused = (spec: object) => ciliumAsStandard({ endpointSelector: {}, ...spec })
  expect(refused({ ingressDeny: [{}] })).toMatchObject({ member: 'ingressDeny' })
  expect(refused({ ingress: [{ fromEntities: ['world'] }] })).toMatchObject({
    member: 'ingress[0].fromEntities',
  })
  expect(refused({ egress: [{ toFQDNs: [] }] })).toMatchObject({ member: 'egress[0].toFQDNs' })
  expect(refused({ egress: [{ toPorts: [{ rules: {}, ports: [] }] }] })).toMatchObject({
    member: 'egress[0].toPorts[0].rules',
  })
  // Without a protocol it means all three, and without a namespace that of the policy.
  const ports = [{ ports: [{ port: '80' }] }]
  expect(refused({ ingress: [{ fromEndpoints: [{ matchLabels: { app: 'a' } }], toPorts: ports }] })).toEqual({
    podSelector: {},
    policyTypes: ['Ingress'],
    egress: [],
    ingress: [
      {
        from: [{ podSelector: { matchLabels: { app: 'a' } } }],
        ports: ['TCP', 'UDP', 'SCTP'].map((protocol) => ({ protocol, port: 80 })),
      },
    ],
  })
})

const facts = nineFacts()
const names = [...new Set(facts.pods.map(({ namespace }) => namespace))]
const labels = [{}, ...new Set(facts.pods.map((pod) => pod.labels))]

const peers: readonly RulePeer[] = [
  { kind: 'anywhere' },
  { kind: 'range', cidr: '203.0.113.0/24' },
  ...names.map((namespace) => ({ kind: 'namespace', namespace }) as const),
  ...names.flatMap((namespace) =>
    labels.map((each) => ({ kind: 'workload', namespace, labels: each }) as const),
  ),
]
const ports = [
  { protocol: 'any', ports: [] },
  { protocol: 'tcp', ports: [] },
  { protocol: 'tcp', ports: ['80'] },
  { protocol: 'udp', ports: ['79-81'] },
] as const

test('a policy of Cilium opens what the network policy opens, for 150 random groups and for isolation', () => {
  const counts = { yes: 0, no: 0 }
  for (let seed = 1; seed <= 150; seed += 1) {
    const random = randomOf(seed)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const rules = Array.from({ length: Math.floor(random() * 4) }, (): SecurityRule => {
      const { protocol, ports: list } = pick(ports)
      const direction = pick(['in', 'out'] as const)
      return { direction, action: 'allow', protocol, ports: [...list], peer: pick(peers), note: '' }
    })
    const target = { clusterId: 1, namespace: pick(names), labels: pick(labels) }
    const group = { id: 'a', name: 'a', filtersIn: random() < 0.7, filtersOut: random() < 0.5, rules }
    const place = { clusterId: 1, isWhole: random() < 0.5, namespaces: names.slice(0, 2) }
    const isolated = { name: 'n', cidr: '203.0.113.0/24', cidr6: null, isIsolated: random() < 0.3 }
    const standard: StandardPolicy[] = [
      ...renderGroups([{ ...group, targets: [target] }], { network: 'n', subnets: [], sets: [] }),
      ...renderPolicies({ ...isolated, places: [place] }),
    ]
    const cilium = standard.map(({ namespace, name, spec }): CiliumPolicy => ({
      namespace,
      name,
      spec: ciliumSpec(spec),
    }))
    // The isolation of a network is no group's, and is never read back.
    for (const { namespace, spec } of standard.filter(({ name }) => name !== 'bey-n')) {
      const back = ciliumAsStandard(ciliumSpec(spec))
      if ('member' in back) expect.fail(`seed ${seed}: ${JSON.stringify(back)}`)
      // What was written in the words of Cilium is read back as the same rules.
      expect(openingsOf(back, namespace), `seed ${seed}`).toEqual(openingsOf(spec, namespace))
    }
    const before = compilePolicies({ ...facts, policies: standard })
    const after = compilePolicies({ ...facts, policies: [], ciliumPolicies: cilium })
    expect(after.problems).toEqual([])
    const ends = [
      ...facts.pods.map(({ namespace, name }) => ({ kind: 'pod', namespace, name }) as const),
      { kind: 'address', address: '203.0.113.7' } as const,
    ]
    for (const from of ends)
      for (const to of ends)
        for (const port of [
          { protocol: 'TCP', port: 80 },
          { protocol: 'UDP', port: 81 },
        ] as const) {
          if (from.kind === 'address' && to.kind === 'address') continue
          const [expected, answer] = [before, after].map((each) => canReach(each, from, to, port).answer)
          if (answer !== expected)
            expect.fail(
              `seed ${seed}: ${JSON.stringify({ from, to, port, expected, answer, standard, cilium }, null, 1)}`,
            )
          if (answer === 'yes' || answer === 'no') counts[answer] += 1
        }
  }
  expect(Math.min(counts.yes, counts.no)).toBeGreaterThan(2_000)
}, 60_000)

test('a group that filters neither direction has no policy, since one without types closes what comes in', () => {
  const group = { id: 'a', name: 'a', filtersIn: false, filtersOut: false, rules: [] }
  const targets = [{ clusterId: 1, namespace: 'x', labels: {} }]
  expect(renderGroups([{ ...group, targets }], { network: 'n', subnets: [], sets: [] })).toEqual([])
})

test('an isolated network lets in its namespaces and ranges in rules of their own', () => {
  const place = { clusterId: 1, isWhole: false, namespaces: ['shop', 'data'] }
  const [policy] = renderPolicies({
    name: 'n',
    cidr: '10.9.0.0/16',
    cidr6: 'fd00:9::/64',
    isIsolated: true,
    places: [place],
  })
  expect(ciliumSpec(policy?.spec ?? {})).toEqual({
    endpointSelector: {},
    ingress: [
      {
        fromEndpoints: [
          {
            matchExpressions: [
              { key: 'k8s:io.kubernetes.pod.namespace', operator: 'In', values: ['data', 'shop'] },
            ],
          },
        ],
      },
      { fromCIDR: ['10.9.0.0/16', 'fd00:9::/64'] },
    ],
  })
})
