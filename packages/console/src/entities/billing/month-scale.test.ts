import { expect, test } from 'vitest'
import { axisMoneyText } from './money.ts'
import { sumsOf, ticksOf } from './month-scale.ts'

test('sums grow by each day, and a correction lowers them', () => {
  expect(sumsOf([{ amount: '2.5' }, { amount: '-1' }, { amount: '0' }])).toEqual([2.5, 1.5, 1.5])
})

test('an axis has round values and holds the highest', () => {
  expect(ticksOf(7_310)).toEqual({ most: 8_000, ticks: [0, 2_000, 4_000, 6_000, 8_000] })
  for (const highest of [0.002, 3, 99, 123_456]) expect(ticksOf(highest).most).toBeGreaterThanOrEqual(highest)
  expect(ticksOf(0)).toEqual({ most: 1, ticks: [0] })
})

test.each([0.002, 0.02, 0.7, 3, 99, 2_600, 7_310, 123_456])(
  'no two values of an axis up to %f read the same, with much room and with little',
  (highest) => {
    const { ticks } = ticksOf(highest)
    for (const isShort of [false, true]) {
      const texts = ticks.map((tick) => axisMoneyText(tick, 'EUR', ticks[1] ?? 0, isShort))
      expect(new Set(texts).size, texts.join(' ')).toBe(ticks.length)
    }
  },
)

test('an axis writes no more digits than its steps have', () => {
  const texts = (highest: number, isShort: boolean) => {
    const { ticks } = ticksOf(highest)
    return ticks.map((tick) => axisMoneyText(tick, 'EUR', ticks[1] ?? 0, isShort))
  }
  expect(texts(0.02, true)).toEqual(['€0.00', '€0.01', '€0.02', '€0.03'])
  expect(texts(0.9, false)).toEqual(['€0.00', '€0.25', '€0.50', '€0.75', '€1.00'])
  expect(texts(7_310, true)).toEqual(['€0', '€2K', '€4K', '€6K', '€8K'])
})
