import type { Paper, PaperBlock, PaperFigure } from '@bey/contract/paper/paper'
import { paperBounds } from '@bey/contract/paper/bounds'
import type { ReportParameters } from '@bey/contract/reports/rules'
import type { Read } from './reads.ts'
import type { Span } from './period.ts'

/** What a kind of report is made from. */
export type Material = {
  read: Read
  parameters: ReportParameters
  span: Span
  before: Span
  now: Date
}

/** What a kind of report makes: the paper without its head. */
export type Draft = Pick<Paper, 'unread' | 'sections' | 'sources'>

/** Collects the sources and gaps of a paper while it is written. */
export function createDraft() {
  const unread: string[] = []
  const sources: Paper['sources'] = []
  const sections: Paper['sections'] = []
  return {
    /** Answers the number of the source, by which figures and tables name it. */
    source(label: string, text: string, path: string | null): number {
      const number = sources.length + 1
      sources.push({ number, label: fit(label), text: fit(text), path })
      return number
    },
    missing(sentence: string): void {
      if (unread.length < paperBounds.maxUnread) unread.push(fit(sentence))
    },
    section(id: string, title: string, ...blocks: PaperBlock[]): void {
      sections.push({ id, title, blocks })
    },
    finish(): Draft {
      return { unread, sections, sources }
    },
  }
}

/** A text as long as a cell may be. */
export const fit = (text: string) =>
  text.length <= paperBounds.maxTextLength ? text : `${text.slice(0, paperBounds.maxTextLength - 1)}…`

export const lead = (text: string): PaperBlock => ({ kind: 'text', text, isLead: true })

export function figure(
  id: string,
  label: string,
  value: string | number,
  more: { before?: string | null; isEstimate?: boolean; source?: number | null } = {},
): PaperFigure {
  return {
    id,
    label,
    value: typeof value === 'number' ? value.toLocaleString('en') : value,
    before: more.before ?? null,
    isEstimate: more.isEstimate ?? false,
    source: more.source ?? null,
  }
}

/** Columns whose name ends with " #" hold numbers. */
export function table(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  more: { emptyText: string; note?: string; source?: number | null },
): PaperBlock {
  const { maxRows } = paperBounds
  const leftOut = rows.length - maxRows
  return {
    kind: 'table',
    title,
    columns: columns.map((name) => ({ name: name.replace(/ #$/, ''), isNumber: name.endsWith(' #') })),
    rows: rows.slice(0, maxRows).map((row) => row.map(fit)),
    emptyText: more.emptyText,
    note: leftOut > 0 ? `${leftOut.toLocaleString('en')} more rows are left out.` : (more.note ?? ''),
    source: more.source ?? null,
  }
}

/** "1 run", "2 runs" */
export const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`

/** "4 min", "3.2 h", "2 d" */
export function durationText(ms: number): string {
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`
  if (ms < 48 * 3_600_000) return `${(ms / 3_600_000).toFixed(1)} h`
  return `${Math.round(ms / 86_400_000)} d`
}

export const percentText = (share: number) =>
  `${(share * 100).toFixed(share > 0.999 || share < 0.1 ? 1 : 0)} %`
