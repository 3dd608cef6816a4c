import { databaseMetrics, type DatabaseRecoverableWindow } from '@bey/contract'
import type { KeyboardEvent } from 'react'
import { averagesOf, timesOf, useMetrics } from '../../../data/metrics.ts'
import type { ChangeMark } from '../../../entities/metrics/use-change-marks.ts'
import { formatNumber } from '../../../lib/format.ts'
import { MarkShape } from '../../../ui/chart/mark-lane.tsx'
import { TimeAxis } from '../../../ui/chart/time-axis.tsx'
import { useWidth } from '../../../ui/use-width.ts'
import { nearestMoment } from '../backups/window-text.ts'
import { writtenPicture } from '../backups/written-picture.ts'
import type { ShownRange } from './shown-range.ts'
import { MomentSlider } from '../backups/moment-slider.tsx'

/** What removed or rewrote data, as the plot marks it. */
interface PlotEvent {
  atMs: number
  text: string
}

export interface MomentPlotProps {
  databaseId: string
  window: DatabaseRecoverableWindow
  range: ShownRange
  nowMs: number
  atMs: number | undefined
  events: readonly PlotEvent[]
  marks: readonly ChangeMark[]
  onChoose: (atMs: number) => void
}

const gutter = 44
const lane = 26
const plotHeight = 84
const rulerTop = lane + plotHeight + 4
const height = rulerTop + 6
const secondMs = 1_000

/** Rows written over the shown time with what happened on it; a click or the arrow keys choose the moment to restore. */
export function MomentPlot(props: MomentPlotProps) {
  const { databaseId, window, range, nowMs, atMs, events, marks, onChoose } = props
  const [box, fullWidth] = useWidth()
  const width = Math.max(0, fullWidth - gutter)
  const { fromMs, toMs } = range
  const { data } = useMetrics({
    entity: 'database',
    ids: [databaseId],
    metrics: [databaseMetrics.rowsWritten],
    rangeSeconds: Math.round((toMs - fromMs) / secondMs),
    ...(toMs < nowMs && { end: new Date(toMs).toISOString() }),
  })
  const values = averagesOf(data, databaseId, databaseMetrics.rowsWritten)
  const picture =
    data && values ? writtenPicture(timesOf(data), values, data.stepMs, range, width, plotHeight) : undefined
  const xOf = (ms: number) => ((ms - fromMs) / (toMs - fromMs)) * width
  const isShown = (ms: number) => ms >= fromMs && ms <= toMs
  const cut = atMs === undefined || !isShown(atMs) ? undefined : xOf(atMs)
  const choose = (ms: number) => {
    const nearest = nearestMoment(window, ms)
    if (nearest !== undefined) onChoose(nearest)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (step === 0 || atMs === undefined || event.metaKey || event.ctrlKey) return
    event.preventDefault()
    const to = event.altKey
      ? nextEvent(events, marks, atMs, step)
      : atMs + step * (event.shiftKey ? 60 : 1) * secondMs
    if (to !== undefined) choose(to)
  }
  const bars = (ranges: readonly { from: string; to: string }[], least: number) =>
    ranges.flatMap(({ from, to }) => {
      const [begin, end] = [Math.max(Date.parse(from), fromMs), Math.min(Date.parse(to), toMs)]
      return end < begin ? [] : [{ x: xOf(begin), width: Math.max(least, xOf(end) - xOf(begin)) }]
    })
  const shownEvents = events.filter((each) => isShown(each.atMs))
  const shownMarks = marks.filter(({ at }) => isShown(at))
  return (
    <div ref={box} className="min-w-0">
      <div className="relative rounded-badge has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring">
        <svg width={fullWidth} height={height} aria-hidden className="block overflow-visible">
          <g transform={`translate(${gutter} 0)`}>
            <Marks marks={shownMarks} events={shownEvents} xOf={xOf} width={width} />
            <g transform={`translate(0 ${lane})`}>
              {cut === undefined ? null : (
                <rect x={cut} width={Math.max(0, width - cut)} height={plotHeight} className="fill-sunken" />
              )}
              {picture === undefined ? null : <Grid most={picture.most} width={width} />}
              {picture?.areas.map((points) => (
                <polygon
                  key={points.slice(0, 24)}
                  points={points}
                  className="fill-accent-soft stroke-chart-1"
                />
              ))}
              {cut !== undefined && width - cut > 80 ? (
                <text x={width - 4} y={14} textAnchor="end" className="fill-text-2 text-meta">
                  left behind
                </text>
              ) : null}
              <path d={`M0 ${plotHeight - 0.5}H${width}`} className="stroke-line" />
            </g>
            {bars(window.ranges, 2).map((bar) => (
              <rect
                key={`range ${bar.x}`}
                y={rulerTop}
                height={4}
                {...bar}
                className="fill-chart-1 opacity-40"
              />
            ))}
            {bars(window.gaps, 3).map((bar) => (
              <rect key={`gap ${bar.x}`} y={rulerTop} height={4} {...bar} className="fill-danger" />
            ))}
            {shownEvents.map((event) => (
              <path
                key={`${event.atMs} ${event.text}`}
                d={`M${xOf(event.atMs)} ${lane - 4}V${lane + plotHeight}`}
                data-live-color=""
                className="stroke-danger"
              />
            ))}
            {cut === undefined ? null : (
              <>
                <path d={`M${cut} ${lane - 6}V${rulerTop}`} strokeWidth={1.5} className="stroke-accent" />
                <circle cx={cut} cy={rulerTop + 2} r={6.5} className="fill-accent" />
              </>
            )}
          </g>
        </svg>
        <MomentSlider
          fromMs={fromMs}
          toMs={toMs}
          atMs={atMs}
          onChoose={choose}
          onKeyDown={onKeyDown}
          className="inset-y-0 right-0 h-full"
          style={{ left: gutter, width }}
        />
      </div>
      <div style={{ paddingLeft: gutter }}>{width > 0 ? <TimeAxis range={range} width={width} /> : null}</div>
    </div>
  )
}

