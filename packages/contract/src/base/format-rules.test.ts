import { expect, test } from 'vitest'

import { formatProblem } from './format-rules.ts'

test.each([
  [
    'uri',
    ['https://example.org/a?b#c', 'postgres://db:5432/x', 'urn:isbn:1'],
    ['example.org', '/path', 'https://', 'a b:c', ''],
  ],
  ['email', ['ada@example.org'], ['ada', 'ada@', 'ada@example', '']],
  [
    'date-time',
    ['2026-01-31T08:00:00Z', '2026-01-31T08:00:00.123+02:00'],
    ['2026-01-31', '2026-01-31T08:00:00', '2026-02-30T08:00:00Z', '2026-01-31T24:00:00Z', 'now'],
  ],
  ['date', ['2026-01-31', '2028-02-29'], ['2026-02-29', '2026-1-1', '31.01.2026', '']],
  ['uuid', ['019a0000-0000-7000-8000-000000000001'], ['019a', '']],
])('%s: what fits and what does not', (format, right, wrong) => {
  expect(right.filter((text) => formatProblem(format, text) !== undefined)).toEqual([])
  expect(wrong.filter((text) => formatProblem(format, text) === undefined)).toEqual([])
})

test('a format that is not known is a note', () => {
  expect([formatProblem('color', 'x'), formatProblem(undefined, 'x')]).toEqual([undefined, undefined])
})
