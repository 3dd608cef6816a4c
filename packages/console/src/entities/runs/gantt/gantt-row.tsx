import { ChevronDown, ChevronRight, CornerDownRight } from 'lucide-react'
import type { CSSProperties } from 'react'
import { absent, formatDuration } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { StatusMark } from '../../../ui/status-mark.tsx'
import { statusLook } from '../../../ui/status-table.ts'
import type { StepFold } from '../fold-steps.ts'
import { foldSpan, foldText } from '../fold-steps.ts'
import { skipReason } from '../skip-reason.ts'
import { ganttColumns } from './gantt-columns.ts'
import type { PercentOf } from './gantt-columns.ts'
import type { GanttAttempt, GanttPiece, GanttRow } from './gantt.ts'

const markTones = {
  quiet: 'text-text-2',
  ok: 'text-ok',
  warn: 'text-warn',
  danger: 'text-danger',
  info: 'text-info',
} as const

/** One step: its name, its bar with the usual time under it, and its figures. The whole row is the button. */
export function GanttStepRow({
  row,
  percentOf,
  isSelected,
  onSelect,
}: {
  row: GanttRow
  percentOf: PercentOf
  isSelected: boolean
  onSelect: () => void
}) {
  const { step, pieces, tookMs, usualMs, isSlow } = row
  const look = statusLook(step.status, 'run')
  const isOpen = step.startedAt !== null && step.finishedAt === null && step.status !== 'uncertain'
  const took = tookMs === undefined ? absent : formatDuration(tookMs)
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      onClick={onSelect}
      className={cx(
        ganttColumns,
        'relative size-full items-center border-b border-line px-(--gutter) text-left -outline-offset-2',
        isSelected ? 'bg-accent-soft' : 'hover:bg-hover/60',
      )}
    >
      <span data-live-color="" className={cx('flex min-w-0 items-center gap-2.5', step.parentKey && 'pl-4')}>
        <span className={cx('shrink-0', markTones[look.tone])}>
          <StatusMark glyph={look.glyph} isBusy={look.isBusy} />
        </span>
        <span className={cx('truncate', step.startedAt ? 'font-medium' : 'text-text-2')} title={step.name}>
          {step.name}
        </span>
        <span className="sr-only">{look.label}</span>
      </span>
      <span className="relative h-full overflow-x-clip">
        {pieces.length === 0 && step.status === 'skipped' ? (
          <span className="absolute inset-y-0 left-0 flex items-center truncate text-small text-text-2">
            {['skipped', skipReason(step)].filter(Boolean).join(': ')}
          </span>
        ) : null}
        {pieces.map((piece) => (
          <Piece key={`${piece.kind} ${piece.from}`} piece={piece} percentOf={percentOf} isBegun={isOpen} />
        ))}
        {row.usual ? <Usual usual={row.usual} percentOf={percentOf} /> : null}
        {row.changes.map((at) => (
          <ProcessChange key={at} percent={percentOf(at)} />
        ))}
      </span>
      <span
        className={cx('truncate text-right tabular-nums @max-3xl:hidden', isSlow ? 'text-warn' : 'text-text')}
        data-tooltip={isSlow ? 'Longer than nine of ten earlier runs.' : undefined}
      >
        {took}
        {isOpen ? ' so far' : ''}
      </span>
      <span className="truncate text-right text-text-2 tabular-nums @max-3xl:hidden">
        {usualMs === undefined ? absent : formatDuration(usualMs)}
      </span>
    </button>
  )
}

/** Steps that are done as one row, with one bar from the first to the last. */
export function GanttFoldRow({
  fold,
  percentOf,
  onToggle,
}: {
  fold: StepFold
  percentOf: PercentOf
  onToggle: () => void
}) {
  const span = foldSpan(fold)
  const Chevron = fold.isOpen ? ChevronDown : ChevronRight
  return (
    <button
      type="button"
      aria-expanded={fold.isOpen}
      onClick={onToggle}
      className={cx(
        ganttColumns,
        'relative size-full items-center border-b border-line bg-sunken px-(--gutter) text-left text-text-2 -outline-offset-2 hover:text-text',
      )}
    >
      <span className="flex min-w-0 items-center gap-2">
        <Chevron size={14} aria-hidden className="-ml-px shrink-0" />
        <span className="truncate" data-tooltip={foldText(fold)}>
          {foldText(fold)}
        </span>
      </span>
      <span className="relative h-full overflow-x-clip">
        {span && !fold.isOpen ? (
          <Piece piece={{ kind: 'work', ...span }} percentOf={percentOf} isThin />
        ) : null}
      </span>
      <span className="text-right tabular-nums @max-3xl:hidden">
        {span ? formatDuration(span.to - span.from) : absent}
      </span>
    </button>
  )
}

