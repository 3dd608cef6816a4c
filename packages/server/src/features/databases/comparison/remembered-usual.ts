import type { Clock } from '../../../platform/clock.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { AskedMetric } from './measured-series.ts'
import { readUsual, type UsualHours } from './usual-hours.ts'

type Range = Parameters<typeof readUsual>[3]
type ReadUsual = (
  organizationId: number,
  asked: readonly AskedMetric[],
  range: Range,
) => Promise<UsualHours[]>
type Kept = { untilMs: number; usual: Promise<UsualHours> }

/** The weeks before are over; what is written to them later by hand is seen after so long. */
const keptMs = 60 * 60_000
/** Metrics of databases over a range, of all organizations: a few KB each. */
const maxKept = 3_000
const hourMs = 3_600_000

/**
 * Reads what is usual, and remembers it of each metric of a database: the same is asked by everybody who looks, every 15 s, in
 * an order that changes.
 */
export function rememberUsual(metrics: Pick<Metrics, 'read'>, clock: Clock): ReadUsual {
  const kept = new Map<string, Kept>()

  function forget(nowMs: number): void {
    // The oldest come first.
    for (const [key, { untilMs }] of kept) {
      if (untilMs > nowMs && kept.size <= maxKept) return
      kept.delete(key)
    }
  }

  return function read(organizationId, asked, range) {
    const stepMs = Math.max(hourMs, range.stepMs)
    const span = [range.stepMs, Math.floor(range.fromMs / stepMs), Math.ceil(range.toMs / stepMs)].join()
    const keyOf = ({ row, metric }: AskedMetric) => [organizationId, row.id, row.engine, metric, span].join()
    const nowMs = clock.monotonicMs()
    forget(nowMs)
    const missing = asked.filter((each) => !kept.has(keyOf(each)))
    // Together: each read costs about as much as all of them.
    const found = missing.length === 0 ? undefined : readUsual(metrics, organizationId, missing, range)
    for (const [index, each] of missing.entries()) {
      const key = keyOf(each)
      const usual = (found ?? Promise.resolve([])).then((all) => {
        const hours = all[index]
        if (hours === undefined) throw new Error('What is usual was not read')
        return hours
      })
      const entry = { untilMs: nowMs + keptMs, usual }
      kept.set(key, entry)
      usual.catch(() => kept.get(key) === entry && kept.delete(key))
    }
    return Promise.all(asked.flatMap((each) => kept.get(keyOf(each))?.usual ?? []))
  }
}

export type RememberedUsual = ReadUsual
