import { expect, test } from 'vitest'
import { nineFacts, policy, tcp80 } from '../testing/network-facts.ts'
import { findingsOf } from './analysis.ts'
import { compilePolicies } from './compile.ts'
import { effectiveRules } from './effective-rules.ts'
import type { Endpoint } from './endpoint.ts'
import type { StandardPolicy } from './policy.ts'
import type { ServiceFacts } from './snapshot.ts'
import { ruleHits, unusedRules } from './rule-hits.ts'
import { seenBetween } from './seen-between.ts'

const b = { matchLabels: { pod: 'b' } }
const found = (...policies: StandardPolicy[]) =>
  findingsOf(compilePolicies(nineFacts({ policies }))).map(({ code, text }) => [code, text])

test('a policy and a rule that concern nobody are found', () => {
  expect(found(policy({ podSelector: { matchLabels: { pod: 'old' } } }))).toEqual([
    ['selects-nobody', 'x/policy chooses no pod that runs.'],
  ])
  expect(found(policy({ ingress: [{ from: [{ podSelector: { matchLabels: { pod: 'old' } } }] }] }))).toEqual([
    ['names-nobody', 'Ingress rule 1 of x/policy names nobody that runs: pods pod=old of x, all ports.'],
  ])
})

test('a rule is covered by another that opens at least the same', () => {
  const rules = [
    { from: [{ podSelector: b }], ports: [{ port: 80 }] },
    { from: [{ podSelector: {} }], ports: [{ port: 70, endPort: 90 }] },
  ]
  expect(found(policy({ ingress: rules }))).toEqual([
    [
      'covered',
      'Ingress rule 1 of x/policy is covered by rule 2 of x/policy: without it the same flows are open.',
    ],
  ])
  const [narrow, wide] = rules
  if (!narrow || !wide) return
  expect(found(policy({ ingress: [narrow] }), policy({ podSelector: b, ingress: [wide] }, 'other'))).toEqual(
    [],
  )
  expect(
    found(policy({ ingress: [narrow] }), policy({ podSelector: {}, ingress: [wide] }, 'other')),
  ).toHaveLength(1)
  expect(found(policy({ ingress: [narrow, narrow] })).map(([code]) => code)).toEqual(['covered'])
})

test('a block is covered by one that holds all of its addresses', () => {
  const covered = (inner: { cidr: string; except?: string[] }, outer: { cidr: string; except?: string[] }) =>
    found(policy({ ingress: [{ from: [{ ipBlock: inner }] }, { from: [{ ipBlock: outer }] }] })).map(
      ([code]) => code,
    )
  expect(covered({ cidr: '10.2.0.0/24' }, { cidr: '10.2.0.0/16' })).toEqual(['covered'])
  expect(covered({ cidr: '10.2.0.0/24' }, { cidr: '10.2.0.0/16', except: ['10.2.0.8/29'] })).toEqual([])
  const except = ['10.2.0.0/28']
  expect(covered({ cidr: '10.2.0.0/24', except }, { cidr: '10.2.0.0/16', except: ['10.2.0.8/29'] })).toEqual([
    'covered',
  ])
})

test('rules that open more than they seem to are found', () => {
  const all = policy({ ingress: [{ from: [{ podSelector: {}, namespaceSelector: {} }] }] })
  expect(found(all)).toEqual([
    [
      'opens-to-all',
      'Ingress rule 1 of x/policy lets in all pods of all namespaces, since its selectors are empty.',
    ],
  ])
  expect(found(policy({ ingress: [{}] })).map(([code]) => code)).toEqual(['opens-to-all'])
  const block = policy({ policyTypes: ['Egress'], egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }] })
  expect(found(block)[0]?.[1]).toBe(
    'Egress rule 1 of x/policy lets out to every address (0.0.0.0/0), pods of all namespaces included.',
  )
  const either = policy({
    ingress: [{ from: [{ podSelector: b }, { namespaceSelector: { matchLabels: { ns: 'y' } } }] }],
  })
  expect(found(either)[0]?.[1]).toMatch(/two entries are either, not both\.$/)
})

test('rules without their type, and names of ports that differ or are not there', () => {
  expect(found(policy({ policyTypes: ['Ingress'], egress: [{ to: [{ podSelector: b }] }] }))).toEqual([
    ['ignored-rules', 'The egress rules of x/policy mean nothing: its policyTypes do not name Egress.'],
  ])
  const from = [{ podSelector: b }]
  expect(found(policy({ ingress: [{ from, ports: [{ port: 'web' }] }] }))).toEqual([
    ['port-name-unknown', 'Ingress rule 1 of x/policy names the port "web", which none of its pods has.'],
  ])
  const facts = nineFacts({
    policies: [policy({ podSelector: {}, ingress: [{ from, ports: [{ port: 'web' }] }] })],
  })
  const withPorts = (numbers: (number | undefined)[]) => ({
    ...facts,
    pods: facts.pods.map((pod, index) => {
      const port = numbers[index]
      return port === undefined ? pod : { ...pod, ports: [{ name: 'web', port, protocol: 'TCP' as const }] }
    }),
  })
  const said = (numbers: (number | undefined)[]) =>
    findingsOf(compilePolicies(withPorts(numbers))).map(({ text }) => text)
  expect(said([80, 81, 80])).toEqual([
    'Ingress rule 1 of x/policy names the port "web", which is 80 and 81 on different pods.',
  ])
  expect(said([80, undefined, 80])).toEqual([
    'Ingress rule 1 of x/policy names the port "web", which 1 of its 3 pods do not have.',
  ])
  expect(said([80, 80, 80])).toEqual([])
})

