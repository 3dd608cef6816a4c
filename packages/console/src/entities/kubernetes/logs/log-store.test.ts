import type { LogRecord } from '@bey/contract'
import { expect, test } from 'vitest'
import { createMatcher, marked, nextMatch, searchPattern } from './log-search.ts'
import { noFilter } from './kept-lines.ts'
import { createLogStore } from './log-store.ts'
import { logCommand, podSuffix, ruleText } from './log-words.ts'

const at = (second: number) => new Date(second * 1000).toISOString()
const source = (number: number): LogRecord => ({
  type: 'source',
  source: number,
  pod: `web-${number}`,
  podUid: `uid-${number}`,
  container: 'app',
  kind: 'container',
  restart: 0,
})
const lines = (...texts: string[]): LogRecord => ({
  type: 'lines',
  lines: texts.map((text, index) => [1 + (index % 2), at(index), text]),
})

function given(limits?: { kept: number; waiting: number }) {
  const store = createLogStore(limits)
  store.append([{ type: 'begin', pods: 2, at: at(0) }, source(1), source(2)])
  const texts = () => store.snapshot().visible.map((entry) => (entry.kind === 'line' ? entry.text : '—'))
  return { store, texts }
}

test('lines are counted by severity and narrowed by pod, severity and field', () => {
  const { store, texts } = given()
  store.append([lines('ERROR a', 'INFO b', '{"level":"warn","user":"ada"}', '{"level":"info","user":"bob"}')])
  expect(store.snapshot()).toMatchObject({ total: 4, errors: 1, warnings: 1 })
  store.setFilter({ ...noFilter, hiddenPods: new Set(['uid-2']) })
  expect(texts()).toEqual(['ERROR a', '{"level":"warn","user":"ada"}'])
  store.setFilter({ ...noFilter, minSeverity: 'warn' })
  expect(texts()).toEqual(['ERROR a', '{"level":"warn","user":"ada"}'])
  store.setFilter({ ...noFilter, fields: [{ key: 'user', value: 'ada', isExcluded: true }] })
  expect(texts()).toEqual(['ERROR a', 'INFO b', '{"level":"info","user":"bob"}'])
  store.append([lines('INFO later')])
  expect(texts().at(-1)).toBe('INFO later')
})

test('a pause keeps what is shown, counts what waits, and says what it had to drop', () => {
  const { store, texts } = given({ kept: 100, waiting: 10 })
  store.append([lines('one')])
  store.pause()
  store.append([lines(...Array.from({ length: 8 }, (_, index) => `waits ${index}`))])
  expect(texts()).toEqual(['one'])
  expect(store.snapshot()).toMatchObject({ isPaused: true, waiting: 8, dropped: 0 })
  store.append([lines('x', 'y', 'z', 'last')])
  expect(store.snapshot()).toMatchObject({ waiting: 10, dropped: 2 })
  store.resume()
  expect(texts()).toEqual([
    'one',
    '—',
    ...Array.from({ length: 6 }, (_, index) => `waits ${index + 2}`),
    'x',
    'y',
    'z',
    'last',
  ])
  expect(store.snapshot()).toMatchObject({ isPaused: false, waiting: 0, dropped: 0 })
})

test('a bounded number of lines is kept, the newest', () => {
  const { store, texts } = given({ kept: 100, waiting: 100 })
  for (let batch = 0; batch < 50; batch += 1)
    store.append([lines(...Array.from({ length: 10 }, (_, index) => `${batch * 10 + index}`))])
  expect(store.snapshot().total).toBeLessThanOrEqual(110)
  expect(texts().at(-1)).toBe('499')
  expect(texts()).toEqual(texts().toSorted((one, other) => Number(one) - Number(other)))
})

test('a gap is a rule until what was missing has come', () => {
  const { store, texts } = given()
  store.append([lines('before')])
  store.disconnected(at(9))
  expect(texts()).toEqual(['before', '—'])
  store.append([{ type: 'begin', pods: 2, at: at(10) }, lines('after')])
  expect(texts()).toEqual(['before', 'after'])
})

test('a search counts, jumps round the ends and marks what it found', () => {
  const { store } = given()
  store.append([lines('a price', 'none', 'Price again')])
  const { pattern } = searchPattern({ text: 'price', isCaseSensitive: false, isRegex: false })
  const matcher = createMatcher()
  const ids = matcher.ids(pattern, store.snapshot().visible)
  expect(ids).toHaveLength(2)
  store.append([lines('price three')])
  expect(matcher.ids(pattern, store.snapshot().visible)).toHaveLength(3)
  const [first, second] = ids
  expect(nextMatch(ids, undefined, 1)).toBe(first)
  expect(nextMatch(ids, first, 1)).toBe(second)
  expect(nextMatch(ids, second, 1)).toBe(first)
  expect(nextMatch(ids, first, -1)).toBe(second)
  expect(marked('a Price.', pattern).filter(({ isFound }) => isFound)).toEqual([
    { text: 'Price', isFound: true },
  ])
  expect(searchPattern({ text: '(', isCaseSensitive: false, isRegex: true }).error).toBeTruthy()
  expect(searchPattern({ text: '(', isCaseSensitive: false, isRegex: false }).pattern?.test('a(b')).toBe(true)
})

test('rules and the kubectl line are in words', () => {
  const ended = { type: 'event', source: 1, at: at(0), event: 'ended', restart: 5 } as const
  expect(ruleText({ ...ended, reason: 'OOMKilled', exitCode: 137, ranMs: 38_000 }, 'app')).toEqual({
    text: 'app killed for memory, exit code 137, 38 s after its start',
    isTrouble: true,
  })
  expect(ruleText({ ...ended, event: 'started', restart: 6 }, 'app').text).toBe('app started, restart 6')
  const command = { namespace: 'a', name: 'web', container: 'app', isPrevious: false, sinceSeconds: 900 }
  expect(logCommand({ ...command, resource: 'deployments.apps' })).toBe(
    'kubectl logs -n a deploy/web -c app --all-pods --since=900s -f',
  )
  expect(podSuffix('checkout-5d4b7f9c68-xk2vq')).toBe('xk2vq')
  expect(podSuffix('solo')).toBe('solo')
})
