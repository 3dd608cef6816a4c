import { expect, test } from 'vitest'
import { nineFacts, policy, tcp80 } from '../testing/network-facts.ts'
import { faultyPolicyCases } from '../testing/faulty-policy-cases.ts'
import { policyCases } from '../testing/network-policy-cases.ts'
import { canReach } from './can-reach.ts'
import { compilePolicies } from './compile.ts'

test.each([...policyCases, ...faultyPolicyCases])('$title', ({ policies, open }) => {
  const compiled = compilePolicies(nineFacts({ policies }))
  const names = compiled.snapshot.pods.map(({ namespace, name }) => ({
    namespace,
    name,
    text: `${namespace}/${name}`,
  }))
  for (const [port, flow] of open)
    for (const from of names)
      for (const to of names) {
        const { answer } = canReach(compiled, { kind: 'pod', ...from }, { kind: 'pod', ...to }, port)
        const isOpen = from.text === to.text || flow(from.text, to.text)
        expect(answer, `${from.text} → ${to.text} on ${port.port}/${port.protocol}`).toBe(
          isOpen ? 'yes' : 'no',
        )
      }
})

test.each(faultyPolicyCases)('$title, and a sentence says so', ({ policies }) => {
  const [problem, ...others] = compilePolicies(nineFacts({ policies })).problems
  expect(others).toEqual([])
  expect(problem?.policy).toEqual({ kind: 'NetworkPolicy', namespace: 'x', name: 'policy' })
  expect(problem?.text).toMatch(/\.$/)
  expect(problem?.path).toMatch(/^spec\.ingress\[0\]/)
})

test('a policy of 1,000 rules is read, and the last rule opens what the others do not', () => {
  const rules = Array.from({ length: 1_000 }, (_, index) => ({
    from: [{ podSelector: { matchLabels: { pod: index === 999 ? 'c' : `none-${index}` } } }],
  }))
  const compiled = compilePolicies(nineFacts({ policies: [policy({ ingress: rules })] }))
  const ask = (name: string) =>
    canReach(
      compiled,
      { kind: 'pod', namespace: 'x', name },
      { kind: 'pod', namespace: 'x', name: 'a' },
      tcp80,
    )
  expect(ask('b').answer).toBe('no')
  expect(ask('c').answer).toBe('yes')
  expect(ask('c').gates.at(-1)?.rule).toMatchObject({ number: 1_000, path: 'spec.ingress[999]' })
})
