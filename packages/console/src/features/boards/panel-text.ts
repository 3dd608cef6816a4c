import type { PanelUnit } from '@bey/contract'
import { formatBytes, formatCpu, formatDuration, formatNumber } from '../../lib/format.ts'

/** Three digits are what a figure of a board shows. */
const short = (value: number) => formatNumber(Number(value.toPrecision(3)))

/** Writes a value in its unit; `known` is the unit that the expression has by itself. */
export function unitFormat(unit: PanelUnit, known: PanelUnit | null): (value: number) => string {
  switch (unit === 'auto' ? (known ?? 'count') : unit) {
    case 'percent':
      return (value) => `${short(value)}%`
    case 'bytes':
      return (value) => formatBytes(value)
    case 'bytes_per_second':
      return (value) => `${formatBytes(value)}/s`
    case 'millicores':
      return (value) => formatCpu(value)
    case 'cores':
      return (value) => formatCpu(value * 1000)
    case 'ms':
      return (value) => formatDuration(value)
    case 'seconds':
      return (value) => formatDuration(value * 1000)
    case 'per_second':
      return (value) => `${short(value)}/s`
    case 'per_minute':
      return (value) => `${short(value)}/min`
    case 'count':
    case 'auto':
      return short
  }
}

/** Whether values of this unit count in powers of two. */
export const baseOf = (unit: PanelUnit): 2 | 10 => (unit === 'bytes' || unit === 'bytes_per_second' ? 2 : 10)

export type Severity = 'ok' | 'warn' | 'danger'

/** How a value is judged by the thresholds of its panel. */
export function severityOf(
  value: number | null | undefined,
  { warn, danger }: { warn: number | null; danger: number | null },
): Severity {
  if (value == null) return 'ok'
  if (danger !== null && value >= danger) return 'danger'
  return warn !== null && value >= warn ? 'warn' : 'ok'
}

export const severityColors: Readonly<Record<Severity, string>> = {
  ok: 'var(--line-strong)',
  warn: 'var(--warn)',
  danger: 'var(--danger)',
}
