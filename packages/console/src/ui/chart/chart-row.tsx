import { useMemo, useState } from 'react'
import { useWidth } from '../use-width.ts'
import { ChartTable } from './chart-table.tsx'
import type { ChartProps } from './chart.tsx'
import { shownPart } from './little-history.ts'
import { PanelChart } from './panel-chart.tsx'
import { createSharedCursor } from './shared-cursor.ts'

/** Title and figure above the plot of a panel. */
const headHeight = 24
const gap = 20
const leastWidth = 240
const maxColumns = 4

export interface ChartRowProps extends Omit<ChartProps, 'trouble'> {
  /** Milliseconds since 1970: since when something is wrong. */
  troubleSinceMs?: number | undefined
  /** Called with the time that was clicked, or at which Enter was pressed. */
  onPick: (at: number) => void
}

/** Panels side by side, four where there is room: one time axis and one cursor for all of them. */
export function ChartRow(props: ChartRowProps) {
  const { label, times, panels, marks = noMarks, isTable = false } = props
  const [box, width] = useWidth()
  return (
    <div ref={box} style={{ minHeight: chartRowHeight(panels[0]?.height ?? 0) }}>
      {isTable ? (
        <ChartTable
          label={label}
          times={times}
          panels={panels}
          marks={marks}
          height={chartRowHeight(panels[0]?.height ?? 0)}
        />
      ) : width > 0 ? (
        <Drawings {...props} marks={marks} boxWidth={width} />
      ) : null}
    </div>
  )
}

/** The height of one row of panels, for who keeps its room. */
export const chartRowHeight = (panelHeight: number) => headHeight + panelHeight

function Drawings({ label, panels, boxWidth, onZoom, ...asked }: ChartRowProps & { boxWidth: number }) {
  const [cursor] = useState(createSharedCursor)
  const isSelected = asked.onZoomOut !== undefined
  // Of all panels at once: one axis, wherever each of them begins.
  const shown = useMemo(
    () => shownPart({ times: asked.times, range: asked.range, panels }, isSelected),
    [asked.times, asked.range, panels, isSelected],
  )
  const columns = Math.max(1, Math.min(maxColumns, Math.floor((boxWidth + gap) / (leastWidth + gap))))
  const width = Math.floor((boxWidth - gap * (columns - 1)) / columns)
  return (
    <div
      className="grid gap-y-4"
      style={{ gridTemplateColumns: `repeat(${columns}, ${width}px)`, columnGap: gap }}
    >
      {shown.panels.map((panel) => (
        <div key={panel.title} className="min-w-0">
          <p className="flex items-baseline justify-between gap-3 text-small" style={{ height: headHeight }}>
            <span className="font-medium">{panel.title}</span>
            <span className="truncate text-text-2 tabular-nums" data-tooltip={panel.figure}>
              {panel.figure}
            </span>
          </p>
          {panel.series.length === 0 ? (
            <p
              className="flex items-center justify-center border-y border-line text-small text-text-2"
              style={{ height: panel.height }}
            >
              Not measured
            </p>
          ) : (
            <PanelChart
              label={`${label}: ${panel.title}`}
              panel={panel}
              times={shown.times}
              range={shown.range}
              sinceMs={shown.sinceMs}
              isFitted
              boxWidth={width}
              height={panel.height}
              hasEnds={false}
              marks={asked.marks ?? noMarks}
              troubleSinceMs={asked.troubleSinceMs}
              cursor={cursor}
              onZoom={onZoom ?? nothing}
              onZoomOut={asked.onZoomOut}
              onPick={asked.onPick}
            />
          )}
        </div>
      ))}
    </div>
  )
}

const noMarks: NonNullable<ChartProps['marks']> = []
const nothing = () => undefined
