import type { MetricQueryResult } from '@bey/contract'
import { usualRules } from '@bey/contract'
import { useState } from 'react'
import { useList } from '../../data/use-read.ts'
import type { ChartRangeControl } from '../../entities/metrics/chart-range.ts'
import { keyOfSeries } from './series-text.ts'

/** What is usual is an average of hours: it is asked again when the next value may change what is said of it. */
const refreshMs = 60_000

/** How one series of the answer compares with the weeks before; which one, and by which measure, the page chooses. */
export function useUsual(
  expr: string,
  data: MetricQueryResult | undefined,
  { rangeSeconds, end }: ChartRangeControl,
  source: string | undefined,
) {
  const [chosenKey, choose] = useState<string>()
  const [measure, setMeasure] = useState<{ weeks: number; deviations: number }>(usualRules.chosen)
  const series = data?.series ?? []
  const index = series.length === 1 ? 0 : series.findIndex((each) => keyOfSeries(each) === chosenKey)
  const chosen = series[index]
  const isLong = rangeSeconds > usualRules.maxRangeSeconds
  const list = useList(
    'metrics.usual',
    {
      query: {
        expr,
        range: rangeSeconds,
        ...(end !== undefined && { end }),
        ...(source !== undefined && { source }),
        ...(chosen && { series: keyOfSeries(chosen) }),
        ...measure,
      },
    },
    { isEnabled: chosen !== undefined && !isLong, ...(end === undefined && { refreshMs }) },
  )
  return {
    /** Place of the compared series in the answer; -1 where none is. */
    index,
    chosenKey,
    choose: (key: string) => choose(key === chosenKey ? undefined : key),
    measure,
    setMeasure,
    isLong,
    list,
    data: chosen && !isLong ? list.data : undefined,
  }
}

export type UsualControl = ReturnType<typeof useUsual>
