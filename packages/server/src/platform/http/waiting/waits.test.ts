import { setImmediate as settled } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fakeClock } from '../../../testing/clock.ts'
import { createWaits } from './waits.ts'

function world(bounds = { all: 3, ofUser: 2 }) {
  const clock = fakeClock()
  const state = { position: 0, isOver: false, asked: 0 }
  const waits = createWaits({ clock, position: () => String(state.position), bounds })
  const begin = (userId = 1, signal = new AbortController().signal, seconds = 5) =>
    waits.until({ organizationId: 1, userId, seconds, signal }, async () => {
      state.asked += 1
      return state.isOver
    })
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      clock.advance(100)
      await settled()
    }
  }
  return { state, waits, begin, pass }
}

test('a wait asks when something changed, and ends with the work', async () => {
  const { state, begin, pass } = world()
  const waited = begin()
  await pass(1_000)
  expect(state.asked).toBe(1)
  Object.assign(state, { position: 1, isOver: true })
  await pass(100)
  expect([await waited, state.asked]).toEqual(['over', 2])
})

test('a wait without an event asks anyway, and ends when its time is up', async () => {
  const { state, begin, pass } = world()
  const waited = begin()
  await pass(5_100)
  expect([await waited, state.asked]).toEqual(['not over', 4])
})

test('a client that hangs up and a server that stops end waits, and make room for others', async () => {
  const { waits, begin, pass } = world()
  const client = new AbortController()
  const hungUp = begin(1, client.signal)
  const second = begin(1)
  expect(await begin(1)).toBe('full')
  const ofAnother = begin(2)
  expect(await begin(3)).toBe('full')
  client.abort()
  expect(await hungUp).toBe('not over')
  const inItsPlace = begin(1)
  await pass(100)
  waits.close()
  expect(await Promise.all([second, ofAnother, inItsPlace])).toEqual(Array(3).fill('not over'))
  expect(await begin(4)).toBe('full')
})
