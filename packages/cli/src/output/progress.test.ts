import { expect, test } from 'vitest'
import { barLine } from './progress.ts'

test('a bar fits the terminal, and a narrow one shows the share alone', () => {
  expect(barLine('deploy: running', 45)).toBe('█████████░░░░░░░░░░░  45 %  deploy: running')
  expect(barLine('deploy: running', 45, 40)).toBe(' 45 %  deploy: running')
  for (const columns of [10, 40, 80])
    expect(barLine('x'.repeat(100), 100, columns).length).toBeLessThan(columns)
})
