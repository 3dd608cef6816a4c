import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { StatusMark } from './status-mark.tsx'
import { statusLook } from './status-table.ts'
import type { StatusTone } from './status-table.ts'

export interface TimelineStep {
  key: string
  name: ReactNode
  status: string
  /** Right-hand figures: duration, attempts. */
  figures?: ReactNode
  /** A line below the name: the message, or the cause of a failure. */
  detail?: ReactNode
  isSelected?: boolean
  onSelect?: () => void
}

const markTones: Record<StatusTone, string> = {
  quiet: 'text-text-3',
  ok: 'text-ok',
  warn: 'text-warn',
  danger: 'text-danger',
  info: 'text-info',
}

/** The steps of a run, top to bottom, joined by a line; each can be selected. */
export function Timeline({ label, steps }: { label: string; steps: readonly TimelineStep[] }) {
  return (
    <ol data-live-color="" aria-label={label} className="flex flex-col">
      {steps.map((step, index) => (
        <li key={step.key} className="relative">
          {index < steps.length - 1 ? (
            <span aria-hidden className="absolute top-7 bottom-[-6px] left-[17.5px] w-px bg-line-strong" />
          ) : null}
          <StepRow step={step} />
        </li>
      ))}
    </ol>
  )
}

function StepRow({ step }: { step: TimelineStep }) {
  const look = statusLook(step.status, 'run')
  const body = (
    <>
      <span className={cx('relative z-10 flex h-5 w-3 shrink-0 items-center', markTones[look.tone])}>
        <StatusMark glyph={look.glyph} isBusy={look.isBusy} />
      </span>
      <span className="min-w-0 flex-1 text-left">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{step.name}</span>
          <span className={cx('text-small', markTones[look.tone])}>{look.label}</span>
        </span>
        {step.detail ? (
          <span className={cx('block break-words', look.tone === 'danger' ? 'text-danger' : 'text-text-2')}>
            {step.detail}
          </span>
        ) : null}
      </span>
      <span className="shrink-0 text-small leading-5 text-text-2 tabular-nums">{step.figures}</span>
    </>
  )
  const box = 'flex w-full items-start gap-3 rounded-control px-3 py-2'
  if (!step.onSelect) return <div className={box}>{body}</div>
  return (
    <button
      type="button"
      aria-pressed={step.isSelected ?? false}
      onClick={step.onSelect}
      className={cx(box, step.isSelected ? 'bg-active' : 'transition-colors duration-75 hover:bg-hover')}
    >
      {body}
      <ChevronRight size={14} aria-hidden className="mt-[3px] shrink-0 text-text-3" />
    </button>
  )
}
