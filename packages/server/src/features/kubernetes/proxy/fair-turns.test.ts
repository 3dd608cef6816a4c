import { expect, test } from 'vitest'
import { fakeClock } from '../../../testing/clock.ts'
import { createFairTurns } from './fair-turns.ts'

function given(options: Partial<Parameters<typeof createFairTurns>[1]> = {}) {
  const clock = fakeClock()
  const turns = createFairTurns(clock, { slots: 2, maxWaiting: 100, turnMs: 1000, ...options })
  const order: string[] = []
  const ends: (() => void)[] = []
  const ask = async (userKey: string) => {
    const end = await turns.take(userKey)
    order.push(end ? userKey : `${userKey} refused`)
    if (end) ends.push(end)
  }
  /** Lets promises run that are ready. */
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const endOne = async () => {
    ends.shift()?.()
    await settle()
  }
  return { clock, order, ask, endOne, settle }
}

test('who asks once comes after one turn, however many of another user’s requests wait', async () => {
  const { order, ask, endOne, settle } = given()
  for (let n = 0; n < 50; n += 1) void ask('busy')
  void ask('other')
  await settle()
  expect(order).toEqual(['busy', 'busy'])
  await endOne()
  expect(order.at(-1)).toBe('other')
  for (let n = 0; n < 100; n += 1) await endOne()
  expect(order).toHaveLength(51)
})

test('users with many requests each get as many turns', async () => {
  const { order, ask, endOne, settle } = given()
  for (const user of ['a', 'b', 'c']) for (let n = 0; n < 20; n += 1) void ask(user)
  await settle()
  for (let n = 0; n < 28; n += 1) await endOne()
  for (const user of ['a', 'b', 'c']) {
    expect(order.filter((each) => each === user).length).toBeGreaterThanOrEqual(9)
  }
})

test('a turn ends by itself, so that a cluster that hangs holds nobody up', async () => {
  const { clock, order, ask, settle } = given()
  for (let n = 0; n < 2; n += 1) void ask('hangs')
  void ask('other')
  await settle()
  expect(order).not.toContain('other')
  clock.advance(1000)
  await settle()
  expect(order).toContain('other')
})

test('more than may wait are refused', async () => {
  const { order, ask, settle } = given({ maxWaiting: 3 })
  for (let n = 0; n < 6; n += 1) void ask('busy')
  await settle()
  expect(order).toEqual(['busy', 'busy', 'busy refused'])
})
