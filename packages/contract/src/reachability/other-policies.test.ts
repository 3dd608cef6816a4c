import { describe, expect, test } from 'vitest'
import { nineFacts, policy, tcp80, tcp81 } from '../testing/network-facts.ts'
import { canReach } from './can-reach.ts'
import { compilePolicies } from './compile.ts'
import type { Endpoint } from './endpoint.ts'
import type { AdminPolicy, CiliumPolicy } from './policy.ts'
import type { ClusterSnapshot, PortNumber } from './snapshot.ts'

function answer(facts: Partial<ClusterSnapshot>, from: string, to: string, port: PortNumber = tcp80) {
  return ask(facts, from, to, port).answer
}

function ask(facts: Partial<ClusterSnapshot>, from: string, to: string, port: PortNumber = tcp80) {
  const end = (text: string): Endpoint => {
    const [namespace = '', name] = text.split('/')
    return name === undefined ? { kind: 'address', address: text } : { kind: 'pod', namespace, name }
  }
  return canReach(compilePolicies(nineFacts(facts)), end(from), end(to), port)
}

const inX = { matchLabels: { ns: 'x' } }
const inY = { matchLabels: { ns: 'y' } }
const a = { matchLabels: { pod: 'a' } }

describe('AdminNetworkPolicy', () => {
  const admin = (action: 'Allow' | 'Deny' | 'Pass', priority: number): AdminPolicy => ({
    name: `${action.toLowerCase()}-${priority}`,
    spec: { priority, subject: { namespaces: inX }, ingress: [{ action, from: [{ namespaces: inY }] }] },
  })
  const closed = policy({ podSelector: {} })

  test('what it allows is open although a NetworkPolicy isolates the pod', () => {
    const facts = { adminPolicies: [admin('Allow', 1)], policies: [closed] }
    expect(answer(facts, 'y/a', 'x/a')).toBe('yes')
    expect(answer(facts, 'z/a', 'x/a')).toBe('no')
  })

  test('what it denies is closed although a NetworkPolicy allows it, and nothing that is added opens it', () => {
    const policies = [policy({ podSelector: {}, ingress: [{}] })]
    const { answer: said, gates } = ask({ adminPolicies: [admin('Deny', 1)], policies }, 'y/a', 'x/a')
    expect(said).toBe('no')
    expect(gates.at(-1)?.text).toBe(
      'Rule 1 of AdminNetworkPolicy deny-1 denies it: all pods of namespaces ns=y, all ports.',
    )
    expect(gates.at(-1)?.change).toMatchObject({ kind: 'change-rule', path: 'spec.ingress[0]' })
  })

  test('the lower priority decides, whatever the order of the list', () => {
    const policies = [admin('Deny', 20), admin('Allow', 10)]
    expect(answer({ adminPolicies: policies }, 'y/a', 'x/a')).toBe('yes')
    expect(answer({ adminPolicies: [admin('Deny', 5), ...policies] }, 'y/a', 'x/a')).toBe('no')
  })

  test('Pass leaves the decision to NetworkPolicies and skips later ones', () => {
    const adminPolicies = [admin('Pass', 1), admin('Deny', 2)]
    expect(answer({ adminPolicies }, 'y/a', 'x/a')).toBe('yes')
    expect(answer({ adminPolicies, policies: [closed] }, 'y/a', 'x/a')).toBe('no')
  })

  test('the first rule of a policy that matches decides', () => {
    const [ports] = [[{ portNumber: { protocol: 'TCP', port: 80 } }]]
    const adminPolicies: AdminPolicy[] = [
      {
        name: 'ordered',
        spec: {
          priority: 1,
          subject: { namespaces: inX },
          ingress: [
            { action: 'Allow', from: [{ namespaces: inY }], ports },
            { action: 'Deny', from: [{ namespaces: {} }] },
          ],
        },
      },
    ]
    expect(answer({ adminPolicies }, 'y/a', 'x/a', tcp80)).toBe('yes')
    expect(answer({ adminPolicies }, 'y/a', 'x/a', tcp81)).toBe('no')
  })

  test('a baseline decides only where no NetworkPolicy chooses the pod', () => {
    const { name, spec } = admin('Deny', 0)
    const adminPolicies = [{ name, isBaseline: true, spec }]
    expect(answer({ adminPolicies }, 'y/a', 'x/a')).toBe('no')
    expect(answer({ adminPolicies }, 'z/a', 'x/a')).toBe('yes')
    const policies = [policy({ ingress: [{ from: [{ namespaceSelector: inY }] }] })]
    expect(answer({ adminPolicies, policies }, 'y/a', 'x/a')).toBe('yes')
  })

  test('egress to networks and nodes, ranges and named ports', () => {
    const rules: AdminPolicy['spec']['egress'] = [
      { action: 'Allow', to: [{ namespaces: inY }], ports: [{ namedPort: 'serve-80-tcp' }] },
      { action: 'Deny', to: [{ namespaces: inY }], ports: [{ portRange: { start: 1, end: 100 } }] },
      { action: 'Deny', to: [{ networks: ['203.0.113.0/24'] }] },
      { action: 'Deny', to: [{ nodes: { matchLabels: { role: 'db' } } }] },
    ]
    const subject = { pods: { namespaceSelector: inX, podSelector: a } }
    const adminPolicies = [{ name: 'egress', spec: { priority: 1, subject, egress: rules } }]
    const nodes = [
      { name: 'node-1', addresses: ['192.168.0.1'], labels: { role: 'db' } },
      { name: 'node-2', addresses: ['192.168.0.2'] },
    ]
    const say = (to: string, port = tcp80) => answer({ adminPolicies, nodes }, 'x/a', to, port)
    expect([say('y/a'), say('y/a', tcp81), say('z/a', tcp81)]).toEqual(['yes', 'no', 'yes'])
    expect([say('203.0.113.7'), say('198.51.100.7')]).toEqual(['no', 'yes'])
    expect([say('192.168.0.1'), say('192.168.0.2')]).toEqual(['no', 'yes'])
    expect(answer({ adminPolicies, nodes }, 'x/b', 'y/a', tcp81)).toBe('yes')
  })
})

