import { expect, test } from 'vitest'
import { boardSentence, differenceOf, differenceText } from './difference.ts'

const weeks = [
  [10, 11, 12],
  [9, 10, 11],
  [10, 10, 11],
  [12, 11, 10],
]

test('a value within the usual deviation is as before, one outside differs', () => {
  expect(differenceOf(12, weeks).state).toBe('usual')
  expect(differenceOf(30, weeks)).toMatchObject({ state: 'differs', usual: 10.5 })
  expect(differenceOf(1, weeks).state).toBe('differs')
})

test('the same per cent is a difference in a calm series and none in a restless one', () => {
  const calm = weeks.map(() => [100, 100, 101])
  const restless = weeks.map(() => [60, 100, 140])
  expect(differenceOf(130, calm).state).toBe('differs')
  expect(differenceOf(130, restless).state).toBe('usual')
})

test('a difference that the figure does not show is none', () => {
  const flat = weeks.map(() => [5, 5, 5])
  expect(differenceOf(5.004, flat).state).toBe('usual')
  expect(differenceOf(6, flat).state).toBe('differs')
})

test('less than four measured weeks are too little history, and no value is no data', () => {
  expect(differenceOf(30, weeks.slice(1)).state).toBe('short_history')
  expect(differenceOf(30, [...weeks.slice(1), [null, null]]).state).toBe('short_history')
  expect(differenceOf(null, weeks).state).toBe('no_data')
})

test('a difference is said as a factor, and as per cent where it is small', () => {
  expect(differenceText({ now: 42, usual: 2 })).toBe('×21')
  expect(differenceText({ now: 5, usual: 2 })).toBe('×2.5')
  expect(differenceText({ now: 1, usual: 3 })).toBe('÷3')
  expect(differenceText({ now: 0, usual: 3 })).toBe('−100%')
  expect(differenceText({ now: 12, usual: 10 })).toBe('+20%')
  expect(differenceText({ now: 3, usual: 0 })).toBe('from 0')
})

const panel = (
  title: string,
  state: 'differs' | 'usual' | 'short_history' | 'no_data' | 'failed',
  text = '',
) => ({
  title,
  state,
  text,
})

test('the sentence counts and names what differs', () => {
  expect(boardSentence([panel('Restarts', 'differs', '×13'), panel('CPU used', 'usual')])).toBe(
    '1 of 2 panels differs from the weeks before: restarts ×13.',
  )
  expect(boardSentence(['A', 'B', 'C', 'D', 'E'].map((title) => panel(title, 'differs', '×2')))).toBe(
    '5 of 5 panels differ from the weeks before: A ×2, B ×2, C ×2 and 2 more.',
  )
})

test('the sentence says when nothing can be compared', () => {
  expect(boardSentence([])).toBe('No panel measures anything yet.')
  expect(boardSentence([panel('A', 'no_data')])).toBe('Nothing was measured in the last hour.')
  expect(boardSentence([panel('A', 'short_history'), panel('B', 'no_data')])).toBe(
    'Too little history to compare with: less than 4 weeks.',
  )
  expect(boardSentence([panel('A', 'usual'), panel('B', 'short_history')])).toBe(
    'No panel differs from the weeks before; 1 has too little history.',
  )
  expect(boardSentence([panel('A', 'usual'), panel('B', 'failed')])).toBe(
    'No panel differs from the weeks before. 1 of 2 cannot be read.',
  )
})
