import { expect, test, vi } from 'vitest'
import { fakeClock } from '../../../testing/clock.ts'
import { createMerge, livePatience, wholePatience } from './merge.ts'

type Item = { at: string; source: number }

const at = (ms: number) => `2026-01-01T00:00:00.${String(ms).padStart(9, '0')}Z`

function merged(patience: typeof livePatience) {
  const clock = fakeClock()
  const written: Item[] = []
  const merge = createMerge<Item>({ clock, patience, write: (items) => written.push(...items) > 0 })
  return { clock, merge, written }
}

/** A repeatable series of numbers from 0 to 1. */
function series(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

test.each([1, 2, 3, 4, 5])(
  'a log that is read to its end is in order of time however its sources dawdle (%i)',
  async (seed) => {
    const random = series(seed)
    const { clock, merge, written } = merged(wholePatience)
    const sources = Array.from({ length: 7 }, (_, source) => {
      const items = Array.from({ length: 60 }, (__, index) => ({ at: at(index * 7 + source), source }))
      return { channel: merge.open(), items, isOpen: false }
    })
    const waiting = new Set(sources)
    while (waiting.size > 0) {
      const each = [...waiting][Math.floor(random() * waiting.size)]
      if (!each) break
      // A second passes between two answers, as it does on a machine that is busy with something else.
      clock.advance(random() * 1_500)
      if (!each.isOpen) each.channel.opened()
      each.isOpen = true
      each.channel.push(each.items.splice(0, Math.ceil(random() * 20)))
      if (each.items.length === 0) {
        each.channel.end()
        waiting.delete(each)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    await vi.waitFor(() => expect(merge.isEmpty()).toBe(true), { timeout: 60_000 })
    expect(written).toHaveLength(7 * 60)
    const times = written.map((item) => item.at)
    expect(times).toEqual(times.toSorted())
  },
)

test('of a log that is followed, what comes late is written late, and each source stays in its order', async () => {
  const { clock, merge, written } = merged(livePatience)
  const [quick, slow] = [merge.open(), merge.open()]
  quick.opened()
  slow.opened()
  quick.push([{ at: at(2), source: 1 }])
  clock.advance(livePatience.silentMs + 1)
  await vi.waitFor(() => expect(written).toHaveLength(1), { timeout: 60_000 })
  slow.push([
    { at: at(1), source: 2 },
    { at: at(3), source: 2 },
  ])
  quick.push([{ at: at(4), source: 1 }])
  clock.advance(livePatience.silentMs + 1)
  await vi.waitFor(() => expect(written).toHaveLength(4), { timeout: 60_000 })
  expect(written.map((item) => item.at)).toEqual([at(2), at(1), at(3), at(4)])
})

test('a source that never answers keeps a whole log waiting for a minute, not for ever', async () => {
  const { clock, merge, written } = merged(wholePatience)
  merge.open()
  const answering = merge.open()
  answering.opened()
  answering.push([{ at: at(1), source: 2 }])
  answering.end()
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(30_000)
  expect(written).toEqual([])
  clock.advance(31_000)
  await vi.waitFor(() => expect(written).toHaveLength(1), { timeout: 60_000 })
})
