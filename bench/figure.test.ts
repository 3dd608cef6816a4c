import { expect, test } from 'vitest'
import { figureText, isMissed, isMissedClearly } from './figure.ts'
import type { Figure } from './figure.ts'
import { figuresPage } from './figures-page.ts'

const figure = (parts: Partial<Figure>): Figure => ({ name: 'list of 50', value: 1.87, unit: '×', ...parts })

test('a figure is shown beside its goal', () => {
  expect(figureText(figure({ goal: 2 }))).toBe('1.87 ×  (goal at most 2 ×)')
  expect(figureText(figure({ goal: 1.5, detail: '560 against 300 µs' }))).toBe(
    '1.87 ×  (goal at most 1.50 ×, missed; 560 against 300 µs)',
  )
  expect(figureText(figure({ value: 3_641, unit: '/s', goal: 2_000, isAtLeast: true }))).toBe(
    '3,641 /s  (goal at least 2,000 /s)',
  )
  expect(figureText(figure({ value: 0.0004, unit: '' }))).toBe('0.0004')
})

test('a tenth beyond the goal is a miss, less may be noise', () => {
  for (const [value, isAtLeast, missed, clearly] of [
    [2, false, false, false],
    [2.1, false, true, false],
    [2.3, false, true, true],
    [1.9, true, true, false],
    [1.7, true, true, true],
    [2, true, false, false],
  ] as const) {
    expect(isMissed(figure({ value, goal: 2, isAtLeast })), String(value)).toBe(missed)
    expect(isMissedClearly(figure({ value, goal: 2, isAtLeast })), String(value)).toBe(clearly)
  }
})

test('the page says of each figure what it is held against and why it misses, and which benchmarks failed', () => {
  const missed = figure({ goal: 1.5, detail: 'bare | bound', cause: 'two more turns' })
  const page = figuresPage(
    new Map([
      ['http', { figures: [missed, figure({ goal: 2, cause: 'unseen' })] }],
      ['live', { figures: [], failure: 'It was not done after 150 s.' }],
    ]),
    0.2,
  )
  expect(page).toContain('## `npm run bench http`')
  expect(page).toContain(
    '| list of 50 | 1.87 × | bare \\| bound | at most 1.50 × | **missed:** two more turns |',
  )
  expect(page).not.toContain('unseen')
  expect(page).toContain('It did not come to its end: It was not done after 150 s.')
})
