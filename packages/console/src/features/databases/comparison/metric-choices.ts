import { type ComparedMetric, comparedMetrics } from '@bey/contract'
import { formatBytes, formatDuration, formatNumber } from '../../../lib/format.ts'

const metricLabels: Readonly<Record<ComparedMetric, string>> = {
  load: 'Load',
  connections: 'Connections',
  latency: 'Latency',
  cache: 'Cache',
  lag: 'Lag',
  wal: 'WAL',
  disk: 'Disk',
}

export const metricOptions = comparedMetrics.map((value) => ({ value, label: metricLabels[value] }))

/** What each of them is, in a sentence. */
export const metricMeanings: Readonly<Record<ComparedMetric, string>> = {
  load: 'Sessions at work on average',
  connections: 'Open connections of the server',
  latency: '95 of 100 calls are of statements that take no longer on average',
  cache: 'Share of reads that memory answered',
  lag: 'How far the standby that is furthest behind is',
  wal: 'Write-ahead log written a second',
  disk: 'Size of the database',
}

/** "2.4 s", "0.4 ms": short times keep a digit. */
export const shortDuration = (ms: number) =>
  ms < 10
    ? `${Number(ms.toFixed(1))} ms`
    : ms >= 1_000 && ms < 10_000
      ? `${Number((ms / 1_000).toFixed(1))} s`
      : formatDuration(ms)

const short = (value: number) => formatNumber(Number(value.toFixed(value < 10 ? 1 : 0)))

export function formatMetric(metric: ComparedMetric, value: number): string {
  switch (metric) {
    case 'latency':
    case 'lag':
      return shortDuration(value)
    case 'cache':
      return `${short(value)}%`
    case 'wal':
      return `${formatBytes(value)}/s`
    case 'disk':
      return formatBytes(value)
    default:
      return short(value)
  }
}

/** The end of an axis is not lower, so that noise around nothing does not look like a mountain. */
const leastTop: Readonly<Record<ComparedMetric, number>> = {
  load: 1,
  connections: 10,
  latency: 5,
  cache: 100,
  lag: 1_000,
  wal: 64 * 1024,
  disk: 16 * 1024 ** 2,
}

type Line = {
  values: readonly (number | null)[]
  usual: { high: readonly (number | null)[] } | null
}

/** Twice the highest usual value; of what has no usual yet, twice its highest. A share ends at 100. */
export function axisTop(metric: ComparedMetric, { values, usual }: Line): number {
  if (metric === 'cache') return 100
  const peak = Math.max(0, ...(usual?.high ?? values).filter((value) => value !== null))
  return Math.max(leastTop[metric], 2 * peak)
}

/** One end for all rows: the highest value of any. */
export function sharedTop(metric: ComparedMetric, lines: readonly Line[]): number {
  if (metric === 'cache') return 100
  const all = lines.flatMap(({ values }) => values).filter((value) => value !== null)
  return Math.max(leastTop[metric], 1.1 * Math.max(0, ...all))
}
