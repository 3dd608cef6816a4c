import type { BoardPanel } from '@bey/contract'
import type { ReactNode } from 'react'
import type { BoardReading } from '../../data/boards.ts'
import { failureOf } from '../../lib/failed-query.ts'
import type { ChartMark, ChartRange } from '../../ui/chart/chart-types.ts'
import type { SharedCursor } from '../../ui/chart/shared-cursor.ts'
import { cx } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useWidth } from '../../ui/use-width.ts'
import { PanelBody } from './panel-body.tsx'
import { unitFormat } from './panel-text.ts'
import type { PanelData } from './panel-data.ts'
import type { BoardView } from './use-panel-data.ts'
import { usePanelData } from './use-panel-data.ts'
import { useSeen } from './use-seen.ts'

export interface PanelFrameProps {
  panel: BoardPanel
  view: BoardView
  height: number
  reading: BoardReading['panels'][number] | undefined
  marks: readonly ChartMark[]
  cursor: SharedCursor
  isPhone: boolean
  onZoom: (range: ChartRange) => void
  onZoomOut: (() => void) | undefined
  onPick: (at: number) => void
}

const headHeight = 24
const beforeNames = { none: '', day: 'the day before', week: 'the week before' } as const

/** A panel of a board: its head with what differs, and what it shows. A failure stays within its frame. */
export function PanelFrame({ panel, view, height, reading, isPhone, ...area }: PanelFrameProps) {
  const [watch, isSeen] = useSeen()
  const [box, width] = useWidth()
  const query = usePanelData(panel, view, isSeen)
  const { data } = query
  const bodyHeight = height - headHeight
  const failure = failureOf('This panel cannot be read', query)
  return (
    <div ref={watch} style={{ height }} className="flex min-w-0 flex-col">
      <PanelHead panel={panel} data={data} reading={reading} />
      <div ref={box} style={{ height: bodyHeight }} className="min-w-0">
        {panel.kind === 'text' ? (
          <p className="h-full overflow-auto whitespace-pre-wrap text-text-2">{panel.text}</p>
        ) : !query.hasQueries ? (
          <Empty>This panel has no expression yet.</Empty>
        ) : failure ? (
          <ErrorState {...failure} isCompact />
        ) : !data ? (
          <Skeleton className="mt-2 h-3/4 w-full" />
        ) : data.series.length === 0 ? (
          <Empty>{emptyText(view)}</Empty>
        ) : width > 0 ? (
          <PanelBody
            {...area}
            panel={panel}
            data={data}
            width={width}
            height={bodyHeight}
            isPhone={isPhone}
            beforeName={beforeNames[view.compare]}
          />
        ) : null}
      </div>
    </div>
  )
}

/** A board may name a cluster, namespace or database that has been deleted. */
function emptyText({ values }: BoardView): string {
  const named = Object.entries(values).flatMap(([variable, names]) =>
    names && names.length > 0 ? [`${variable} ${names.join(', ')}`] : [],
  )
  return named.length > 0
    ? `Nothing was measured in this range for ${named.join(' and ')}. It may have been deleted.`
    : 'Nothing was measured in this range.'
}

function Empty({ children }: { children: ReactNode }) {
  return <p className="flex h-full items-center border-y border-line text-small text-text-2">{children}</p>
}

function PanelHead({
  panel,
  data,
  reading,
}: Pick<PanelFrameProps, 'panel' | 'reading'> & { data: PanelData | undefined }) {
  const [only] = data?.series.length === 1 ? data.series : []
  const now = only?.now
  const showsValue = now != null && panel.kind === 'series'
  const hidden = data ? data.seriesCount - data.series.length : 0
  return (
    <div className="flex items-baseline justify-between gap-3" style={{ height: headHeight }}>
      <h2 className="min-w-0 truncate font-semibold">{panel.title || 'Untitled panel'}</h2>
      <p className="flex shrink-0 gap-1.5 text-small">
        {showsValue && data ? (
          <span className="font-semibold tabular-nums">{unitFormat(panel.unit, data.unit)(now)}</span>
        ) : null}
        {hidden > 0 ? <span className="text-text-3">{hidden} more are not drawn</span> : null}
        {reading && reading.state !== 'failed' ? (
          <span
            data-live-color=""
            className={cx(reading.state === 'differs' ? 'font-medium text-danger' : 'text-text-2')}
          >
            {reading.text}
          </span>
        ) : null}
      </p>
    </div>
  )
}
