import { timeTicks } from '../../ui/chart/chart-layout.ts'
import type { ChartRange } from '../../ui/chart/chart-types.ts'
import { zoneOffsetMs } from '../../ui/chart/time-axis.tsx'
import { parseTimeStyle, useTimeStyle } from '../../ui/time-style.ts'
import { useIsMobile } from '../../ui/use-is-mobile.ts'

/** Ticks and marks are laid out for this width, and placed by their share of it. */
export const nominalPx = { wide: 400, phone: 130 }

export interface AxisTick {
  at: number
  share: number
  isLabelled: boolean
  isDay: boolean
}

/** Round times of a range in the reader's zone, placed by their share of its width. */
export function useAxisTicks(range: ChartRange | undefined): readonly AxisTick[] {
  const widthPx = useIsMobile() ? nominalPx.phone : nominalPx.wide
  const { timeZone } = parseTimeStyle(useTimeStyle())
  if (range === undefined) return []
  return timeTicks(range, widthPx, zoneOffsetMs(range.toMs, timeZone)).map((tick) => ({
    ...tick,
    share: shareOf(tick.at, range),
  }))
}

export const shareOf = (at: number, { fromMs, toMs }: ChartRange) => (at - fromMs) / (toMs - fromMs)
