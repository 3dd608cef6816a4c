import { type KeyboardEvent, type ReactNode, useEffect } from 'react'
import { groupMarks } from './chart-layout.ts'
import type { ChartMark, ChartRange } from './chart-types.ts'
import { laneHeight, MarkLane } from './mark-lane.tsx'
import type { SharedCursor } from './shared-cursor.ts'
import { useSharedCursor } from './shared-cursor.ts'
import { axisHeight, TimeAxis } from './time-axis.tsx'
import { useCursor } from './use-cursor.ts'

export interface TimeAreaProps {
  /** What it shows, in words. */
  label: string
  /** The beginning of each step, in milliseconds since 1970; evenly spaced. */
  times: readonly number[]
  range: ChartRange
  /** The first value, where the range begins there for want of earlier ones. */
  sinceMs?: number | undefined
  width: number
  /** Of everything, the axis included. */
  height: number
  marks: readonly ChartMark[]
  /** Milliseconds since 1970: since when something is wrong. */
  troubleSinceMs?: number | undefined
  cursor: SharedCursor
  /** Every value at one time, for who does not see them. */
  spokenValues: (index: number) => string
  /** What is shown beside the pointer at one time, `x` px from the start. */
  hover: (index: number, x: number, marks: readonly ChartMark[]) => ReactNode
  onZoom: (range: ChartRange) => void
  onZoomOut: (() => void) | undefined
  /** Called with the time that was clicked, or at which Enter was pressed. */
  onPick: (at: number) => void
  children: ReactNode
}

/** Room over a time axis that shares its cursor with others: marks of changes, crosshair, selection, and a pick. */
export function TimeArea(props: TimeAreaProps) {
  const { label, times, range, width, height, marks, cursor, spokenValues, hover, onPick } = props
  const { index, selection, handlers } = useCursor(props)
  const xOf = (at: number) => ((at - range.fromMs) / (range.toMs - range.fromMs)) * width
  const groups = groupMarks(marks, xOf, range)
  const at = index === undefined ? undefined : times[index]
  const { troubleSinceMs } = props
  const troubleX = troubleSinceMs === undefined ? width : Math.max(0, Math.min(width, xOf(troubleSinceMs)))
  useEffect(() => {
    cursor.set(at)
  }, [cursor, at])
  const pick = () => {
    if (at !== undefined && !selection) onPick(at)
  }
  return (
    <div className="relative" style={{ width, height }}>
      {troubleX < width ? (
        <div
          aria-hidden
          data-live-color=""
          data-trouble=""
          style={{ left: troubleX, bottom: axisHeight }}
          className="absolute top-0 right-0 border-l border-danger bg-danger/20"
        />
      ) : null}
      {props.children}
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
      <div className="pointer-events-none absolute top-0" style={{ height: laneHeight }}>
        <MarkLane groups={groups} width={width} />
      </div>
      <div className="absolute inset-x-0 bottom-0">
        <TimeAxis range={range} width={width} sinceMs={props.sinceMs} />
      </div>
      <Crosshair cursor={cursor} range={range} xOf={xOf} />
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
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native one has a thumb and no selection
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={index ?? Math.max(0, times.length - 1)}
        aria-valuetext={spokenValues(index ?? times.length - 1)}
        style={{ bottom: axisHeight }}
        className="absolute inset-x-0 top-0 cursor-crosshair touch-pan-y"
        {...handlers}
        onClick={pick}
        onKeyDown={(event: KeyboardEvent<HTMLElement>) => {
          if (event.key === 'Enter' && !selection) {
            event.preventDefault()
            pick()
          } else handlers.onKeyDown(event)
        }}
      />
      {at === undefined || index === undefined
        ? null
        : hover(
            index,
            xOf(at),
            groups.filter((group) => Math.abs(group.x - xOf(at)) <= 8).flatMap((group) => group.marks),
          )}
    </div>
  )
}

function Crosshair({
  cursor,
  range,
  xOf,
}: {
  cursor: SharedCursor
  range: ChartRange
  xOf: (at: number) => number
}) {
  const at = useSharedCursor(cursor)
  if (at === undefined || at < range.fromMs || at > range.toMs) return null
  return (
    <div
      aria-hidden
      data-crosshair=""
      style={{ left: Math.round(xOf(at)), bottom: axisHeight }}
      className="pointer-events-none absolute top-0 border-l border-text-3"
    />
  )
}
