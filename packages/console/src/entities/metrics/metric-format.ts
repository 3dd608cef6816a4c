import type { MetricUnit } from '@bey/contract'
import { absent, formatBytes, formatCpu, formatDuration, formatNumber } from '../../lib/format.ts'

/** A figure with at most three digits that count. */
const short = (value: number) =>
  formatNumber(Number(value.toPrecision(value >= 1_000 || value <= -1_000 ? 6 : 3)))

/** How values of a unit are written; null stands for no known unit. */
export function metricFormat(unit: MetricUnit | null): (value: number) => string {
  switch (unit) {
    case 'millicores':
      return formatCpu
    case 'cores':
      return (value) => `${short(value)} ${value === 1 ? 'core' : 'cores'}`
    case 'bytes':
      return formatBytes
    case 'bytes_per_second':
      return (value) => `${formatBytes(value)}/s`
    case 'percent':
      return (value) => `${short(value)}%`
    case 'ms':
      return (value) => (value < 0 ? `−${formatDuration(-value)}` : formatDuration(value))
    case 'seconds':
      return (value) => formatDuration(value * 1_000)
    case 'per_second':
      return (value) => `${short(value)}/s`
    case 'per_minute':
      return (value) => `${short(value)}/min`
    case 'count':
    case null:
      return short
  }
}

/** A share × 100, as an axis of shares writes it. */
export const wholePercent = (value: number) => `${Math.round(value)}%`

/** A value of now; "—" where nothing was measured. */
export const metricValueText = (value: number | null, unit: MetricUnit | null) =>
  value === null ? absent : metricFormat(unit)(value)

/** In which multiples an axis of the unit counts. */
export const baseOf = (unit: MetricUnit | null): 2 | 10 =>
  unit === 'bytes' || unit === 'bytes_per_second' ? 2 : 10
