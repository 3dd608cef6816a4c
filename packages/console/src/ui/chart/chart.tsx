import { lazy, Suspense, useMemo } from 'react'
import { useWidth } from '../use-width.ts'
import { useIsMobile } from '../use-is-mobile.ts'
import { useTimeStyle } from '../time-style.ts'
import { dayText, shortTime } from '../time-text.ts'
import { groupMarks, troublePlace, valueAxis, valueText } from './chart-layout.ts'
import type { ChartMark, ChartPanel, ChartRange } from './chart-types.ts'
import { ChartTable } from './chart-table.tsx'
import { HoverBox } from './hover-box.tsx'
import { laneHeight, MarkLane } from './mark-lane.tsx'
import { shownPart } from './little-history.ts'
import { SeriesEnds } from './series-ends.tsx'
import { axisHeight, TimeAxis } from './time-axis.tsx'
import { useCursor } from './use-cursor.ts'

// uPlot is a third of what a page may weigh; the room of the lines is kept until it is there.
const Plot = lazy(() => import('./plot.tsx'))

export interface ChartProps {
  /** What it shows, in words: "Use of allocatable, by cluster". */
  label: string
  /** The beginning of each step, in milliseconds since 1970; evenly spaced. */
  times: readonly number[]
  range: ChartRange
  /** One below another, on one time axis. */
  panels: readonly ChartPanel[]
  marks?: readonly ChartMark[]
  /** Since when something is wrong. */
  trouble?: { since: number; text: string } | undefined
  isTable?: boolean
  /** Called with what was selected by dragging, or with Shift and the arrow keys. */
  onZoom?: ((range: ChartRange) => void) | undefined
  /** Set while the range is one that was selected. */
  onZoomOut?: (() => void) | undefined
}

const leastAxisWidth = 40
/** Of figures at the size of the axis, on average. */
const axisCharPx = 6
const titleHeight = 18

/** The height of a chart with such panels, for who keeps its room. */
export function chartHeight(panelHeights: readonly number[]): number {
  const lanes = panelHeights.length > 1 ? panelHeights.length - 1 : 1
  return panelHeights.reduce((sum, height) => sum + height + titleHeight, 0) + lanes * laneHeight + axisHeight
}

/** Series over time: lines that end in their name and value, what changed between them, and every value as a table. */
export function Chart(props: ChartProps) {
  const { label, times, panels, marks = [], isTable = false } = props
  const [box, width] = useWidth()
  const height = chartHeight(panels.map((panel) => panel.height))
  return (
    <div ref={box} style={{ minHeight: height }} className="relative">
      {isTable ? (
        <ChartTable label={label} times={times} panels={panels} marks={marks} height={height} />
      ) : width > 0 ? (
        <Drawing {...props} marks={marks} boxWidth={width} />
      ) : null}
    </div>
  )
}

