import { useCallback, useMemo } from 'react'
import { useChangeSearch } from '../../lib/change-search.ts'
import { useListLocation } from '../../lib/list-location.ts'
import type { ChartRange } from '../../ui/chart/chart-types.ts'

const periods = { '1h': 3_600, '6h': 21_600, '24h': 86_400, '7d': 604_800, '30d': 2_592_000 } as const
export type Period = keyof typeof periods

export const periodLabels: Record<Period, string> = {
  '1h': '1 h',
  '6h': '6 h',
  '24h': '24 h',
  '7d': '7 d',
  '30d': '30 d',
}

const leastSeconds = 300

/** The time that charts of a page show, as the address says it: a period that ends now, or two times of a selection. */
export function useChartRange(usual: Period) {
  const { period: text } = useListLocation().search
  const change = useChangeSearch()
  const zoomed = useMemo(() => parseSelection(text), [text])
  const period = zoomed ? undefined : text !== undefined && text in periods ? (text as Period) : usual
  const choose = useCallback(
    (next: Period) => change({ period: next === usual ? undefined : next }),
    [change, usual],
  )
  const zoom = useCallback(
    ({ fromMs, toMs }: ChartRange) => {
      const from = Math.floor(fromMs / 1000)
      change({ period: `${from}-${Math.max(Math.ceil(toMs / 1000), from + leastSeconds)}` }, { isStep: true })
    },
    [change],
  )
  const zoomOut = useCallback(() => change({ period: undefined }), [change])
  return {
    period,
    rangeSeconds: zoomed ? zoomed.to - zoomed.from : periods[period ?? usual],
    end: zoomed ? new Date(zoomed.to * 1000).toISOString() : undefined,
    choose,
    zoom,
    zoomOut: zoomed ? zoomOut : undefined,
  }
}

export type ChartRangeControl = ReturnType<typeof useChartRange>

/** "1763800000-1763803600"; anything else is no selection. */
function parseSelection(text: string | undefined): { from: number; to: number } | undefined {
  const match = /^(\d{9,10})-(\d{9,10})$/.exec(text ?? '')
  const [from, to] = [Number(match?.[1]), Number(match?.[2])]
  return to - from >= 60 && to - from <= 31_622_400 ? { from, to } : undefined
}