test('the rules that hold for a workload, each with where it comes from, and what becomes of the rest', () => {
  const policies = [
    policy({ podSelector: {} }, 'deny'),
    policy({ ingress: [{ from: [{ podSelector: b }], ports: [{ port: 80 }] }] }, 'allow'),
  ]
  const compiled = compilePolicies(nineFacts({ policies }))
  const own = effectiveRules(compiled, { kind: 'workload', namespace: 'x', name: 'a' })
  expect(own?.rules).toEqual([
    {
      direction: 'ingress',
      action: 'allow',
      policy: { kind: 'NetworkPolicy', namespace: 'x', name: 'allow' },
      path: 'spec.ingress[0]',
      number: 1,
      text: 'pods pod=b of x, TCP 80',
      pods: 1,
    },
  ])
  expect(own?.defaults.ingress.policies.map(({ name }) => name)).toEqual(['deny', 'allow'])
  expect(own?.defaults.ingress.text).toBe('Everything else is closed: nothing that no rule names is let in.')
  expect(own?.defaults.egress.text).toBe('No policy isolates it: everything else is let out.')
  expect(effectiveRules(compiled, { kind: 'workload', namespace: 'x', name: 'none' })).toBeUndefined()
})

test('a rule that let through none of the connections that were seen is unused, and every rule has its hits', () => {
  const policies = [
    policy({
      ingress: [
        { from: [{ podSelector: { matchLabels: { pod: 'b' } } }] },
        { from: [{ podSelector: { matchLabels: { pod: 'c' } } }] },
        { ports: [{ protocol: 'TCP', port: 80 }] },
      ],
    }),
  ]
  const compiled = compilePolicies(nineFacts({ policies }))
  const to: Endpoint = { kind: 'pod', namespace: 'x', name: 'a' }
  const seen = (name: string, count: number) => ({
    from: { kind: 'pod' as const, namespace: 'x', name },
    to,
    port: tcp80,
    count,
    lastSeenAtMs: count * 1_000,
  })
  expect(unusedRules(compiled, [])).toEqual([])
  const found = unusedRules(compiled, [seen('b', 2), seen('gone', 5)])
  expect(found.map(({ code, path }) => [code, path])).toEqual([['unused', 'spec.ingress[1]']])
  expect(found[0]?.text).toContain('The 7 connections that were seen do without it.')
  const rules = effectiveRules(compiled, to, ruleHits(compiled, [seen('b', 2), seen('b', 3)]))?.rules
  expect(rules?.map(({ hits }) => hits)).toEqual([
    { count: 5, lastSeenAtMs: 3_000 },
    { count: 0, lastSeenAtMs: 0 },
    { count: 5, lastSeenAtMs: 3_000 },
  ])
})

test('what was seen between two ends is that of their pods, on the port behind the service', () => {
  const web: ServiceFacts = {
    namespace: 'x',
    name: 'web',
    type: 'ClusterIP',
    clusterIPs: ['10.96.0.9'],
    selector: { pod: 'a' },
    ports: [{ port: 8080, protocol: 'TCP', targetPort: 80 }],
  }
  const compiled = compilePolicies(nineFacts({ services: [web] }))
  const pod = (name: string): Endpoint => ({ kind: 'pod', namespace: 'x', name })
  const flow = (from: string, to: string, port: number, isDropped: boolean, count: number) => ({
    from: pod(from),
    to: pod(to),
    port: { protocol: 'TCP' as const, port },
    isDropped,
    count,
    lastSeenAtMs: count,
  })
  const observed = [
    flow('b', 'a', 80, false, 3),
    flow('b', 'a', 80, true, 5),
    flow('b', 'a', 8080, true, 7),
    flow('c', 'a', 80, false, 11),
    flow('b', 'c', 80, false, 13),
  ]
  const service: Endpoint = { kind: 'service', namespace: 'x', name: 'web' }
  const port = { protocol: 'TCP', port: 8080 } as const
  const seen = { passed: 3, dropped: 5, lastSeenAtMs: 5 }
  expect(seenBetween(compiled, pod('b'), service, port, observed)).toEqual(seen)
})
