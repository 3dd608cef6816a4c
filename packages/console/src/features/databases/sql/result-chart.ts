import type { SqlResult } from '@bey/contract'

export type ResultSeries = { name: string; values: (number | null)[] }

/** What of a result can be drawn: lines over time, bars by name, or nothing, with the reason. */
export type ResultChart =
  | { kind: 'time'; axis: string; times: number[]; stepMs: number; series: ResultSeries[] }
  | { kind: 'names'; axis: string; names: string[]; series: ResultSeries[] }
  | { kind: 'none'; reason: string }

/** Columns of numbers that are drawn, and rows that bars are drawn of. */
const most = { series: 4, bars: 50, steps: 5_000 }

/** The picture of a result: its numbers against its first column of times or names. */
export function chartOf({ columns, rows }: SqlResult): ResultChart {
  if (rows.length === 0) return { kind: 'none', reason: 'There are no rows to draw.' }
  const found = columns.findIndex(({ isNumeric }) => !isNumeric)
  // Where all are numbers, the first names the rows: an hour, a year.
  const axis = found < 0 ? 0 : found
  const column = columns[axis]
  const numbers = columns.flatMap(({ isNumeric }, index) => (isNumeric && index !== axis ? [index] : []))
  if (column === undefined || numbers.length === 0) {
    return {
      kind: 'none',
      reason:
        found < 0
          ? 'A chart needs a column of times or names beside the numbers.'
          : 'No column has numbers: a chart draws numbers against times or names.',
    }
  }
  const ordered = isTime(column.type) ? byTime(rows, axis) : undefined
  const drawn = ordered?.rows ?? rows
  const series = numbers.slice(0, most.series).map((index) => ({
    name: columns[index]?.name ?? '',
    values: drawn.map((row) => numberOf(row[index] ?? null)),
  }))
  const overTime = ordered && evenly(ordered.times, series)
  if (overTime) return { kind: 'time', axis: column.name, ...overTime }
  if (rows.length > most.bars) {
    return {
      kind: 'none',
      reason: isTime(column.type)
        ? `Times of "${column.name}" are not evenly spaced: group by date_trunc('hour', ${column.name}) or the like.`
        : `Bars suit up to ${most.bars} rows, and these are ${rows.length}: group them, or add LIMIT.`,
    }
  }
  return { kind: 'names', axis: column.name, names: drawn.map((row) => row[axis] ?? 'NULL'), series }
}

const isTime = (type: string) => type.startsWith('timestamp') || type === 'date'

/** Rows in the order of their times, in ms since 1970; undefined where one has none. */
function byTime(rows: SqlResult['rows'], axis: number) {
  const timed = rows.map((row) => ({ row, at: instantOf(row[axis] ?? '') }))
  if (timed.some(({ at }) => Number.isNaN(at))) return undefined
  const sorted = timed.toSorted((a, b) => a.at - b.at)
  return { rows: sorted.map(({ row }) => row), times: sorted.map(({ at }) => at) }
}

/** A time as PostgreSQL writes it; one without a zone is shown as it is written, so it is taken as local. */
function instantOf(text: string): number {
  const iso = text.includes(' ') ? text.replace(' ', 'T') : `${text}T00:00:00`
  return Date.parse(iso.replace(/([+-]\d\d)$/, '$1:00').replace(/(\.\d{3})\d+/, '$1'))
}

/** Series with a value for each step of time, null where there is no row; undefined where the times are in no such steps. */
function evenly(times: readonly number[], series: readonly ResultSeries[]) {
  const [first] = times
  const steps = times.slice(1).map((at, index) => at - (times[index] ?? at))
  const stepMs = Math.min(...steps)
  if (first === undefined || steps.length === 0 || stepMs <= 0) return undefined
  if (steps.some((step) => step % stepMs !== 0)) return undefined
  const places = times.map((at) => (at - first) / stepMs)
  const count = (places.at(-1) ?? 0) + 1
  if (count > most.steps) return undefined
  return {
    stepMs,
    times: Array.from({ length: count }, (_, index) => first + index * stepMs),
    series: series.map(({ name, values }) => {
      const spread: (number | null)[] = Array.from({ length: count }, () => null)
      for (const [index, place] of places.entries()) spread[place] = values[index] ?? null
      return { name, values: spread }
    }),
  }
}

function numberOf(value: string | null): number | null {
  const number = value === null ? Number.NaN : Number(value)
  return Number.isFinite(number) ? number : null
}
