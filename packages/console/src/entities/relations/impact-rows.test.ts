import { expect, test } from 'vitest'
import type { Impact, ImpactRow } from '../../data/relations.ts'
import { impactLines, newlyReached } from './impact-rows.ts'

const row = (more: Partial<ImpactRow>): ImpactRow => ({
  id: 'service:1.shop.web',
  kind: 'service',
  name: 'web',
  cluster: null,
  namespace: 'shop',
  health: null,
  href: '/',
  effect: 'stops',
  when: 'at_once',
  step: 1,
  text: 'answers no request',
  by: 'web',
  ...more,
})

test('pods that stop together are one line, and what comes first stands first', () => {
  const pods = ['a', 'b', 'c'].map((name) =>
    row({ id: `pod:1.shop.${name}`, kind: 'pod', name, text: 'does not start', when: 'next_restart' }),
  )
  expect(impactLines([...pods, row({})]).map(({ name, when }) => [name, when])).toEqual([
    ['web', 'at_once'],
    ['3 pods', 'next_restart'],
  ])
})

test('what came to need it meanwhile is counted, what went is not', () => {
  const impact = (...ids: string[]) =>
    ({ reached: ids.map((id) => ({ id, step: 1 })), total: ids.length }) as unknown as Impact
  expect(newlyReached(impact('a', 'b'), impact('a', 'b'))).toBe(0)
  expect(newlyReached(impact('a', 'b'), impact('b', 'c', 'd'))).toBe(2)
  expect(newlyReached(impact('a', 'b'), impact('a'))).toBe(0)
})
