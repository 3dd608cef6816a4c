import { expect, test } from 'vitest'
import { labelMatcher } from './label-matcher.ts'

const web = { labels: { app: 'web', tier: 'front' } }

test('a selector wants labels, other values of them, any value, or none', () => {
  const matches = (selector: string) => labelMatcher(selector)(web)
  expect(matches('app=web')).toBe(true)
  expect(matches('app==web, tier = front')).toBe(true)
  expect(matches('app=api')).toBe(false)
  expect(matches('tier!=system')).toBe(true)
  expect(matches('tier!=front')).toBe(false)
  expect(matches('none!=x')).toBe(true)
  expect(matches('app')).toBe(true)
  expect(matches('!app')).toBe(false)
  expect(matches('!old')).toBe(true)
  expect(matches('app in (api, web),tier notin (back)')).toBe(true)
  expect(matches('app in (api,job)')).toBe(false)
  expect(matches('app notin (web)')).toBe(false)
  expect(matches('none in (x)')).toBe(false)
  expect(matches('none notin (x)')).toBe(true)
  expect(matches('constructor')).toBe(false)
  expect(labelMatcher(undefined)(web)).toBe(true)
})
