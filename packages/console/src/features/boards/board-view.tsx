import type { BoardDefinition } from '@bey/contract'
import { useMemo, useRef } from 'react'
import type { BoardReading } from '../../data/boards.ts'
import type { ChartRangeControl } from '../../entities/metrics/chart-range.ts'
import { useChangeSearch } from '../../lib/change-search.ts'
import { formatCount } from '../../lib/format.ts'
import { createSharedCursor } from '../../ui/chart/shared-cursor.ts'
import { ListFoot } from '../../ui/list-foot.tsx'
import { useIsMobile } from '../../ui/use-is-mobile.ts'
import { usePageKeys } from '../../ui/use-page-keys.ts'
import { BoardGrid } from './board-grid.tsx'
import { inReadingOrder, settled } from './layout.ts'
import { MomentDrawer } from './moment-drawer.tsx'
import { PanelFrame } from './panel-frame.tsx'
import type { ChangeMark } from '../../entities/metrics/use-change-marks.ts'
import type { BoardView } from './use-panel-data.ts'

const footKeys = [
  { keys: ['d'], does: 'next panel that differs' },
  { keys: ['Enter'], does: 'what changed at that time' },
] as const

/** A board as it is read. */
export function BoardPanels({
  definition,
  view,
  range,
  reading,
  marks,
  at,
}: {
  definition: BoardDefinition
  view: BoardView
  range: ChartRangeControl
  reading: BoardReading | undefined
  marks: readonly ChangeMark[]
  /** The time whose changes are shown. */
  at: number | undefined
}) {
  const isPhone = useIsMobile()
  const change = useChangeSearch()
  const cursor = useMemo(() => createSharedCursor(), [])
  const box = useRef<HTMLDivElement>(null)
  const readings = new Map(reading?.panels.map((panel) => [panel.id, panel]))
  const order = useMemo(() => inReadingOrder(settled(definition.panels)), [definition])
  const focusNext = () => {
    const differing = order.filter(({ id }) => readings.get(id)?.state === 'differs')
    if (differing.length === 0) return
    const current = document.activeElement?.closest<HTMLElement>('[data-panel]')?.dataset['panel']
    const place = order.findIndex(({ id }) => id === current)
    const next = order.slice(place + 1).find((panel) => differing.includes(panel)) ?? differing[0]
    box.current?.querySelector<HTMLElement>(`[data-panel="${next?.id}"]`)?.focus()
  }
  usePageKeys('Board', [
    { keys: ['d'], does: 'Next panel that differs', run: focusNext },
    ...(range.zoomOut ? [{ keys: ['Escape'], does: 'Reset zoom', run: range.zoomOut }] : []),
  ])
  return (
    <div ref={box} className="px-(--gutter) py-4">
      <BoardGrid panels={definition.panels} isPhone={isPhone} gap={32}>
        {(panel, height) => (
          <section
            data-panel={panel.id}
            tabIndex={-1}
            aria-label={panel.title || 'Untitled panel'}
            className="scroll-mt-16 rounded-control outline-offset-4"
          >
            <PanelFrame
              panel={panel}
              view={view}
              height={height}
              reading={readings.get(panel.id)}
              marks={marks}
              cursor={cursor}
              isPhone={isPhone}
              onZoom={range.zoom}
              onZoomOut={range.zoomOut}
              onPick={(time) => change({ at: time }, { isStep: true })}
            />
          </section>
        )}
      </BoardGrid>
      {reading && reading.unreadCount > 0 ? (
        <p className="mt-4 text-small text-text-2">
          The lowest {reading.unreadCount} are not compared with the weeks before.
        </p>
      ) : null}
      <ListFoot count={formatCount(definition.panels.length, 'panel')} keys={footKeys} />
      {at === undefined ? null : (
        <MomentDrawer at={at} marks={marks} onClose={() => change({ at: undefined })} />
      )}
    </div>
  )
}
