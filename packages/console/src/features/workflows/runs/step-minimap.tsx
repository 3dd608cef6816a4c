import type { StepRun } from '@bey/contract'
import { cx } from '../../../ui/class-names.ts'
import { statusLook } from '../../../ui/status-table.ts'

/** Fewer steps are seen at a glance without it. */
const leastSteps = 20
/** More steps than this share ticks. */
const mostTicks = 240

const looks: Partial<Record<StepRun['status'], string>> = {
  succeeded: 'h-3 bg-control',
  failed: 'h-5 bg-danger',
  timed_out: 'h-5 bg-danger',
  uncertain: 'h-5 bg-warn',
  running: 'h-5 bg-info',
  waiting: 'h-5 border border-info bg-info-soft',
  retry_wait: 'h-5 border border-warn bg-warn-soft',
  skipped: 'h-1 bg-control',
  cancelled: 'h-1 bg-control',
}

/** The one of a bin that matters most. */
const order: readonly StepRun['status'][] = [
  'uncertain',
  'failed',
  'timed_out',
  'waiting',
  'running',
  'retry_wait',
  'ready',
  'pending',
  'succeeded',
  'skipped',
  'cancelled',
]

/**
 * All steps of a long run as ticks across the page: the tall ones need somebody, and a click on one chooses its step. It
 * stays in sight while the page scrolls. The keys `j` and `k` and the list of steps do the same without a pointer.
 */
export function StepMinimap({
  steps,
  selected,
  onSelect,
}: {
  steps: readonly StepRun[]
  selected: string | undefined
  onSelect: (key: string) => void
}) {
  const own = steps.filter(({ parentKey }) => parentKey === null)
  if (own.length <= leastSteps) return null
  const size = Math.ceil(own.length / mostTicks)
  const bins = Array.from({ length: Math.ceil(own.length / size) }, (_, index) =>
    own.slice(index * size, (index + 1) * size),
  )
  return (
    <div
      aria-hidden
      data-live-color=""
      data-minimap=""
      className="sticky top-0 z-30 flex h-8 shrink-0 items-center border-b border-line bg-bg px-(--gutter)"
    >
      {bins.map((bin) => {
        const step = order.flatMap((status) => bin.find((each) => each.status === status) ?? [])[0]
        if (!step) return null
        const isSelected = bin.some(({ key }) => key === selected)
        return (
          // A pointer's way only: the keyboard has `j`, `k` and the list.
          <button
            key={step.key}
            type="button"
            tabIndex={-1}
            aria-label={step.name}
            data-step={step.key}
            data-tooltip={`${step.name}: ${statusLook(step.status, 'run').label}`}
            onClick={() => onSelect(step.key)}
            className={cx(
              'flex h-7 min-w-0 flex-1 cursor-pointer items-center px-px hover:bg-hover',
              isSelected && 'bg-accent-soft shadow-[inset_0_-2px_0_var(--color-accent)]',
            )}
          >
            <span
              className={cx('w-full rounded-[1.5px]', looks[step.status] ?? 'h-3 border border-line-strong')}
            />
          </button>
        )
      })}
    </div>
  )
}
