import { expect, test } from 'vitest'
import { hiddenLinesText, ruleText } from './log-words.ts'

test.each([
  [1, 'The one line is hidden', '1 line came while paused and was dropped'],
  [2, 'All 2 lines are hidden', '2 lines came while paused and were dropped'],
  [1204, 'All 1,204 lines are hidden', '1,204 lines came while paused and were dropped'],
])('of %d lines texts have the right number', (count, hidden, dropped) => {
  expect(hiddenLinesText(count)).toBe(hidden)
  expect(ruleText({ event: 'dropped', count }, 'app').text).toBe(dropped)
})