/** One attempt of the selected step, thinner than its bar. */
export function GanttAttemptRow({ attempt, percentOf }: { attempt: GanttAttempt; percentOf: PercentOf }) {
  const from = attempt.pieces[0]?.from ?? 0
  const to = attempt.pieces.at(-1)?.to ?? from
  // Its text stays in sight while the bar is not.
  const [left, right] = [percentOf(from), percentOf(to)].map((at) => Math.min(100, Math.max(0, at)))
  const isLeft = (right ?? 0) > 60 && (left ?? 0) > 20
  return (
    <div
      className={cx(
        ganttColumns,
        'size-full items-center border-b border-line bg-sunken px-(--gutter) text-small',
      )}
    >
      <span className="flex items-center gap-2 pl-5 text-text-2">
        <CornerDownRight size={12} aria-hidden className="shrink-0 text-text-3" />
        attempt {attempt.attempt}
      </span>
      <span className="relative h-full overflow-x-clip">
        {attempt.pieces.map((piece) => (
          <Piece key={piece.from} piece={piece} percentOf={percentOf} isThin />
        ))}
        <span
          className={cx(
            'absolute inset-y-0 flex max-w-3/5 items-center px-2',
            attempt.isFailed ? 'text-danger' : 'text-text-2',
          )}
          style={isLeft ? { right: `${100 - (left ?? 0)}%` } : { left: `${Math.min(60, right ?? 0)}%` }}
        >
          <span className="truncate" title={attempt.text}>
            {attempt.text}
          </span>
        </span>
      </span>
      <span className="text-right text-text-2 tabular-nums @max-3xl:hidden">{formatDuration(to - from)}</span>
    </div>
  )
}

const hatched = 'bg-[repeating-linear-gradient(135deg,var(--line-strong)_0_2px,transparent_2px_6px)]'

/** The look of each piece of a bar; the legend shows the same. */
export const pieceLooks: Record<GanttPiece['kind'], string> = {
  work: 'bg-control',
  over: 'bg-warn',
  failed: 'bg-danger',
  running: 'bg-info',
  waiting: cx('border border-control', hatched),
  retry_wait: cx('border border-dashed border-warn', hatched),
  expected: 'border border-dashed border-control',
}

function Piece({
  piece,
  percentOf,
  isBegun = false,
  isThin = false,
}: {
  piece: GanttPiece
  percentOf: PercentOf
  isBegun?: boolean
  isThin?: boolean
}) {
  const left = percentOf(piece.from)
  const style: CSSProperties = { left: `${left}%`, width: `${percentOf(piece.to) - left}%` }
  const isRest = piece.kind === 'expected' && isBegun
  return (
    <span
      data-live-color=""
      data-piece={piece.kind}
      className={cx(
        'absolute min-w-0.5 rounded-[2px]',
        isThin ? 'top-[9px] h-1.5' : 'top-[7px] h-2.5',
        isRest ? 'border border-dashed border-info bg-info-soft' : pieceLooks[piece.kind],
      )}
      style={style}
    />
  )
}

/** Under the bar: a line to the median, dots to the 90th percentile, a stop at each. */
function Usual({ usual, percentOf }: { usual: NonNullable<GanttRow['usual']>; percentOf: PercentOf }) {
  const [from, median, p90] = [usual.from, usual.medianTo, usual.p90To].map(percentOf)
  if (from === undefined || median === undefined || p90 === undefined) return null
  return (
    <>
      <span
        className="absolute top-[21px] h-px bg-text-3"
        style={{ left: `${from}%`, width: `${median - from}%` }}
      />
      <span
        className="absolute top-[21px] border-t border-dotted border-text-3"
        style={{ left: `${median}%`, width: `${p90 - median}%` }}
      />
      {[median, p90].map((at, index) => (
        <span
          key={index === 0 ? 'median' : 'p90'}
          className="absolute top-[19px] h-[5px] w-px bg-text-3"
          style={{ left: `${at}%` }}
        />
      ))}
    </>
  )
}

function ProcessChange({ percent }: { percent: number }) {
  return (
    <span
      data-tooltip="Another process continued from here."
      className="absolute top-0 z-10 h-full w-px bg-warn"
      style={{ left: `${percent}%` }}
    >
      <span className="absolute top-0 -left-[3px] border-x-[3.5px] border-t-[5px] border-x-transparent border-t-warn" />
    </span>
  )
}
