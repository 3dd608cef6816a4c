import { expect, test } from 'vitest'
import { sharedWork } from './shared-work.ts'

/** Work whose ends are told by hand. */
function byHand() {
  const ends: PromiseWithResolvers<number>[] = []
  const work = () => {
    const end = Promise.withResolvers<number>()
    ends.push(end)
    return end.promise
  }
  return { ends, work }
}

test('who joins gets what is under way, and who needs what happened until now gets what begins after it', async () => {
  const { ends, work } = byHand()
  const shared = sharedWork<number>()
  const first = shared.join('a', work)
  const joined = shared.join('a', work)
  const later = [shared.begin('a', work), shared.begin('a', work)]
  expect(ends).toHaveLength(1)
  ends[0]?.resolve(1)
  expect([await first, await joined]).toEqual([1, 1])
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.resolve(2)
  expect(await Promise.all(later)).toEqual([2, 2])
  expect(ends).toHaveLength(2)
})

test('what fails is told to who shared it, and what follows begins all the same', async () => {
  const { ends, work } = byHand()
  const shared = sharedWork<number>()
  const failing = shared.join('a', work)
  const next = shared.begin('a', work)
  ends[0]?.reject(new Error('away'))
  await expect(failing).rejects.toThrow('away')
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.resolve(2)
  expect(await next).toBe(2)
  await shared.settled()
})
