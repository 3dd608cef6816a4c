import { expect, test } from 'vitest'
import { withLongest } from './run-rows.ts'

test('a run is compared with the longest of its workflow, and one alone with none', () => {
  const rows = [
    { name: 'Back up', durationMs: 4_000 },
    { name: 'Back up', durationMs: 8_000 },
    { name: 'Back up', durationMs: null },
    { name: 'Deploy', durationMs: 90_000 },
  ]
  expect(withLongest(rows).map(({ longestMs }) => longestMs)).toEqual([8_000, 8_000, 8_000, null])
})
