import { expect, test } from 'vitest'
import { seriesCsv, seriesNames } from './series-text.ts'

const series = (labels: Record<string, string>, name: string | null = 'm') => ({
  name,
  labels,
  values: [1, null],
})

test('series are named by the labels in which they differ', () => {
  const base = { entity: 'cluster', cluster: 'prod', id: '1' }
  expect(seriesNames([series({ ...base, pod: 'a' }), series({ ...base, pod: 'b' })])).toEqual(['a', 'b'])
  expect(seriesNames([series(base)])).toEqual(['prod'])
  expect(seriesNames([series({}, null)])).toEqual(['value'])
  expect(seriesNames([series({}, 'a'), series({}, 'b')])).toEqual(['a', 'b'])
  expect(seriesNames([series({ cluster: 'x', id: '1' }), series({ cluster: 'x', id: '2' })])).toEqual([
    'x (1)',
    'x (2)',
  ])
})

test('a CSV has a column per series, and a name is no formula', () => {
  const answer = {
    from: '2026-03-01T12:00:00.000Z',
    to: '2026-03-01T12:00:30.000Z',
    stepMs: 15_000,
    series: [series({ cluster: '=1+1' }), series({ cluster: 'a,"b"' })],
    seriesCount: 2,
    unit: null,
    warnings: [],
  }
  expect(seriesCsv(answer)).toBe(
    'time,\'=1+1,"a,""b"""\r\n2026-03-01T12:00:00.000Z,1,1\r\n2026-03-01T12:00:15.000Z,,\r\n',
  )
})
