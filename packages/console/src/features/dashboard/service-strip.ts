import type { ServiceCell, ServiceRow } from '@bey/contract'
import { serviceCells } from '@bey/contract'
import { formatCount } from '../../lib/format.ts'

const worse = (a: ServiceCell, b: ServiceCell): ServiceCell =>
  serviceCells.indexOf(a) >= serviceCells.indexOf(b) ? a : b

/** Several steps as one, the worst of them; the newest ones end the strip. */
export function widerCells(cells: readonly ServiceCell[], by: number): ServiceCell[] {
  const wider: ServiceCell[] = []
  for (let end = cells.length; end > 0; end -= by) {
    wider.unshift(cells.slice(Math.max(0, end - by), end).reduce(worse))
  }
  return wider
}

/** When the oldest failure began that goes on; undefined where nothing fails now. */
export function failingSince(
  rows: readonly ServiceRow[],
  fromMs: number,
  stepMs: number,
): number | undefined {
  const begins = rows.flatMap(({ state, cells }) => {
    const last = cells.findLastIndex((cell) => cell !== 'none')
    if (state !== 'failing' || cells[last] !== 'failing') return []
    const before = cells.findLastIndex((cell, index) => index < last && cell !== 'failing')
    return [fromMs + (before + 1) * stepMs]
  })
  return begins.length === 0 ? undefined : Math.min(...begins)
}

/** A strip in words: "Health of prod-eu-1: 2 of 96 steps failing, 1 degraded, 40 not measured". */
export function stripText(name: string, cells: readonly ServiceCell[]): string {
  const count = (cell: ServiceCell) => cells.filter((each) => each === cell).length
  return `Health of ${name}: ${count('failing')} of ${formatCount(cells.length, 'step')} failing, ${count('warn')} degraded, ${count('none')} not measured`
}

const listed = 3

/** "Nightly backup, Deploy shop and 4 more". */
export function markText(marks: readonly { text: string }[]): string {
  const texts = [...new Set(marks.map(({ text }) => text))]
  const more = texts.length - listed
  return more > 0 ? `${texts.slice(0, listed).join(', ')} and ${more} more` : texts.join(', ')
}
