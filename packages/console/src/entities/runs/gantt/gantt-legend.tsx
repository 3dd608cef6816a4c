import type { ReactNode } from 'react'
import { cx } from '../../../ui/class-names.ts'
import type { Gantt, GanttPiece } from './gantt.ts'
import { pieceLooks } from './gantt-row.tsx'

const words: readonly (readonly [GanttPiece['kind'], string])[] = [
  ['work', 'work'],
  ['over', 'beyond the usual'],
  ['failed', 'failed attempt'],
  ['running', 'running'],
  ['waiting', 'waiting'],
  ['retry_wait', 'waiting to retry'],
  ['expected', 'expected'],
]

/** What the pieces of the bars mean, as far as they are there. */
export function GanttLegend({ gantt, children }: { gantt: Gantt; children?: ReactNode }) {
  const kinds = new Set(gantt.rows.flatMap(({ pieces }) => pieces.map(({ kind }) => kind)))
  const isUsual = gantt.rows.some(({ usual }) => usual !== undefined)
  const isChanged = gantt.rows.some(({ changes }) => changes.length > 0)
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-5 gap-y-1 border-b border-line px-(--gutter) py-1.5 text-small text-text-2">
      {words.flatMap(([kind, word]) =>
        kinds.has(kind)
          ? [
              <span key={kind} className="flex items-center gap-2">
                <span aria-hidden className={cx('h-2 w-4 rounded-[2px]', pieceLooks[kind])} />
                {word}
              </span>,
            ]
          : [],
      )}
      {isUsual ? (
        <span className="flex items-center gap-2">
          <span aria-hidden className="flex items-center">
            <span className="h-px w-3 bg-text-3" />
            <span className="h-[5px] w-px bg-text-3" />
            <span className="w-2 border-t border-dotted border-text-3" />
            <span className="h-[5px] w-px bg-text-3" />
          </span>
          usual, 9 of 10 within
        </span>
      ) : null}
      {isChanged ? (
        <span className="flex items-center gap-2">
          <span aria-hidden className="border-x-[3.5px] border-t-[5px] border-x-transparent border-t-warn" />
          change of process
        </span>
      ) : null}
      {children}
    </div>
  )
}
