import { expect, test } from 'vitest'
import { type EditedGroup, mergeGroups, takeTheirs } from './security-group-merge.ts'
import type { SecurityRule } from './security-group-rules.ts'

const rule = (port: string, values: Partial<SecurityRule> = {}): SecurityRule => ({
  direction: 'in',
  action: 'allow',
  protocol: 'tcp',
  ports: [port],
  peer: { kind: 'anywhere' },
  note: '',
  ...values,
})
const group = (rules: SecurityRule[], values: Partial<EditedGroup> = {}): EditedGroup => ({
  description: '',
  filtersIn: true,
  filtersOut: false,
  rules,
  targets: [],
  ...values,
})
const target = (namespace: string) => ({ clusterId: 1, namespace, labels: {} })
const [a, b, c, d, e] = ['1', '2', '3', '4', '5'].map((port) => rule(port)) as [
  SecurityRule,
  SecurityRule,
  SecurityRule,
  SecurityRule,
  SecurityRule,
]

test('changes of different rules, targets and fields are merged, and nothing of either is lost', () => {
  const noted = { ...c, note: 'for the shop' }
  const base = group([a, b, c], { targets: [target('x'), target('y')] })
  const mine = group([a, rule('20'), c, d], { targets: [target('x'), target('y'), target('z')] })
  const theirs = group([b, noted, e], {
    targets: [target('y'), target('w')],
    description: 'Of theirs',
    filtersOut: true,
  })
  const { merged, conflicts, taken } = mergeGroups(base, mine, theirs)
  expect(conflicts).toEqual([])
  expect(merged).toEqual(
    group([rule('20'), noted, d, e], {
      targets: [target('y'), target('z'), target('w')],
      description: 'Of theirs',
      filtersOut: true,
    }),
  )
  expect(taken).toEqual({ rules: 3, targets: 2, others: 2 })
})

test('what both changed is a choice, and mine stands until theirs is taken', () => {
  const base = group([a, b, c], { description: 'Before' })
  const [mineB, theirB] = [rule('20'), rule('21')]
  const mine = group([a, mineB], { description: 'Mine' })
  const theirs = group([a, theirB, { ...c, note: 'kept' }], { description: 'Theirs' })
  const { merged, conflicts } = mergeGroups(base, mine, theirs)
  expect(merged).toEqual(group([a, mineB], { description: 'Mine' }))
  expect(conflicts).toEqual([
    { kind: 'rule', number: 2, mine: mineB, theirs: theirB },
    { kind: 'rule', number: 3, mine: undefined, theirs: { ...c, note: 'kept' } },
    { kind: 'description', mine: 'Mine', theirs: 'Theirs' },
  ])
  expect(conflicts.reduce(takeTheirs, merged)).toEqual(theirs)
})

test('the same change of both is one, and no change of mine takes theirs as it is', () => {
  const base = group([a, b])
  const both = group([a, rule('20'), d])
  expect(mergeGroups(base, both, both)).toEqual({
    merged: both,
    conflicts: [],
    taken: { rules: 0, targets: 0, others: 0 },
  })
  const theirs = group([b, e], { targets: [target('x')], filtersIn: false })
  expect(mergeGroups(base, base, theirs).merged).toEqual(theirs)
  // The order of keys says nothing.
  const turned = Object.fromEntries(Object.entries(a).toReversed()) as SecurityRule
  expect(mergeGroups(base, group([turned, b]), theirs).conflicts).toEqual([])
})