function Grid({ most, width }: { most: number; width: number }) {
  const y = 3
  return (
    <>
      {[1, 0.5].map((share) => {
        const at = Math.round(plotHeight - 1 - share * (plotHeight - 1 - y)) + 0.5
        return (
          <g key={share}>
            <path d={`M0 ${at}H${width}`} className="stroke-line" />
            <text x={-8} y={at + 4} textAnchor="end" className="fill-text-3 text-meta tabular-nums">
              {axisText(most * share)}
            </text>
          </g>
        )
      })}
      <text x={-8} y={plotHeight + 3} textAnchor="end" className="fill-text-3 text-meta tabular-nums">
        0
      </text>
    </>
  )
}

const axisText = (value: number) => (value >= 10 ? formatNumber(Math.round(value)) : value.toFixed(1))

/** Room that the name of a mark takes, in px, at about 6 px a character. */
const roomOf = (text: string) => text.length * 6 + 16

/** Deployments and runs, and above all what removed data: the newest with its name, where there is room. */
function Marks({
  marks,
  events,
  xOf,
  width,
}: {
  marks: readonly ChangeMark[]
  events: readonly PlotEvent[]
  xOf: (ms: number) => number
  width: number
}) {
  const named = events.at(0)
  const namedX = named === undefined ? undefined : xOf(named.atMs)
  const isLeft = named !== undefined && namedX !== undefined && width - namedX < roomOf(named.text)
  const isUnderName = (x: number) =>
    named !== undefined &&
    namedX !== undefined &&
    (isLeft ? x < namedX && x > namedX - roomOf(named.text) : x > namedX && x < namedX + roomOf(named.text))
  const deploy = marks.findLast(({ kind }) => kind === 'deploy')
  const deployX = deploy === undefined ? 0 : xOf(deploy.at)
  const isDeployNamed =
    deploy !== undefined &&
    deployX > roomOf(deploy.text) &&
    (namedX === undefined || (!isLeft && deployX < namedX - 8))
  return (
    <g transform="translate(0 12)">
      {marks
        .filter(({ at }) => !isUnderName(xOf(at)))
        .map(({ at, kind, text }) => (
          <g key={`${at} ${text}`} transform={`translate(${Math.round(xOf(at))} 0)`}>
            <MarkShape kind={kind} />
          </g>
        ))}
      {events.map(({ atMs, text }) => (
        <g key={`${atMs} ${text}`} transform={`translate(${Math.round(xOf(atMs))} 0)`}>
          <MarkShape kind="failure" />
        </g>
      ))}
      {named === undefined || namedX === undefined ? null : (
        <text
          x={namedX + (isLeft ? -9 : 9)}
          y={4}
          textAnchor={isLeft ? 'end' : 'start'}
          data-live-color=""
          className="fill-danger text-meta"
        >
          {named.text}
        </text>
      )}
      {isDeployNamed ? (
        <text x={deployX - 9} y={4} textAnchor="end" className="fill-text-2 text-meta">
          {deploy.text}
        </text>
      ) : null}
    </g>
  )
}

/** The second before the next thing that happened, or the one before. */
function nextEvent(
  events: readonly PlotEvent[],
  marks: readonly ChangeMark[],
  atMs: number,
  step: number,
): number | undefined {
  const moments = [...events.map((each) => each.atMs), ...marks.map(({ at }) => at)]
    .map((ms) => Math.floor(ms / secondMs) * secondMs - secondMs)
    .toSorted((a, b) => a - b)
  return step > 0 ? moments.find((ms) => ms > atMs) : moments.findLast((ms) => ms < atMs)
}