function Drawing({
  label,
  marks,
  trouble,
  boxWidth,
  onZoom,
  onZoomOut,
  ...asked
}: ChartProps & { marks: readonly ChartMark[]; boxWidth: number }) {
  useTimeStyle()
  const isSelected = onZoomOut !== undefined
  const { times, range, panels, sinceMs } = useMemo(
    () => shownPart({ times: asked.times, range: asked.range, panels: asked.panels }, isSelected),
    [asked.times, asked.range, asked.panels, isSelected],
  )
  const labelWidth = useIsMobile() ? 96 : 136
  const axisWidth = useMemo(() => axisRoom(panels), [panels])
  const width = Math.max(60, boxWidth - axisWidth - labelWidth)
  const { index, selection, handlers } = useCursor({ times, range, width, onZoom, onZoomOut })
  const xOf = (at: number) => ((at - range.fromMs) / (range.toMs - range.fromMs)) * width
  const groups = groupMarks(marks, xOf, range)
  const at = index === undefined ? undefined : times[index]
  const x = at === undefined ? 0 : xOf(at)
  const troubleX = trouble ? Math.max(0, Math.min(width, xOf(trouble.since))) : 0
  return (
    <div style={{ paddingLeft: axisWidth, paddingRight: labelWidth }} className="relative">
      <div className="relative" style={{ width }}>
        {trouble ? (
          <div
            aria-hidden
            data-live-color=""
            style={{ left: troubleX, width: width - troubleX, bottom: axisHeight }}
            className="absolute top-0 border-l border-danger bg-danger/20"
          />
        ) : null}
        {groups.map((group) =>
          group.marks.some(({ kind }) => kind === 'deploy' || kind === 'failure') ? (
            <div
              key={group.x}
              aria-hidden
              style={{ left: Math.round(group.x), bottom: axisHeight }}
              className={`absolute top-0 border-l border-dotted ${group.marks.some(({ kind }) => kind === 'failure') ? 'border-danger' : 'border-control'}`}
            />
          ) : null,
        )}
        {panels.map((panel, place) => (
          <div key={panel.title}>
            {place === 1 ? <MarkLane groups={groups} width={width} /> : null}
            {place > 1 ? <div style={{ height: laneHeight }} /> : null}
            <PanelView panel={panel} times={times} range={range} width={width} labelWidth={labelWidth} />
          </div>
        ))}
        {panels.length === 1 ? <MarkLane groups={groups} width={width} /> : null}
        <TimeAxis range={range} width={width} sinceMs={sinceMs} />
        {trouble ? (
          <span
            data-live-color=""
            style={troublePlace(troubleX, width, panels[0]?.title ?? '', trouble.text)}
            className="absolute top-0 text-small leading-[18px] whitespace-nowrap text-danger"
          >
            {trouble.text}
          </span>
        ) : null}
        {at === undefined ? null : (
          <div
            aria-hidden
            style={{ left: Math.round(x), bottom: axisHeight }}
            className="absolute top-0 border-l border-text-3"
          />
        )}
        {selection ? (
          <div
            aria-hidden
            data-chart-selection=""
            style={{
              left: xOf(times[Math.min(selection.from, selection.to)] ?? 0),
              width: Math.abs(xOf(times[selection.to] ?? 0) - xOf(times[selection.from] ?? 0)),
              bottom: axisHeight,
            }}
            className="absolute top-0 border-x border-accent bg-accent-soft"
          />
        ) : null}
        {/* Read as a slider over time: arrow keys move it, and it says every value. */}
        <div
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native one has a thumb and no selection
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, times.length - 1)}
          aria-valuenow={index ?? Math.max(0, times.length - 1)}
          aria-valuetext={spokenValues(panels, times, index ?? times.length - 1)}
          style={{ bottom: axisHeight }}
          className="absolute inset-x-0 top-0 cursor-crosshair touch-pan-y"
          {...handlers}
        />
        {at === undefined || index === undefined ? null : (
          <HoverBox
            at={at}
            index={index}
            panels={panels}
            marks={groups.filter((group) => Math.abs(group.x - x) <= 8).flatMap((group) => group.marks)}
            x={x}
            width={width}
          />
        )}
      </div>
    </div>
  )
}

function PanelView({
  panel,
  times,
  range,
  width,
  labelWidth,
}: {
  panel: ChartPanel
  times: readonly number[]
  range: ChartRange
  width: number
  labelWidth: number
}) {
  const { series, height, format } = panel
  const references = panel.references ?? noSeries
  const axis = useMemo(() => valueAxis(panel), [panel])
  return (
    <>
      <p
        className="truncate text-small text-text-2"
        style={{ height: titleHeight, lineHeight: `${titleHeight}px` }}
      >
        {panel.title}
      </p>
      <div className="relative" style={{ height }}>
        {axis.ticks.map((tick) => (
          <div
            key={tick}
            aria-hidden
            style={{ bottom: Math.round((tick / axis.top) * height) }}
            className="absolute inset-x-0 border-t border-line"
          >
            <span className="absolute right-full -translate-y-1/2 pr-2 text-meta whitespace-nowrap text-text-3 tabular-nums">
              {format(tick)}
            </span>
          </div>
        ))}
        <Suspense fallback={null}>
          <Plot
            times={times}
            series={series}
            references={references}
            band={panel.band}
            range={range}
            top={axis.top}
            width={width}
            height={height}
          />
        </Suspense>
        <SeriesEnds
          panel={panel}
          times={times}
          range={range}
          top={axis.top}
          width={width}
          labelWidth={labelWidth}
        />
      </div>
    </>
  )
}

/** What the longest label of the value axes takes. */
function axisRoom(panels: readonly ChartPanel[]): number {
  const lengths = panels.flatMap((panel) => valueAxis(panel).ticks.map((tick) => panel.format(tick).length))
  return Math.max(leastAxisWidth, Math.max(0, ...lengths) * axisCharPx + 12)
}

const noSeries: ChartPanel['series'] = []

/** "22 Nov, 12:04. CPU: prod-eu-1 61%, prod-us-1 44%." */
function spokenValues(panels: readonly ChartPanel[], times: readonly number[], index: number): string {
  const at = times[index]
  if (at === undefined) return 'Nothing was measured'
  const values = panels.map(({ title, series, references = [], format }) => {
    const each = [...series, ...references].map(
      ({ name, values: all }) => `${name} ${valueText(all[index], format)}`,
    )
    return `${title}: ${each.join(', ')}.`
  })
  return `${dayText(new Date(at))}, ${shortTime(new Date(at))}. ${values.join(' ')}`
}
