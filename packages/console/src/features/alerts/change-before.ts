import { useMemo } from 'react'
import { useRead } from '../../data/use-read.ts'
import { chartMarks } from '../../entities/metrics/service-marks.ts'
import type { ChartMark } from '../../ui/chart/chart-types.ts'

const minuteMs = 60_000
/** A change that lies further back is not named: too much happens in a longer time. */
const nearMs = 15 * minuteMs

/** What changed in the last day or week; of more than a week nothing is known. */
export function useAlertMarks(days: '1' | '7' | '30'): { marks: readonly ChartMark[] } {
  const { data } = useRead('analytics.services', { query: { hours: days === '1' ? 24 : 168 } })
  return { marks: useMemo(() => (data ? chartMarks(data) : []), [data]) }
}

/**
 * The newest deployment or edit in the quarter of an hour before a time, with the distance: "3 min after Deployment
 * search updated in prod-eu"; a deployment before an edit. Where a cluster is known, only what changed there. It was
 * earlier, which does not make it the cause.
 */
export function changeBefore(
  marks: readonly ChartMark[],
  atMs: number,
  cluster?: string,
): string | undefined {
  const near = marks.filter(
    (mark) =>
      mark.at <= atMs && mark.at > atMs - nearMs && (cluster === undefined || mark.cluster === cluster),
  )
  const mark = near.findLast(({ kind }) => kind === 'deploy') ?? near.findLast(({ kind }) => kind === 'edit')
  return mark && `${distanceText(atMs - mark.at)} after ${mark.text}`
}

const distanceText = (ms: number) =>
  ms < minuteMs ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / minuteMs)} min`
