import { expect, test } from 'vitest'
import { barHeightPx } from './bar-frame.tsx'
import { isNearBottom } from './near-bottom.ts'

const box = (scrollTop: number, clientHeight = 800) => ({ scrollHeight: 2000, clientHeight, scrollTop })

test('near the bottom is within 100 px of it', () => {
  expect(isNearBottom(box(1099), 0)).toBe(false)
  expect(isNearBottom(box(1100), 0)).toBe(true)
  expect(isNearBottom(box(1200), 0)).toBe(true)
})

test('a page that does not scroll is at its bottom', () => {
  expect(isNearBottom({ scrollHeight: 500, clientHeight: 800, scrollTop: 0 }, 0)).toBe(true)
})

test('the room that the bar takes does not change the answer', () => {
  for (const scrollTop of [1099, 1100]) {
    const withBar = isNearBottom(box(scrollTop, 800 - barHeightPx), barHeightPx)
    expect(withBar).toBe(isNearBottom(box(scrollTop), 0))
  }
})
