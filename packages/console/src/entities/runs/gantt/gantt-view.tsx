import { useVirtualizer } from '@tanstack/react-virtual'
import type { CSSProperties } from 'react'
import { useEffect, useRef } from 'react'
import { formatDuration } from '../../../lib/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { foldDone } from '../fold-steps.ts'
import type { StepFold } from '../fold-steps.ts'
import { useFolds } from '../use-folds.ts'
import type { Gantt, GanttRow } from './gantt.ts'
import { ganttColumns } from './gantt-columns.ts'
import type { PercentOf } from './gantt-columns.ts'
import { GanttAttemptRow, GanttFoldRow, GanttStepRow } from './gantt-row.tsx'

export interface GanttViewProps {
  label: string
  gantt: Gantt
  selected: string | undefined
  /** Key of the step that comes into view, at first and when another is named. */
  revealed: string | undefined
  onSelect: (stepKey: string) => void
}

/** Height of the axis in px. */
const axisHeight = 32

type Item = { row: GanttRow; attempt?: GanttRow['attempts'][number]; fold?: undefined } | { fold: StepFold }

/** Steps of a run as bars along time, with the attempts of the selected one under it. */
export function GanttView({ label, gantt, selected, revealed, onSelect }: GanttViewProps) {
  const box = useRef<HTMLDivElement>(null)
  const { opened, toggle } = useFolds()
  const rowOf = new Map(gantt.rows.map((row) => [row.step.key, row]))
  const folded = foldDone(
    gantt.rows.map(({ step }) => step),
    selected,
    opened,
  )
  const items = folded.flatMap(({ fold, step }): Item[] => {
    if (fold) return [{ fold }]
    const row = rowOf.get(step.key)
    if (!row) return []
    const isOpen = step.key === selected && row.attempts.length > 1
    return [{ row }, ...(isOpen ? row.attempts.map((attempt) => ({ row, attempt })) : [])]
  })
  // The rule warns users of the React Compiler, which this project does not use.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => (attemptOf(items[index]) ? 25 : 30),
    overscan: 10,
    // The axis stands above the rows in the same box.
    scrollPaddingEnd: axisHeight,
  })
  const revealedIndex = items.findIndex(
    (item) => !item.fold && item.row.step.key === revealed && !item.attempt,
  )
  useEffect(() => {
    if (revealedIndex >= 0) virtualizer.scrollToIndex(revealedIndex)
  }, [revealedIndex, virtualizer])
  const percentOf: PercentOf = (at) => ((at - gantt.start) / (gantt.end - gantt.start)) * 100
  return (
    <section
      ref={box}
      aria-label={label}
      // A box that scrolls must be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="@container max-h-[28rem] shrink-0 overflow-y-auto -outline-offset-2"
    >
      <Axis gantt={gantt} percentOf={percentOf} />
      <div className="relative" style={{ height: virtualizer.getTotalSize() }}>
        <Lines gantt={gantt} percentOf={percentOf} />
        <ol>
          {virtualizer.getVirtualItems().map(({ index, start, size }) => {
            const item = items[index]
            if (!item) return null
            const place: CSSProperties = { transform: `translateY(${start}px)`, height: size }
            return (
              <li key={keyOf(item)} className="absolute inset-x-0 top-0" style={place}>
                {item.fold ? (
                  <GanttFoldRow
                    fold={item.fold}
                    percentOf={percentOf}
                    onToggle={() => toggle(item.fold.id)}
                  />
                ) : item.attempt ? (
                  <GanttAttemptRow attempt={item.attempt} percentOf={percentOf} />
                ) : (
                  <GanttStepRow
                    row={item.row}
                    percentOf={percentOf}
                    isSelected={item.row.step.key === selected}
                    onSelect={() => onSelect(item.row.step.key)}
                  />
                )}
              </li>
            )
          })}
        </ol>
      </div>
    </section>
  )
}

const attemptOf = (item: Item | undefined) => (item && !item.fold ? item.attempt : undefined)

function keyOf(item: Item): string {
  if (item.fold) return `fold ${item.fold.id}`
  return item.attempt ? `${item.row.step.key} ${item.attempt.attempt}` : item.row.step.key
}

/** Nearer to another label than so many percent of the axis, a label of a tick is left out. */
const labelRoom = 9
const phoneLabelRoom = 30

function Axis({ gantt, percentOf }: { gantt: Gantt; percentOf: PercentOf }) {
  const now = gantt.now === undefined ? undefined : percentOf(gantt.now)
  const end = gantt.expectedEnd === undefined ? undefined : percentOf(gantt.expectedEnd)
  const isFree = (at: number, room = labelRoom) =>
    [now, end].every((other) => other === undefined || Math.abs(other - at) > room)
  return (
    <div
      aria-hidden
      className={cx(
        ganttColumns,
        'sticky top-0 z-20 h-8 items-center border-b border-line bg-bg px-(--gutter) text-small text-text-2',
      )}
    >
      <span>Step</span>
      <span className="relative h-full text-meta tabular-nums">
        {gantt.ticks.map(({ atMs, label }, index) => {
          const at = percentOf(gantt.origin + atMs)
          if (!isFree(at) || at > 97) return null
          // Where there is little room, every third.
          const isOnPhone = index % 3 === 0 && isFree(at, phoneLabelRoom)
          return <AxisLabel key={atMs} at={at} text={label} className={isOnPhone ? '' : '@max-3xl:hidden'} />
        })}
        {now === undefined ? null : (
          <AxisLabel
            at={now}
            text={`now, ${formatDuration((gantt.now ?? 0) - gantt.origin)}`}
            className="font-medium text-text"
          />
        )}
        {end === undefined || (now !== undefined && end - now < labelRoom * 2.5) ? null : (
          <AxisLabel at={end} text={`about ${formatDuration((gantt.expectedEnd ?? 0) - gantt.origin)}`} />
        )}
      </span>
      <span className="text-right @max-3xl:hidden">Took</span>
      <span className="text-right @max-3xl:hidden">Usual</span>
    </div>
  )
}

/** Centred on its place, but never beyond the ends of the axis. */
function AxisLabel({ at, text, className }: { at: number; text: string; className?: string }) {
  const shift = at < 4 ? '0' : at > 92 ? '-100%' : '-50%'
  return (
    <span
      className={cx('absolute top-2 whitespace-nowrap', className)}
      style={{ left: `${at}%`, transform: `translateX(${shift})` }}
    >
      {text}
    </span>
  )
}

/** Ticks, "now" and the expected end, through all rows. */
function Lines({ gantt, percentOf }: { gantt: Gantt; percentOf: PercentOf }) {
  return (
    <div aria-hidden className={cx(ganttColumns, 'pointer-events-none absolute inset-0 px-(--gutter)')}>
      <span />
      <span className="relative overflow-x-clip">
        {gantt.ticks.map(({ atMs }) => (
          <span
            key={atMs}
            className="absolute inset-y-0 w-px bg-line"
            style={{ left: `${percentOf(gantt.origin + atMs)}%` }}
          />
        ))}
        {gantt.expectedEnd === undefined ? null : (
          <span
            className="absolute inset-y-0 border-l border-dotted border-control"
            style={{ left: `${percentOf(gantt.expectedEnd)}%` }}
          />
        )}
        {gantt.now === undefined ? null : (
          <span
            className="absolute inset-y-0 z-10 w-px bg-text"
            style={{ left: `${percentOf(gantt.now)}%` }}
          />
        )}
      </span>
    </div>
  )
}
