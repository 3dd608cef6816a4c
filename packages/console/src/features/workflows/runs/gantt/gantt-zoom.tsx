import { ChevronLeft, ChevronRight, Minus, Plus } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../../ui/icon-button.tsx'
import { usePageKeys } from '../../../../ui/use-page-keys.ts'
import type { Span } from '../../../../entities/runs/expected-times.ts'
import { ganttWithin, panned, zoomed } from './gantt-window.ts'
import type { Gantt } from '../../../../entities/runs/gantt/gantt.ts'

/**
 * The part of a run that is shown, with its keys: + and − zoom around the chosen step, 0 shows all of it again, ← and →
 * move along.
 */
export function useGanttZoom(whole: Gantt, selected: string | undefined) {
  const [shown, setShown] = useState<Span>()
  const pieces = whole.rows.find(({ step }) => step.key === selected)?.pieces
  const [first, last] = [pieces?.[0], pieces?.at(-1)]
  const focus = first && last ? { from: first.from, to: last.to } : undefined
  const zoom = (by: 'in' | 'out') => setShown(zoomed(whole, shown, by, focus))
  const pan = (by: 1 | -1) => (shown ? setShown(panned(whole, shown, by)) : undefined)
  const fit = () => setShown(undefined)
  usePageKeys('Timeline', [
    { keys: ['+', '='], does: 'Zoom in', run: () => zoom('in') },
    { keys: ['-'], does: 'Zoom out', run: () => zoom('out') },
    { keys: ['0'], does: 'Show all', run: fit },
    ...(shown
      ? [
          { keys: ['ArrowLeft'], does: 'Move back in time', run: () => pan(-1) },
          { keys: ['ArrowRight'], does: 'Move forward in time', run: () => pan(1) },
        ]
      : []),
  ])
  return {
    gantt: ganttWithin(whole, shown),
    /** How many times larger than the whole run it is drawn. */
    times: shown ? (whole.end - whole.start) / (shown.to - shown.from) : 1,
    isFirst: !shown || shown.from <= whole.start,
    isLast: !shown || shown.to >= whole.end,
    zoom,
    pan,
    fit,
  }
}

const icon = { size: 14, 'aria-hidden': true } as const

/** The same as the keys, for the pointer. */
export function GanttZoom({ zoom }: { zoom: ReturnType<typeof useGanttZoom> }) {
  const { times } = zoom
  return (
    <fieldset aria-label="Zoom of the timeline" className="ml-auto flex items-center gap-1">
      {times > 1 ? (
        <>
          <IconButton
            label="Earlier"
            shortcut="←"
            size="small"
            icon={<ChevronLeft {...icon} />}
            disabledReason={zoom.isFirst ? 'The run begins here.' : undefined}
            onClick={() => zoom.pan(-1)}
          />
          <IconButton
            label="Later"
            shortcut="→"
            size="small"
            icon={<ChevronRight {...icon} />}
            disabledReason={zoom.isLast ? 'The run ends here.' : undefined}
            onClick={() => zoom.pan(1)}
          />
        </>
      ) : null}
      <IconButton
        label="Zoom out"
        shortcut="−"
        size="small"
        icon={<Minus {...icon} />}
        disabledReason={times > 1 ? undefined : 'The whole run is shown.'}
        onClick={() => zoom.zoom('out')}
      />
      {times > 1 ? (
        <button
          type="button"
          onClick={zoom.fit}
          data-tooltip="Show the whole run  0"
          className="min-h-7 min-w-10 rounded-control px-1 tabular-nums hover:bg-hover"
        >
          {times < 10 ? Math.round(times * 10) / 10 : Math.round(times)} ×
        </button>
      ) : (
        <span className="min-w-10 text-center">fits</span>
      )}
      <IconButton
        label="Zoom in"
        shortcut="+"
        size="small"
        icon={<Plus {...icon} />}
        onClick={() => zoom.zoom('in')}
      />
    </fieldset>
  )
}
