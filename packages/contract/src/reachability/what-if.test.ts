import { expect, test } from 'vitest'
import { nineFacts, policy, tcp80, tcp81, udp80 } from '../testing/network-facts.ts'
import { randomFacts, randomPolicy } from '../testing/random-policies.ts'
import { canReach } from './can-reach.ts'
import { compilePolicies } from './compile.ts'
import type { Endpoint } from './endpoint.ts'
import { flowText, whatIf } from './what-if.ts'

const pod = (name: string, namespace = 'x'): Endpoint => ({ kind: 'pod', namespace, name })
const only80 = [{ protocol: 'TCP', port: 80 }]

test('a policy that is added ends flows, and names each', () => {
  const facts = nineFacts()
  const pods = facts.pods
    .filter(({ namespace }) => namespace === 'x')
    .map((one) => ({ ...one, ports: [{ port: 80, protocol: 'TCP' as const }] }))
  const compiled = compilePolicies({ ...facts, pods })
  const added = policy({
    ingress: [{ from: [{ podSelector: { matchLabels: { pod: 'b' } } }], ports: only80 }],
  })
  const { ends, begins, changed, sentence } = whatIf(compiled, { policies: [added] })
  expect(ends.map(flowText)).toEqual(['x/c → x/a on 80/TCP', '0.0.0.0/0 → x/a on 80/TCP'])
  expect([begins, changed]).toEqual([[], [{ kind: 'NetworkPolicy', namespace: 'x', name: 'policy' }]])
  expect(sentence).toBe('2 flows that are open today would end.')
})

test('of the flows that were seen, those are named that would end', () => {
  const compiled = compilePolicies(nineFacts())
  const observed = [
    { from: pod('b'), to: pod('a'), port: tcp80, count: 12 },
    { from: pod('c'), to: pod('a'), port: tcp80, count: 3 },
    { from: pod('c'), to: pod('a'), port: { protocol: 'TCP' as const, port: 9_999 } },
    { from: pod('a'), to: pod('c'), port: tcp80 },
    { from: { kind: 'address' as const, address: '203.0.113.7' }, to: pod('a'), port: tcp80 },
  ]
  const added = policy({
    ingress: [{ from: [{ podSelector: { matchLabels: { pod: 'b' } } }], ports: only80 }],
  })
  const { ends, observedEnds, sentence } = whatIf(compiled, { policies: [added] }, observed)
  expect(observedEnds).toEqual([observed[1], observed[2], observed[4]])
  // They come first, with what was seen on them; merely open ones follow.
  expect(ends.slice(0, 4).map((flow) => [flowText(flow), flow.observed?.count])).toEqual([
    ['x/c → x/a on 80/TCP', 3],
    ['x/c → x/a on 9999/TCP', 1],
    ['0.0.0.0/0 → x/a on 80/TCP', 1],
    [expect.any(String), undefined],
  ])
  expect(sentence).toBe('3 flows that exist today would end.')
  const unused = whatIf(compiled, { policies: [added] }, observed.slice(0, 1))
  expect(unused.sentence).toMatch(/^No flow that was seen would end; \d+ that nobody used would close\.$/)
})

test('nothing changes where nothing differs, and a policy that goes lets flows begin', () => {
  const policies = [policy({ podSelector: {} })]
  const compiled = compilePolicies(nineFacts({ policies }))
  const same = whatIf(compiled, { policies: structuredClone(policies) })
  expect([same.changed, same.sentence]).toEqual([[], 'No flow between workloads would change.'])
  const { ends, begins, sentence } = whatIf(compiled, { policies: [] })
  // Three pods with six ports each are reached by nine others, and by addresses outside.
  expect([ends.length, begins.length]).toEqual([0, 3 * 6 * 9])
  expect(sentence).toBe('No flow would end. 162 flows would begin.')
})

test('the flows that end and begin are those that differ when every pair is asked, for random changes', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const { snapshot, random } = randomFacts(seed)
    const after = snapshot.policies.filter(() => random() < 0.7)
    after.push(randomPolicy(random, 'new', ['10.1.0.1', '10.2.0.2', '10.3.0.3']))
    const compiled = compilePolicies(snapshot)
    const { ends, begins } = whatIf(compiled, { policies: after })
    const said = new Set([...ends, ...begins].map((flow) => `${flowText(flow)} ${flow.was} ${flow.is}`))
    const compiledAfter = compilePolicies({ ...snapshot, policies: after })
    const words = { yes: 'open', no: 'closed', partly: 'partly', unknown: 'unknown' }
    for (const from of snapshot.pods)
      for (const to of snapshot.pods)
        for (const port of [tcp80, tcp81, udp80]) {
          if (!to.ports.some((one) => one.port === port.port && one.protocol === port.protocol)) continue
          const ask = (set: typeof compiled) =>
            words[canReach(set, pod(from.name, from.namespace), pod(to.name, to.namespace), port).answer]
          const [was, is] = [ask(compiled), ask(compiledAfter)]
          const text = `${from.namespace}/${from.name} → ${to.namespace}/${to.name} on ${port.port}/${port.protocol} ${was} ${is}`
          expect(said.has(text), `seed ${seed}: ${text}`).toBe(was !== is)
        }
  }
})
