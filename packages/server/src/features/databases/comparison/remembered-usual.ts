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

/** The weeks before are over; what is written to them later by hand is seen after so long. */
const keptMs = 60 * 60_000
/** Lists of databases by metric and range, of all organizations. */
const maxKept = 40
const hourMs = 3_600_000

/** Reads what is usual, and remembers it: the same question is asked by everybody who looks, every 15 s. */
export function rememberUsual(metrics: Pick<Metrics, 'read'>, clock: Clock): ReadUsual {
  const kept = new Map<string, { untilMs: number; usual: Promise<UsualHours[]> }>()

  return function read(organizationId, asked, range) {
    const stepMs = Math.max(hourMs, range.stepMs)
    const span = [Math.floor(range.fromMs / stepMs), Math.ceil(range.toMs / stepMs)]
    const key = [
      organizationId,
      range.stepMs,
      ...span,
      ...asked.map(({ row, metric }) => `${row.id} ${row.engine} ${metric}`),
    ].join()
    const nowMs = clock.monotonicMs()
    for (const [old, { untilMs }] of kept) if (untilMs <= nowMs || kept.size > maxKept) kept.delete(old)
    const known = kept.get(key)
    if (known !== undefined) return known.usual
    const usual = readUsual(metrics, organizationId, asked, range)
    kept.set(key, { untilMs: nowMs + keptMs, usual })
    usual.catch(() => kept.delete(key))
    return usual
  }
}

export type RememberedUsual = ReadUsual
