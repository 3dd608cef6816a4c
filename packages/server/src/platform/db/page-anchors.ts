import type { Clock } from '../clock.ts'
import { realClock } from '../clock.ts'

/** A row of a list that is ordered by time, and how many rows come before it. */
export type Anchor = { offset: number; at: Date; id: string }

const maxLists = 200
const maxAnchors = 100
/** What is inserted meanwhile moves the rows: an older anchor would show a page of long ago. */
const maxAgeMs = 60_000

type Kept = Anchor & { keptAtMs: number }

/**
 * Where pages that are far from the beginning of a list were found, so that the next one, or the same again, goes on
 * from there instead of counting its way from the first row. A bounded number is kept, of lists that were read last.
 */
export function createPageAnchors(clock: Pick<Clock, 'monotonicMs'> = realClock) {
  const lists = new Map<string, Kept[]>()

  return {
    /** The nearest anchor at or before a row of a list. */
    nearest(list: string, offset: number): Anchor | undefined {
      const oldestMs = clock.monotonicMs() - maxAgeMs
      return lists
        .get(list)
        ?.filter((each) => each.offset <= offset && each.keptAtMs >= oldestMs)
        .reduce<Kept | undefined>(
          (best, each) => (best && best.offset >= each.offset ? best : each),
          undefined,
        )
    },
    /** Keeps the first and the last row of a page. */
    keep(list: string, offset: number, rows: readonly { queuedAt: Date; id: string }[]): void {
      const keptAtMs = clock.monotonicMs()
      const ends = [...new Set([0, rows.length - 1])].flatMap((index) => {
        const row = rows[index]
        return row ? [{ offset: offset + index, at: row.queuedAt, id: row.id, keptAtMs }] : []
      })
      const others = (lists.get(list) ?? []).filter((each) => ends.every((end) => end.offset !== each.offset))
      lists.delete(list)
      lists.set(list, [...others, ...ends].slice(-maxAnchors))
      const [oldest] = lists.keys()
      if (lists.size > maxLists && oldest !== undefined) lists.delete(oldest)
    },
  }
}
