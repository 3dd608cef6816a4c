import type { SqlResult } from '@bey/contract'
import { expect, test } from 'vitest'
import { chartOf } from './result-chart.ts'

const result = (types: Record<string, string>, rows: (string | null)[][]): SqlResult => ({
  columns: Object.entries(types).map(([name, type]) => ({
    name,
    type,
    isNumeric: /^(?:int|bigint|numeric|double)/.test(type),
  })),
  rows,
  command: 'SELECT',
  affectedRows: rows.length,
  isTruncated: false,
  cutValues: 0,
  durationMs: 1,
  notices: [],
  error: null,
})

test('numbers against evenly spaced times are lines, in order and with gaps', () => {
  const hours = result({ hour: 'timestamp with time zone', n: 'bigint', label: 'text', total: 'numeric' }, [
    ['2026-01-01 02:00:00+00', '3', 'c', '1.5'],
    ['2026-01-01 00:00:00+00', '1', 'a', null],
    ['2026-01-01 04:00:00.000000+00', '5', 'e', 'NaN'],
    ['2026-01-01 01:00:00+00', '2', 'b', '0'],
  ])
  const start = Date.UTC(2026, 0, 1)
  expect(chartOf(hours)).toEqual({
    kind: 'time',
    axis: 'hour',
    stepMs: 3_600_000,
    times: [0, 1, 2, 3, 4].map((hour) => start + hour * 3_600_000),
    series: [
      { name: 'n', values: [1, 2, 3, null, 5] },
      { name: 'total', values: [null, 0, 1.5, null, null] },
    ],
  })
})

test('numbers against names are bars, and so are those against months', () => {
  expect(
    chartOf(
      result({ region: 'text', n: 'bigint' }, [
        ['eu', '3'],
        [null, '-2'],
      ]),
    ),
  ).toEqual({
    kind: 'names',
    axis: 'region',
    names: ['eu', 'NULL'],
    series: [{ name: 'n', values: [3, -2] }],
  })
  const months = [
    ['2026-01-01', '1'],
    ['2026-02-01', '2'],
    ['2026-03-01', '3'],
  ]
  expect(chartOf(result({ month: 'date', n: 'bigint' }, months))).toMatchObject({ kind: 'names' })
  expect(chartOf(result({ year: 'integer', n: 'bigint' }, [['2026', '7']]))).toMatchObject({
    kind: 'names',
    names: ['2026'],
  })
})

test('a result that suits no chart says why', () => {
  const reasonOf = (...given: Parameters<typeof result>) => {
    const chart = chartOf(result(...given))
    return chart.kind === 'none' ? chart.reason : chart.kind
  }
  expect(reasonOf({ n: 'bigint', name: 'text' }, [])).toContain('no rows')
  expect(reasonOf({ name: 'text', note: 'text' }, [['a', 'b']])).toContain('No column has numbers')
  expect(reasonOf({ n: 'bigint' }, [['1']])).toContain('times or names beside the numbers')
  const many = Array.from({ length: 51 }, (_, index) => [`name ${index}`, '1'])
  expect(reasonOf({ name: 'text', n: 'bigint' }, many)).toContain('these are 51')
  const uneven = many.map((_, index) => [
    `2026-01-01 00:00:${index === 50 ? '50.3' : String(index).padStart(2, '0')}`,
    '1',
  ])
  expect(reasonOf({ at: 'timestamp without time zone', n: 'bigint' }, uneven)).toContain('not evenly spaced')
})
