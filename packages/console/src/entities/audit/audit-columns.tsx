import type { AuditEntry } from '@bey/contract'
import { actorText, auditDidText } from '@bey/contract'
import { formatNumber } from '../../lib/format.ts'
import { cx } from '../../ui/class-names.ts'
import { StatusMark } from '../../ui/status-mark.tsx'
import type { Column } from '../../ui/table.tsx'
import { clockTime } from '../../ui/time-text.ts'
import { Truncated } from '../../ui/truncated.tsx'
import { auditViaLabels, outcomeText, targetPlaceText } from './audit-text.ts'

/** The chain, drawn beside the rows: a line through all of them with a tick for each entry. */
const spine =
  'relative pl-10! before:absolute before:inset-y-0 before:left-5 before:w-px before:bg-line-strong after:absolute after:top-1/2 after:left-[15px] after:h-0.5 after:w-[11px] after:-translate-y-px after:bg-text-2'

export const auditColumns: readonly Column<AuditEntry>[] = [
  {
    key: 'at',
    header: 'Time',
    width: '7.5rem',
    className: spine,
    cell: ({ at }) => (
      <time dateTime={at} className="tabular-nums">
        {clockTime(new Date(at))}
      </time>
    ),
  },
  {
    key: 'actor',
    header: 'Who',
    width: '16%',
    cell: ({ actor, impersonatedBy }) => (
      <Truncated>
        {impersonatedBy === null ? actorText(actor) : `${actorText(impersonatedBy)} as ${actorText(actor)}`}
      </Truncated>
    ),
  },
  {
    key: 'action',
    header: 'Did',
    width: '28%',
    cell: (entry) => <Truncated>{auditDidText(entry)}</Truncated>,
    isVital: true,
  },
  { key: 'target', header: 'To what', cell: (entry) => <Truncated>{targetPlaceText(entry)}</Truncated> },
  { key: 'outcome', header: 'Outcome', width: '8rem', cell: (entry) => <Outcome entry={entry} /> },
  { key: 'via', header: 'By', width: '6rem', cell: ({ via }) => auditViaLabels[via] },
  {
    key: 'ip',
    header: 'Address',
    width: '7.5rem',
    isExtra: true,
    cell: ({ ip }) => <Truncated>{ip ?? '—'}</Truncated>,
  },
  {
    key: 'number',
    header: 'Entry',
    align: 'end',
    width: '5.5rem',
    cell: ({ number }) => (number === null ? '…' : formatNumber(number)),
  },
]

function Outcome({ entry }: { entry: AuditEntry }) {
  const isTrouble = entry.outcome === 'failure' || entry.outcome === 'denied'
  return (
    <span className={cx('flex min-w-0 items-center gap-1.5', isTrouble && 'text-danger')}>
      {isTrouble ? <StatusMark glyph="triangle" /> : null}
      <Truncated>{outcomeText(entry)}</Truncated>
    </span>
  )
}
