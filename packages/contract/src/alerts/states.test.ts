import { describe, expect, test } from 'vitest'

import { advance, type AlertInstance, type AlertTiming, newInstance, type Observation } from './states.ts'

const minute = 60_000
const timing: AlertTiming = {
  forMs: 5 * minute,
  clearMs: 2 * minute,
  noDataMs: 3 * minute,
  maxGapMs: 2 * minute,
}

/** One observation a minute: `x` beyond the limit, `.` within it, a space where nothing was measured. */
function run(text: string, from: AlertInstance = newInstance(-minute), given: Partial<AlertTiming> = {}) {
  const moves: string[] = []
  let instance = from
  const states = text.split('').map((letter, index) => {
    const value = letter === ' ' ? null : letter === 'x' ? 10 + index : 1
    const observation: Observation = {
      atMs: instance.lastMs + minute,
      value,
      isBreached: letter === ' ' ? null : letter === 'x',
    }
    const step = advance(instance, observation, { ...timing, ...given }, Math.max)
    instance = step.instance
    if (step.move) moves.push(`${step.move}@${index}`)
    return instance.state
  })
  return { states, moves, instance }
}

describe('from each state, each observation leads to', () => {
  const ok = run('.').instance
  const pending = run('x').instance
  const firing = run('xxxxxx').instance
  const noData = run('.   ').instance
  const firedAndLost = run('xxxxxx   ').instance
  test.each([
    ['ok', ok, '.', 'ok', undefined],
    ['ok', ok, 'x', 'pending', undefined],
    ['ok', ok, ' ', 'ok', undefined],
    ['pending', pending, '.', 'ok', undefined],
    ['pending', pending, 'x', 'pending', undefined],
    ['pending', pending, ' ', 'pending', undefined],
    ['firing', firing, '.', 'firing', undefined],
    ['firing', firing, 'x', 'firing', undefined],
    ['firing', firing, ' ', 'firing', undefined],
    ['no_data', noData, '.', 'ok', 'returned@0'],
    ['no_data', noData, 'x', 'pending', 'returned@0'],
    ['no_data', noData, ' ', 'no_data', undefined],
    ['no_data after firing', firedAndLost, '.', 'firing', 'returned@0'],
    ['no_data after firing', firedAndLost, 'x', 'firing', 'returned@0'],
    ['no_data after firing', firedAndLost, ' ', 'no_data', undefined],
  ] as const)('%s', (_, from, letter, state, move) => {
    const after = run(letter, from)
    expect(after.states).toEqual([state])
    expect(after.moves[0]).toBe(move)
  })
})

test('it fires once the value is beyond the limit for the whole duration, and says since when', () => {
  const { states, moves, instance } = run('.xxxxxx')
  expect(states.slice(0, 6)).toEqual(['ok', ...Array.from({ length: 5 }, () => 'pending')])
  expect(moves).toEqual(['fired@6'])
  expect(instance).toMatchObject({
    state: 'firing',
    firedAtMs: 6 * minute,
    breachedSinceMs: minute,
    peak: 16,
  })
})

test('without a duration it fires at the first value', () => {
  expect(run('x', undefined, { forMs: 0 }).moves).toEqual(['fired@0'])
})

test('a value within the limit starts the duration again', () => {
  expect(run('xxxx.xxxxx').moves).toEqual([])
})

test('a missing value does not start it again, but a pause that is too long does', () => {
  expect(run('xx xxx').moves).toEqual(['fired@5'])
  expect(run('xx  xxxxx').moves).toEqual([])
})

test('it is resolved once the value is back for long enough, so a flapping value fires once', () => {
  expect(run('xxxxxx..').moves).toEqual(['fired@5'])
  expect(run('xxxxxx...').moves).toEqual(['fired@5', 'resolved@8'])
  expect(run(`xxxxxx${'.x'.repeat(60)}`).moves).toEqual(['fired@5'])
})

test('no data is a state of its own, and ends no episode', () => {
  const { moves, instance } = run('xxxxxx    ')
  expect(moves).toEqual(['fired@5', 'lost@8'])
  expect(instance).toMatchObject({ state: 'no_data', firedAtMs: 5 * minute })
  expect(run('...', instance).moves).toEqual(['returned@0', 'resolved@2'])
})

test('a series that never had a value has no data rather than being quiet', () => {
  expect(run('   ', newInstance(0)).states).toEqual(['ok', 'ok', 'no_data'])
})

test('a moment that was looked at changes nothing', () => {
  const { instance } = run('xxxxxx')
  const again = { atMs: instance.lastMs, value: 1, isBreached: false }
  expect(advance(instance, again, timing, Math.max)).toEqual({ instance })
})

test('a clock that is set back by an hour neither fires nor resolves, and times go on from there', () => {
  const { instance } = run('xxx', newInstance(120 * minute))
  const back = advance(instance, { atMs: 60 * minute, value: 20, isBreached: true }, timing, Math.max)
  expect(back).toMatchObject({ instance: { state: 'pending', lastMs: 60 * minute } })
  expect(back.move).toBeUndefined()
  expect(run('xxxxx', back.instance).moves).toEqual(['fired@4'])
})

test('a clock that jumps ahead by an hour does not count the hour', () => {
  const { instance } = run('xx')
  const ahead = advance(instance, { atMs: 60 * minute, value: 20, isBreached: true }, timing, Math.max)
  expect(ahead).toMatchObject({ instance: { state: 'pending', breachedSinceMs: 60 * minute } })
})
