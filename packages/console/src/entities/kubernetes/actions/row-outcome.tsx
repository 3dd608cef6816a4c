import { StatusMark } from '../../../ui/status-mark.tsx'
import type { Outcome } from './run-action.ts'

const looks = {
  pending: { glyph: 'half', className: 'text-info' },
  done: { glyph: 'check', className: 'text-ok' },
  out: { glyph: 'ring', className: 'text-text-2' },
  failed: { glyph: 'triangle', className: 'text-danger' },
} as const

/** What became of a row that was acted on, or that it is under way. */
export function RowOutcome({ outcome: { state, text } }: { outcome: Outcome }) {
  const { glyph, className } = looks[state]
  return (
    <span className={`inline-flex max-w-full items-center gap-1.5 ${className}`} data-tooltip={text}>
      <StatusMark glyph={glyph} isBusy={state === 'pending'} />
      <span className="truncate">{text}</span>
    </span>
  )
}
