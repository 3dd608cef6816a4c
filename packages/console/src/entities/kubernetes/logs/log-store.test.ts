import type { LogRecord } from '@bey/contract'
import { expect, test } from 'vitest'
import { createMatcher, marked, nextMatch, searchPattern } from '../../../features/objects/logs/log-search.ts'
import { noFilter } from './kept-lines.ts'
import { createLogStore } from './log-store.ts'
import { logCommand, podSuffix, ruleText } from '../../../features/objects/logs/log-words.ts'

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
let second = 0
/** Lines of two containers in turn, each a second later than the one before. */
const lines = (...texts: string[]): LogRecord => ({
  type: 'lines',
  lines: texts.map((text, index) => [1 + (index % 2), at((second += 1)), text]),
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

const line = (number: number, ms: number): LogRecord => ({
  type: 'lines',
  lines: [[number, at(ms / 1000), `${number} at ${ms}`]],
})

function shown(store: ReturnType<typeof createLogStore>) {
  return store.snapshot().visible.map((entry) => (entry.kind === 'line' ? entry.text : '—'))
}

test('a line that comes late stands where its time says, and the rows around it keep their ids', () => {
  const { store } = given()
  store.append([line(1, 1), line(1, 4)])
  const [first, last] = store.snapshot().visible
  store.append([line(2, 2), line(2, 3), line(2, 5)])
  expect(shown(store)).toEqual(['1 at 1', '2 at 2', '2 at 3', '1 at 4', '2 at 5'])
  const ids = store.snapshot().visible.map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect([ids[0], ids[3]]).toEqual([first?.id, last?.id])
  expect(store.snapshot().total).toBe(5)
})

test('lines of one container stay in the order in which it wrote them, though its clock went back', () => {
  const { store } = given()
  store.append([line(1, 5), line(1, 2), line(1, 3), line(2, 4)])
  expect(shown(store)).toEqual(['2 at 4', '1 at 5', '1 at 2', '1 at 3'])
})

test('what comes late while it is paused is placed when it goes on, and the filter holds for it', () => {
  const { store } = given()
  store.append([line(1, 1), line(1, 4)])
  store.setFilter({ ...noFilter, hiddenPods: new Set(['uid-1']) })
  store.pause()
  store.append([line(2, 3), line(1, 2)])
  store.resume()
  expect(shown(store)).toEqual(['2 at 3'])
  store.setFilter(noFilter)
  expect(shown(store).toSorted()).toEqual(['1 at 1', '1 at 2', '1 at 4', '2 at 3'])
})

test.each([1, 2, 3])(
  'whatever the delays, three pods end in order of time with ids that grow (%i)',
  (seed) => {
    let state = seed
    const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
    const store = createLogStore()
    store.append([{ type: 'begin', pods: 3, at: at(0) }, source(1), source(2), source(3)])
    const waiting = [1, 2, 3].map((number) =>
      Array.from({ length: 400 }, (_, index) => ({ number, ms: index * 3 + number })),
    )
    while (waiting.some((lines) => lines.length > 0)) {
      const own = waiting[Math.floor(random() * 3)] ?? []
      store.append(own.splice(0, Math.ceil(random() * 9)).map(({ number, ms }) => line(number, ms)))
    }
    const entries = store.snapshot().visible
    expect(entries).toHaveLength(1200)
    const times = entries.map((entry) => entry.at)
    expect(times).toEqual(times.toSorted())
    const ids = entries.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
  },
)

test('two hundred lines that come one by one into one gap still have ids that grow', () => {
  const { store } = given()
  store.append([line(1, 1), line(1, 1000)])
  for (let ms = 2; ms < 202; ms += 1) store.append([line(2, ms)])
  const ids = store.snapshot().visible.map(({ id }) => id)
  expect(ids).toHaveLength(202)
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b))
  expect(shown(store).at(-1)).toBe('1 at 1000')
})

test('the end of a run that a stream tells again when it goes on is shown once', () => {
  const { store, texts } = given()
  const ended = { type: 'event', source: 1, event: 'ended', at: at(1), restart: 0, exitCode: 1 } as const
  store.append([ended])
  // The next stream counts its sources anew.
  const again: LogRecord = Object.assign(source(1), { source: 3 })
  store.append([{ type: 'begin', pods: 2, at: at(2) }, source(2), again])
  store.append([
    { ...ended, source: 3 },
    { ...ended, source: 3, event: 'started', restart: 1 },
  ])
  store.append([{ ...ended, source: 3, restart: 1 }])
  expect(texts()).toEqual(['—', '—', '—'])
})
