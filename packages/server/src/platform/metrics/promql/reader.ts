import type { ReadRange } from '../read.ts'
import type { Matcher } from './ast.ts'

/** Labels of a series. The name of the metric is the label `__name__`. */
export type SeriesLabels = Readonly<Record<string, string>>

/** A series that a store has. `ref` is the store's own. */
export type StoredSeries<Ref = unknown> = { labels: SeriesLabels; ref: Ref }

/**
 * Where the evaluator reads series. It works over this port alone, so that another store can stand behind it, such as
 * one that speaks the HTTP API of Prometheus. What it answers is of one organization, and only what the caller may see.
 */
export type SeriesReader<Ref = unknown> = {
  /** Series that match, of those that can have a value since `sinceMs`. */
  select(matchers: readonly Matcher[], sinceMs: number): Promise<StoredSeries<Ref>[]>
  /** The average of each series in each step of the range; null in steps without one. In the order given. */
  read(series: readonly StoredSeries<Ref>[], range: ReadRange): Promise<(number | null)[][]>
  /** The finest step in ms that the store still has of a time. */
  finestStepMs(atMs: number): number
}
