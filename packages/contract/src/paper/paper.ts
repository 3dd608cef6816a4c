import { z } from 'zod'
import { paperBounds } from './bounds.ts'
import { timestamp } from '../base/schema.ts'

const short = z.string().max(paperBounds.maxTextLength)
/** Number of the source that a figure is traced to; null where it is counted in the block itself. */
const source = z.number().int().nullable()

const text = z.object({
  kind: z.literal('text'),
  text: z.string().max(paperBounds.maxParagraphLength),
  /** The sentences that a reader should see first. */
  isLead: z.boolean(),
})

const figures = z.object({
  kind: z.literal('figures'),
  figures: z
    .array(
      z.object({
        /** The same in each issue of a report: two issues are compared by it. */
        id: short,
        label: short,
        value: short,
        /** Of the period before, with its name; null where nothing is compared. */
        before: short.nullable(),
        isEstimate: z.boolean(),
        source,
      }),
    )
    .max(paperBounds.maxFigures),
})

const table = z.object({
  kind: z.literal('table'),
  title: short,
  columns: z.array(z.object({ name: short, isNumber: z.boolean() })).max(paperBounds.maxColumns),
  rows: z.array(z.array(short)).max(paperBounds.maxRows),
  /** Shown in place of rows where there are none. */
  emptyText: short,
  /** Shown below the rows, for instance how many were left out. */
  note: short,
  source,
})

const bars = z.object({
  kind: z.literal('bars'),
  title: short,
  bars: z
    .array(
      z.object({
        label: short,
        /** From 0 to 1. */
        share: z.number(),
        value: short,
        isWarning: z.boolean(),
      }),
    )
    .max(paperBounds.maxBars),
  emptyText: short,
  source,
})

const lines = z.object({
  kind: z.literal('lines'),
  title: short,
  from: timestamp,
  to: timestamp,
  series: z
    .array(
      z.object({
        name: short,
        /** At even distances from `from` to `to`; null where nothing was measured. */
        values: z.array(z.number().nullable()).max(paperBounds.maxPoints),
      }),
    )
    .max(paperBounds.maxSeries),
  /** Written at the axis, from the bottom up. */
  ticks: z.array(z.object({ value: z.number(), text: short })).max(paperBounds.maxTicks),
  /** Written below the axis; `at` from 0 to 1. */
  times: z.array(z.object({ at: z.number(), text: short })).max(paperBounds.maxTicks),
  limit: z.object({ value: z.number(), text: short }).nullable(),
  /** Hatched: nothing was measured; from 0 to 1. */
  gaps: z.array(z.object({ from: z.number(), to: z.number(), text: short })).max(paperBounds.maxGaps),
  source,
})

/** A printable document. It is frozen with every figure in it: nothing in it is read again when it is shown. */
export const paper = z
  .object({
    title: short,
    /** Organization, what it covers and its period. */
    subtitle: short,
    /** When the data were read. */
    asOf: timestamp,
    /** The same as text, in the time zone of the document. */
    asOfText: short,
    /** A sentence for each thing that could not be read. */
    unread: z.array(short).max(paperBounds.maxUnread),
    sections: z
      .array(
        z.object({
          id: short,
          title: short,
          blocks: z.array(z.discriminatedUnion('kind', [text, figures, table, bars, lines])).max(20),
        }),
      )
      .max(paperBounds.maxSections),
    sources: z
      .array(
        z.object({
          number: z.number().int(),
          label: short,
          /** What it was read from, for instance a query or "218 runs". */
          text: short,
          /** Page of the console that shows it; null where there is none. */
          path: short.nullable(),
        }),
      )
      .max(paperBounds.maxSources),
  })
  .meta({ id: 'Paper' })

export type Paper = z.infer<typeof paper>
export type PaperSection = Paper['sections'][number]
export type PaperBlock = PaperSection['blocks'][number]
export type PaperLines = Extract<PaperBlock, { kind: 'lines' }>
export type PaperFigure = Extract<PaperBlock, { kind: 'figures' }>['figures'][number]
