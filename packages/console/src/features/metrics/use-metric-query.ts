import type { ChartRangeControl } from '../../entities/metrics/chart-range.ts'
import { useList } from '../../data/use-read.ts'
import { curveMs } from '../../data/metric-stream.ts'

/** The answer to an expression over the range of the page, asked again while the range ends now. */
export function useMetricQuery(
  expr: string,
  { rangeSeconds, end }: ChartRangeControl,
  source: string | undefined,
) {
  const query = {
    expr,
    range: rangeSeconds,
    ...(end !== undefined && { end }),
    ...(source !== undefined && { source }),
  }
  return useList(
    'metrics.query',
    { query },
    { isEnabled: expr !== '', ...(end === undefined && { refreshMs: curveMs(rangeSeconds) }) },
  )
}

export type MetricQuery = ReturnType<typeof useMetricQuery>
