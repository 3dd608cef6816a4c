import { expect, test } from 'vitest'
import { tcp80, tcp81, udp80 } from '../testing/network-facts.ts'
import { isOpenNaively } from '../testing/naive-policies.ts'
import { randomFacts, randomPolicy } from '../testing/random-policies.ts'
import { canReach } from './can-reach.ts'
import { compilePolicies, type CompiledPolicies } from './compile.ts'
import type { Endpoint } from './endpoint.ts'
import type { PodFacts, PortNumber } from './snapshot.ts'

const end = ({ namespace, name }: PodFacts): Endpoint => ({ kind: 'pod', namespace, name })

function openFlows(compiled: CompiledPolicies, port: PortNumber): Set<string> {
  const found = new Set<string>()
  for (const from of compiled.snapshot.pods)
    for (const to of compiled.snapshot.pods)
      if (canReach(compiled, end(from), end(to), port).answer === 'yes')
        found.add(`${from.namespace}/${from.name} → ${to.namespace}/${to.name}`)
  return found
}

test('compiled policies answer as the text of the API reference does, for 200 random sets', () => {
  let open = 0
  let closed = 0
  for (let seed = 1; seed <= 200; seed += 1) {
    const { snapshot } = randomFacts(seed)
    const compiled = compilePolicies(snapshot)
    expect(compiled.problems).toEqual([])
    for (const port of [tcp80, tcp81, udp80])
      for (const from of snapshot.pods)
        for (const to of snapshot.pods) {
          const isOpen = isOpenNaively(snapshot, snapshot.policies, from, to, port)
          const { answer } = canReach(compiled, end(from), end(to), port)
          if ((answer === 'yes') !== isOpen)
            expect.fail(
              `seed ${seed}: ${from.namespace}/${from.name} → ${to.namespace}/${to.name} on ${port.port}: ${answer}\n${JSON.stringify(snapshot.policies, null, 1)}`,
            )
          if (isOpen) open += 1
          else closed += 1
        }
  }
  // Otherwise the sets would prove nothing.
  expect(Math.min(open, closed)).toBeGreaterThan(10_000)
})

test('a rule that is added to a policy never closes a flow', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const { snapshot, random } = randomFacts(seed)
    const [first, ...others] = snapshot.policies
    if (first === undefined) continue
    const added = randomPolicy(random, 'other', ['10.2.0.1', '10.3.0.2']).spec
    const { spec } = first
    // The types are said outright: egress rules would otherwise isolate for egress.
    const policyTypes = spec.policyTypes ?? (spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'])
    const more = {
      ...first,
      spec: {
        ...spec,
        policyTypes,
        ingress: [...(spec.ingress ?? []), ...(added.ingress ?? [])],
        egress: [...(spec.egress ?? []), ...(added.egress ?? [])],
      },
    }
    const before = openFlows(compilePolicies(snapshot), tcp80)
    const after = openFlows(compilePolicies({ ...snapshot, policies: [more, ...others] }), tcp80)
    for (const flow of before) expect(after, `seed ${seed}`).toContain(flow)
  }
})

test('a policy that is added for pods that are isolated already never closes a flow', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    const { snapshot, random } = randomFacts(seed)
    const deny = snapshot.namespaces.map(({ name }) => ({
      namespace: name,
      name: 'deny',
      spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
    }))
    const policies = [...snapshot.policies, ...deny]
    const before = openFlows(compilePolicies({ ...snapshot, policies }), tcp80)
    const more = [...policies, randomPolicy(random, 'more', ['10.1.0.1'])]
    const after = openFlows(compilePolicies({ ...snapshot, policies: more }), tcp80)
    for (const flow of before) expect(after, `seed ${seed}`).toContain(flow)
  }
})

test('the change that an answer proposes for each closed gate opens the flow', () => {
  let mended = 0
  for (let seed = 1; seed <= 60; seed += 1) {
    const { snapshot } = randomFacts(seed)
    const compiled = compilePolicies(snapshot)
    for (const from of snapshot.pods.slice(0, 4))
      for (const to of snapshot.pods) {
        const { answer, gates } = canReach(compiled, end(from), end(to), tcp80)
        if (answer === 'yes') continue
        let { policies } = snapshot
        for (const { change } of gates) {
          if (change?.kind === 'add-policy') policies = [...policies, change.policy]
          if (change?.kind === 'add-rule')
            policies = policies.map((one) =>
              one.namespace === change.policy.namespace && one.name === change.policy.name
                ? {
                    ...one,
                    spec: {
                      ...one.spec,
                      [change.direction]: [...(one.spec[change.direction] ?? []), change.rule],
                    },
                  }
                : one,
            )
        }
        const after = canReach(compilePolicies({ ...snapshot, policies }), end(from), end(to), tcp80)
        expect(after.answer, `seed ${seed}: ${from.name} → ${to.name}`).toBe('yes')
        mended += 1
      }
  }
  expect(mended).toBeGreaterThan(100)
})
