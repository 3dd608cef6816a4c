import type { RunStatus } from '@bey/contract'
import { runStatuses } from '@bey/contract'
import { formatNumber } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { StatusMark } from '../../../ui/status-mark.tsx'
import { statusLook } from '../../../ui/status-table.ts'

/** Counts stop here; more show as "10,000+". */
const exactTo = 10_000

/** How many runs each status has, each a switch that narrows the list to it; several can be on. */
export function StatusCounts({
  counts,
  chosen,
  onChange,
}: {
  /** Undefined while they are read. */
  counts: Readonly<Record<string, number>> | undefined
  chosen: readonly RunStatus[]
  onChange: (chosen: readonly RunStatus[]) => void
}) {
  const shown = runStatuses.filter((status) => (counts?.[status] ?? 0) > 0 || chosen.includes(status))
  const all = Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0)
  const toggle = (status: RunStatus) =>
    onChange(chosen.includes(status) ? chosen.filter((each) => each !== status) : [...chosen, status])
  return (
    <fieldset className="flex min-h-9 shrink-0 flex-wrap items-center gap-1 border-b border-line px-(--gutter) py-1">
      <legend className="sr-only">Statuses</legend>
      <Chip label="all" count={all} isOn={chosen.length === 0} onClick={() => onChange([])} />
      {shown.map((status) => {
        const look = statusLook(status, 'run')
        return (
          <Chip
            key={status}
            label={look.label}
            mark={<StatusMark glyph={look.glyph} />}
            tone={look.tone === 'danger' ? 'text-danger' : look.tone === 'warn' ? 'text-warn' : ''}
            count={counts?.[status] ?? 0}
            isOn={chosen.includes(status)}
            onClick={() => toggle(status)}
          />
        )
      })}
    </fieldset>
  )
}

function Chip({
  label,
  mark,
  tone = '',
  count,
  isOn,
  onClick,
}: {
  label: string
  mark?: React.ReactNode
  tone?: string
  count: number
  isOn: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onClick}
      data-live-color=""
      className={cx(
        'inline-flex h-7 items-center gap-1.5 rounded-control px-2 touch:h-9',
        isOn ? 'bg-active font-medium' : 'text-text-2 hover:bg-hover hover:text-text',
      )}
    >
      {mark ? <span className={tone}>{mark}</span> : null}
      {label}{' '}
      <span className={cx('text-small tabular-nums', isOn ? 'text-text-2' : 'text-text-3')}>
        {count > exactTo ? `${formatNumber(exactTo)}+` : formatNumber(count)}
      </span>
    </button>
  )
}