describe('CiliumNetworkPolicy', () => {
  const cilium = (
    spec: CiliumPolicy['spec'],
    namespace: string | undefined = 'x',
  ): ClusterSnapshot['ciliumPolicies'] => [{ namespace, name: 'c', spec: { endpointSelector: a, ...spec } }]
  const from = (spec: CiliumPolicy['spec'], source: string, port = tcp80) =>
    answer({ ciliumPolicies: cilium(spec) }, source, 'x/a', port)
  const to = (spec: CiliumPolicy['spec'], target: string, port = tcp80) =>
    answer({ ciliumPolicies: cilium(spec) }, 'x/a', target, port)

  test('endpoints are of the own namespace unless they name another', () => {
    const own = { ingress: [{ fromEndpoints: [{ matchLabels: { 'k8s:pod': 'b' } }] }] }
    expect([from(own, 'x/b'), from(own, 'y/b'), from(own, 'x/c')]).toEqual(['yes', 'no', 'no'])
    const named = {
      ingress: [{ fromEndpoints: [{ matchLabels: { 'k8s:io.kubernetes.pod.namespace': 'y', pod: 'b' } }] }],
    }
    expect([from(named, 'y/b'), from(named, 'x/b'), from(named, 'y/a')]).toEqual(['yes', 'no', 'no'])
    const labelled = {
      ingress: [{ fromEndpoints: [{ matchLabels: { 'io.cilium.k8s.namespace.labels.ns': 'z' } }] }],
    }
    expect([from(labelled, 'z/b'), from(labelled, 'x/b')]).toEqual(['yes', 'no'])
  })

  test('an empty selector of endpoints means all of the namespace, an empty list nobody', () => {
    const all = { ingress: [{ fromEndpoints: [{}] }] }
    expect([from(all, 'x/b'), from(all, 'y/b')]).toEqual(['yes', 'no'])
    expect(from({ ingress: [{ fromEndpoints: [] }] }, 'x/b')).toBe('no')
  })

  test('an empty rule isolates and allows nobody; without rules nothing is isolated', () => {
    expect(from({ ingress: [{}] }, 'x/b')).toBe('no')
    expect(from({ ingress: [] }, 'x/b')).toBe('yes')
    expect(to({ ingress: [{}] }, 'x/b')).toBe('yes')
  })

  test('a rule with ports alone lets everybody in on these', () => {
    const spec = { ingress: [{ toPorts: [{ ports: [{ port: '80', protocol: 'TCP' }] }] }] }
    expect([from(spec, 'y/b'), from(spec, 'y/b', tcp81)]).toEqual(['yes', 'no'])
    const range = { ingress: [{ toPorts: [{ ports: [{ port: '80', endPort: 81, protocol: 'ANY' }] }] }] }
    expect([from(range, 'y/b'), from(range, 'y/b', tcp81)]).toEqual(['yes', 'yes'])
  })

  test('a rule that denies wins, whatever allows', () => {
    const spec = {
      ingress: [{ fromEntities: ['all'] }],
      ingressDeny: [{ fromEndpoints: [{ matchLabels: { pod: 'b' } }] }],
    }
    expect([from(spec, 'x/b'), from(spec, 'x/c')]).toEqual(['no', 'yes'])
    const standard = [policy({ ingress: [{}] })]
    expect(answer({ ciliumPolicies: cilium(spec), policies: standard }, 'x/b', 'x/a')).toBe('no')
  })

  test('enableDefaultDeny: false isolates nothing', () => {
    const spec = {
      enableDefaultDeny: { ingress: false },
      ingressDeny: [{ fromEndpoints: [{ matchLabels: { pod: 'b' } }] }],
    }
    expect([from(spec, 'x/b'), from(spec, 'x/c')]).toEqual(['no', 'yes'])
  })

  test('networks are outside the cluster, with their exceptions', () => {
    const spec = { egress: [{ toCIDRSet: [{ cidr: '203.0.113.0/24', except: ['203.0.113.128/25'] }] }] }
    expect([to(spec, '203.0.113.7'), to(spec, '203.0.113.200')]).toEqual(['yes', 'no'])
    expect(to({ egress: [{ toCIDR: ['10.0.0.0/8'] }] }, 'y/a')).toBe('no')
    const blocks = [
      policy({ policyTypes: ['Egress'], egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] }] }),
    ]
    expect(answer({ plugin: 'cilium', policies: blocks }, 'x/a', 'y/a')).toBe('no')
  })

  test('entities: world, cluster and nodes', () => {
    const world = { egress: [{ toEntities: ['world'] }] }
    expect([to(world, '203.0.113.7'), to(world, 'y/a'), to(world, '192.168.0.1')]).toEqual([
      'yes',
      'no',
      'no',
    ])
    const cluster = { egress: [{ toEntities: ['cluster'] }] }
    expect([to(cluster, '203.0.113.7'), to(cluster, 'y/a'), to(cluster, '192.168.0.2')]).toEqual([
      'no',
      'yes',
      'yes',
    ])
    const host = { egress: [{ toEntities: ['host'] }] }
    expect([to(host, '192.168.0.1'), to(host, '192.168.0.2')]).toEqual(['yes', 'no'])
  })

  test('names of hosts, other entities and the contents of packets make the answer unknown', () => {
    expect(to({ egress: [{ toFQDNs: [{ matchName: 'example.com' }] }] }, '203.0.113.7')).toBe('unknown')
    expect(to({ egress: [{ toEntities: ['kube-apiserver'] }] }, '203.0.113.7')).toBe('unknown')
    const http = {
      ingress: [{ toPorts: [{ ports: [{ port: '80' }], rules: { http: [{ method: 'GET' }] } }] }],
    }
    expect([from(http, 'x/b'), from(http, 'x/b', tcp81)]).toEqual(['unknown', 'no'])
  })

  test('a clusterwide policy is about all namespaces', () => {
    const clusterwide = { ciliumPolicies: [{ name: 'wide', spec: { endpointSelector: a, ingress: [{}] } }] }
    expect([answer(clusterwide, 'x/b', 'z/a'), answer(clusterwide, 'x/b', 'z/b')]).toEqual(['no', 'yes'])
  })
})
