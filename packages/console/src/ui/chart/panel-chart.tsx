import { lazy, Suspense, useMemo } from 'react'
import { lastIndex, valueAxis, valueText } from './chart-layout.ts'
import type { ChartPanel } from './chart-types.ts'
import { HoverBox } from './hover-box.tsx'
import { shownPart } from './little-history.ts'
import { SeriesEnds } from './series-ends.tsx'
import { textWidth } from './short-names.ts'
import { axisHeight } from './time-axis.tsx'
import type { TimeAreaProps } from './time-area.tsx'
import { TimeArea } from './time-area.tsx'

const Plot = lazy(() => import('./plot.tsx'))

const axisWidth = 44
/** Beside a line: its glyph, the gaps, and the least room of name and value. */
const glyphWidth = 30
const leastEndWidth = 90
/** What the marks take of the height of the lines, in px. */
const markRoom = 16

export interface PanelChartProps extends Omit<
  TimeAreaProps,
  'children' | 'hover' | 'spokenValues' | 'width'
> {
  panel: Omit<ChartPanel, 'height'>
  /** Of the value axis, the lines and their ends together. */
  boxWidth: number
  /** Whether each line ends in its name and value. */
  hasEnds: boolean
  /** Whether times and range were fitted to the values before, together with those of other panels. */
  isFitted?: boolean
}

/** Lines of one panel of a board: they share time and cursor with the panels around them. */
export function PanelChart({ panel: given, boxWidth, hasEnds, isFitted = false, ...asked }: PanelChartProps) {
  const isSelected = isFitted || asked.onZoomOut !== undefined
  const shown = useMemo(
    () => shownPart({ times: asked.times, range: asked.range, panels: [given] }, isSelected),
    [asked.times, asked.range, given, isSelected],
  )
  const { times, range } = shown
  const sinceMs = isFitted ? asked.sinceMs : shown.sinceMs
  const panel = shown.panels[0] ?? given
  const area = { ...asked, times, range, sinceMs }
  const labelWidth = hasEnds ? endWidth(panel, boxWidth) : 8
  const width = Math.max(60, boxWidth - axisWidth - labelWidth)
  const plotHeight = Math.max(30, area.height - axisHeight)
  const hasMarks = asked.marks.length > 0
  const axis = useMemo(
    () => axisBelowMarks(panel, hasMarks ? plotHeight : undefined),
    [panel, hasMarks, plotHeight],
  )
  const sized = { ...panel, height: plotHeight }
  const spoken = (index: number) =>
    panel.series.map(({ name, values }) => `${name} ${valueText(values[index], panel.format)}`).join(', ') ||
    'Nothing was measured'
  return (
    <div className="relative" style={{ paddingLeft: axisWidth, paddingRight: labelWidth }}>
      <TimeArea
        {...area}
        width={width}
        spokenValues={spoken}
        hover={(index, x, marks) => (
          <HoverBox at={times[index] ?? 0} index={index} panels={[sized]} marks={marks} x={x} width={width} />
        )}
      >
        <div className="relative" style={{ height: plotHeight }}>
          {axis.ticks.map((tick) => (
            <div
              key={tick}
              aria-hidden
              style={{ bottom: Math.round((tick / axis.top) * plotHeight) }}
              className="absolute inset-x-0 border-t border-line"
            >
              <span className="absolute right-full -translate-y-1/2 pr-2 text-meta whitespace-nowrap text-text-3 tabular-nums">
                {panel.format(tick)}
              </span>
            </div>
          ))}
          <Suspense fallback={null}>
            <Plot
              times={times}
              series={panel.series}
              references={panel.references ?? noSeries}
              range={range}
              top={axis.top}
              width={width}
              height={plotHeight}
            />
          </Suspense>
          {hasEnds ? (
            <SeriesEnds
              panel={{ ...sized, references: noSeries }}
              times={times}
              range={range}
              top={axis.top}
              width={width}
              labelWidth={labelWidth}
            />
          ) : null}
        </div>
      </TimeArea>
    </div>
  )
}

/** The value axis, with room for the marks above the highest value where there are any. */
function axisBelowMarks(panel: ChartPanel | Omit<ChartPanel, 'height'>, plotHeight: number | undefined) {
  const axis = valueAxis(panel)
  if (plotHeight === undefined || panel.top !== undefined) return axis
  return valueAxis({
    ...panel,
    top: (axis.top * plotHeight) / Math.max(plotHeight / 2, plotHeight - markRoom),
  })
}

/** As much room as the names and values of the lines need, and at most 45 % of the box. */
function endWidth({ series, format }: Pick<ChartPanel, 'series' | 'format'>, boxWidth: number): number {
  const texts = series.map(({ name, values, now }) => {
    const value = now ?? values[lastIndex(values)]
    return `${name} ${valueText(value, format)}`
  })
  return textWidth(texts, { least: leastEndWidth, most: boxWidth * 0.45 - glyphWidth }) + glyphWidth
}

const noSeries: ChartPanel['series'] = []
