import type { RunStatus, Workflow } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { statusLook } from '../../ui/status-table.ts'
import { Link } from '../../ui/link.tsx'
import { cx } from '../../ui/class-names.ts'

/** A workflow shows so many of its last runs. */
const shown = 20
const pitch = 6
const height = 18

interface Tick {
  height: number
  className: string
}

const quiet: Tick = { height: 9, className: 'fill-line-strong' }
const ticks: Partial<Record<RunStatus, Tick>> = {
  completed: quiet,
  failed: { height, className: 'fill-danger' },
  timed_out: { height, className: 'fill-danger' },
  needs_attention: { height, className: 'fill-warn' },
  paused: { height: 14, className: 'fill-warn' },
  cancelled: { height: 5, className: 'fill-line-strong' },
  expired: { height: 5, className: 'fill-line-strong' },
}
/** Not over yet. */
const open: Tick = { height: 14, className: 'fill-info' }

/**
 * The last runs as ticks, newest at the right: succeeded ones are low and grey, exceptions tall and coloured. A click
 * opens the run under the pointer; ← → choose one, Enter opens it.
 */
export function RunTicks({ workflow }: { workflow: Workflow }) {
  const { runs } = workflow.activity
  const navigate = useNavigate()
  const [chosen, setChosen] = useState<number>()
  const offset = shown - runs.length
  const go = (index: number) => {
    const run = runs[index]
    if (run) void navigate({ href: `/workflows/${workflow.id}/runs/${run.id}` })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      event.preventDefault()
      const from = chosen ?? runs.length
      setChosen(Math.max(0, Math.min(runs.length - 1, from + (event.key === 'ArrowLeft' ? -1 : 1))))
    } else if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      go(chosen)
    }
  }
  const drawing = (
    <svg width={shown * pitch} height={height + 1} aria-hidden data-live-color="" className="block">
      {Array.from({ length: shown }, (_, place) => {
        const run = runs[place - offset]
        const tick = run ? (ticks[run.status] ?? open) : undefined
        return (
          <rect
            // Places of a row of ticks have no other identity.
            // oxlint-disable-next-line react/no-array-index-key
            key={place}
            x={place * pitch}
            y={tick ? height - tick.height : height}
            width={4}
            height={tick ? tick.height : 1}
            className={cx(
              tick?.className ?? 'fill-line',
              run && place - offset === chosen && 'stroke-ring stroke-2',
            )}
          />
        )
      })}
    </svg>
  )
  if (runs.length === 0) return drawing
  return (
    <Link
      href={`/workflows/${workflow.id}?tab=runs`}
      aria-label={`Runs of ${workflow.name}: ${ticksText(workflow)}`}
      data-tooltip={ticksText(workflow)}
      className="inline-block"
      onKeyDown={onKeyDown}
      onBlur={() => setChosen(undefined)}
      onClick={(event) => {
        // A click of the keyboard has no place.
        if (event.detail === 0 || event.metaKey || event.ctrlKey) return
        const { left } = event.currentTarget.getBoundingClientRect()
        const index = Math.floor((event.clientX - left) / pitch) - offset
        if (!runs[index]) return
        event.preventDefault()
        go(index)
      }}
    >
      {drawing}
    </Link>
  )
}

/** "3 failed, 16 completed, 1 running of the last 20". */
function ticksText({ activity: { runs } }: Workflow): string {
  const counts = new Map<string, number>()
  for (const { status } of runs) {
    const { label } = statusLook(status, 'run')
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  const parts = [...counts].map(([label, count]) => `${count} ${label}`)
  return `${parts.join(', ')} of the last ${runs.length}`
}
