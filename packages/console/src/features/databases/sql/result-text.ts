import type { SqlResult } from '@bey/contract'
import { formatCount, formatDuration, formatNumber } from '../../../lib/format.ts'

/** "0.4 ms", "1.0 s": a statement is often over before a millisecond is. */
export function formatMs(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  return ms < 1_000 || ms >= 60_000 ? formatDuration(ms) : `${(ms / 1_000).toFixed(1)} s`
}

/** "3,812 rows in 1.0 s", "UPDATE, 12 rows in 4 ms". */
export function resultText({
  command,
  rows,
  columns,
  affectedRows,
  isTruncated,
  durationMs,
}: SqlResult): string {
  const time = ` in ${formatMs(durationMs)}`
  if (columns.length > 0) {
    const some = isTruncated ? `First ${formatCount(rows.length, 'row')}` : formatCount(rows.length, 'row')
    const prefix = command === null || command === 'SELECT' ? '' : `${command}, `
    return `${prefix}${some}${time}`
  }
  const affected = affectedRows === null ? '' : `, ${formatCount(affectedRows, 'row')}`
  return `${command ?? 'Done'}${affected}${time}`
}

/** What is missing from the answer, as a sentence; undefined where nothing is. */
export function missingText({ isTruncated, cutValues, rows }: SqlResult): string | undefined {
  const parts = [
    isTruncated
      ? `There are more rows than the ${formatNumber(rows.length)} that were read: narrow the statement, or add LIMIT and OFFSET.`
      : '',
    cutValues > 0 ? `${formatCount(cutValues, 'value')} longer than 10,000 characters are cut.` : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? undefined : parts.join(' ')
}

/** RFC 4180, with NULL as an empty field and an empty text in quotes. */
export function asCsv({ columns, rows }: SqlResult): string {
  const field = (value: string | null) => {
    if (value === null) return ''
    return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
  }
  return [columns.map(({ name }) => field(name)), ...rows.map((row) => row.map(field))]
    .map((line) => line.join(','))
    .join('\r\n')
    .concat('\r\n')
}

/** A list of objects. Columns of the same name are told apart by a number, so that none is lost. */
export function asJson({ columns, rows }: SqlResult): string {
  const seen = new Map<string, number>()
  const names = columns.map(({ name }) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name}_${times}`
  })
  const objects = rows.map((row) => Object.fromEntries(row.map((value, index) => [names[index], value])))
  return `${JSON.stringify(objects, null, 2)}\n`
}
