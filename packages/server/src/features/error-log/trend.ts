import type { SpanRow } from './store.ts'

export type Period = '24h' | '14d'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const buckets = { '24h': { widthMs: hourMs, count: 24 }, '14d': { widthMs: dayMs, count: 14 } } as const

/** What one figure of a trend counts. */
export const trendSpan = { '24h': 'hour', '14d': 'day' } as const

/** When the first hour or day of the period began. Days are those of UTC. */
export function trendStart(period: Period, now: Date): Date {
  const { widthMs, count } = buckets[period]
  const present = Math.floor(now.getTime() / widthMs) * widthMs
  return new Date(present - (count - 1) * widthMs)
}

/** Occurrences of each hour or day of the period, the present one last. */
export function trendOf(spans: readonly SpanRow[], period: Period, now: Date): number[] {
  const { widthMs, count } = buckets[period]
  const startMs = trendStart(period, now).getTime()
  const trend = Array.from({ length: count }, () => 0)
  for (const { start, occurrenceCount } of spans) {
    const index = Math.floor((start.getTime() - startMs) / widthMs)
    if (index >= 0 && index < count) trend[index] = (trend[index] ?? 0) + occurrenceCount
  }
  return trend
}
