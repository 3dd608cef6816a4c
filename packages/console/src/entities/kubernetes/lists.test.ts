import { expect, test } from 'vitest'
import { kubectlGet } from './kubectl-get.ts'
import { filterChange } from './label-filter.ts'
import { inRememberedOrder } from './steady-rows.ts'

test('a filter with = or ! means labels, everything else a part of a name', () => {
  expect(filterChange('web')).toEqual({ q: 'web', label: undefined })
  expect(filterChange('app=web,tier!=system')).toEqual({ q: undefined, label: 'app=web,tier!=system' })
  expect(filterChange('!old')).toEqual({ q: undefined, label: '!old' })
})

test('the command prints the same list', () => {
  const base = { clusterTitle: 'prod-eu-1', resources: 'pods' }
  expect(kubectlGet(base)).toBe('kubectl --context bey-prod-eu-1 get pods -A')
  expect(kubectlGet({ ...base, namespace: 'shop', labels: 'app=web' })).toBe(
    'kubectl --context bey-prod-eu-1 get pods -n shop -l app=web',
  )
  expect(kubectlGet({ ...base, labels: '!old; rm' })).toBe(
    "kubectl --context bey-prod-eu-1 get pods -A -l '!old; rm'",
  )
  expect(kubectlGet({ ...base, clusterTitle: 'a b', isNamespaced: false })).toBe(
    "kubectl --context 'bey-a b' get pods",
  )
})

test('rows keep their place while somebody points at them; what is new comes last, what is gone goes', () => {
  const row = (key: string, group: string) => ({ key, group })
  const steady = inRememberedOrder(
    [row('c', 'failing'), row('a', 'healthy'), row('n', 'healthy')],
    [row('a', 'healthy'), row('b', 'healthy'), row('c', 'healthy')],
    ({ key }) => key,
    ({ group }) => group,
  )
  expect(steady.rows.map(({ key }) => key)).toEqual(['a', 'c', 'n'])
  expect(steady.movedCount).toBe(2)
  expect(
    inRememberedOrder(
      [row('a', 'x'), row('b', 'x')],
      [row('a', 'x'), row('z', 'x'), row('b', 'x')],
      ({ key }) => key,
      ({ group }) => group,
    ).movedCount,
  ).toBe(0)
})
