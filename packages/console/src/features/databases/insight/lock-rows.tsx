import type { DatabaseSession } from '@bey/contract'
import type { CSSProperties } from 'react'
import { formatDuration } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { cx } from '../../../ui/class-names.ts'
import { clockTime, shortTime } from '../../../ui/time-text.ts'
import { doingText, sessionAgeMs, sessionBar, stateText } from './session-text.ts'
import type { ShownLock } from './shown-locks.ts'
import { sessionKey } from './shown-locks.ts'
import type { SessionAct } from './use-session-acts.ts'
import { canCancel } from './use-session-acts.ts'

/** Widths of the columns, for the box around the rows. */
export const lockColumns = {
  '--lock-columns': 'minmax(12rem, 19rem) minmax(0, 1fr) 8rem',
  '--lock-heads': 'minmax(12rem, 19rem) minmax(0, 1fr) 8rem 7rem',
  '--lock-act': '7rem',
} satisfies Record<`--${string}`, string> as CSSProperties

const minute = 60_000
/** Distances of the lines of the axis. */
const steps = [0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1_440].map((minutes) => minutes * minute)

/** What the rows may do. Left out for a tree of the past. */
interface LockActs {
  refusalOf: (session: DatabaseSession) => string | undefined
  isBusy: boolean
  run: (act: SessionAct, session: DatabaseSession) => void
}

export interface LockRowsProps {
  nodes: readonly ShownLock[]
  nowMs: number
  selected: number | undefined
  onSelect: (pid: number) => void
  acts?: LockActs | undefined
}

/** Who waits for whom, and since when, on one axis of time; each row chooses its session. */
export function LockRows({ nodes, nowMs, selected, onSelect, acts }: LockRowsProps) {
  const earliest = Math.min(nowMs - minute, ...nodes.map(({ session }) => sessionBar(session, nowMs).fromMs))
  const fromMs = nowMs - (nowMs - earliest) * 1.35
  const shareOf = (ms: number) => Math.min(100, Math.max(0, ((ms - fromMs) / (nowMs - fromMs)) * 100))
  const step = steps.find((each) => (nowMs - fromMs) / each <= 6) ?? (nowMs - fromMs) / 6
  const first = Math.ceil(fromMs / step) * step
  const lines = Array.from(
    { length: Math.floor((nowMs - first) / step) + 1 },
    (_, index) => first + index * step,
  )
  return (
    <div className="border-b border-line">
      <div
        aria-hidden
        className="hidden grid-cols-(--lock-heads) pl-(--gutter) text-small text-text-2 md:grid"
      >
        <span />
        <span className="relative h-6">
          {lines
            .filter((at) => shareOf(at) < 97)
            .map((at) => (
              <span
                key={at}
                style={{ left: `${shareOf(at)}%` }}
                className="absolute -translate-x-1/2 tabular-nums"
              >
                {step < minute ? clockTime(new Date(at)) : shortTime(new Date(at))}
              </span>
            ))}
        </span>
        <span className="pl-3">for</span>
        <span />
      </div>
      <ul aria-label="Who waits for whom">
        {nodes.map((node) => (
          <LockRow
            key={sessionKey(node)}
            node={node}
            nowMs={nowMs}
            shareOf={shareOf}
            lines={lines}
            isSelected={node.session.pid === selected && node.goneAtMs === null}
            onSelect={onSelect}
            acts={acts}
          />
        ))}
      </ul>
    </div>
  )
}

interface LockRowProps {
  node: ShownLock
  nowMs: number
  shareOf: (ms: number) => number
  lines: readonly number[]
  isSelected: boolean
  onSelect: (pid: number) => void
  acts: LockActs | undefined
}

function LockRow({ node, nowMs, shareOf, lines, isSelected, onSelect, acts }: LockRowProps) {
  const { session, depth, frees, goneAtMs } = node
  const { pid, client } = session
  const isGone = goneAtMs !== null
  const { kind } = sessionBar(session, nowMs)
  const isHolder = !isGone && session.blockedBy.length === 0 && frees > 0
  const age = formatDuration(sessionAgeMs(session, goneAtMs ?? nowMs))
  return (
    <li
      className={cx(
        'grid grid-cols-[minmax(0,1fr)] items-center border-t border-line md:grid-cols-[minmax(0,1fr)_auto]',
        isHolder && 'bg-danger-soft',
        isSelected && !isHolder && 'bg-active',
      )}
    >
      <button
        type="button"
        data-lock={pid}
        aria-pressed={isSelected}
        aria-disabled={isGone ? true : undefined}
        onClick={() => (isGone ? undefined : onSelect(pid))}
        className="grid min-h-11 w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 pr-(--gutter) pl-(--gutter) text-left -outline-offset-2 hover:bg-hover aria-disabled:hover:bg-transparent md:min-h-9 md:grid-cols-(--lock-columns) md:gap-x-0 md:pr-0"
      >
        <span
          className={cx('flex min-w-0 items-center gap-2', isGone && 'text-text-3 line-through')}
          style={{ paddingInlineStart: Math.min(depth, 8) * 20 }}
        >
          {depth > 0 ? (
            <span aria-hidden className="-ml-3 h-3 w-2.5 border-b border-l border-line-strong" />
          ) : null}
          <span className={cx('font-mono text-small tabular-nums', isGone ? '' : 'text-text-2')}>{pid}</span>{' '}
          <span className={cx('truncate font-medium', isHolder && 'text-danger')}>{client}</span>
          <span className="sr-only">
            {isGone
              ? ', neither waits nor holds others up any more'
              : `, ${stateText(session)} for ${age}, its end frees ${frees}. ${doingText(session)}`}
          </span>
        </span>
        <span aria-hidden className="relative hidden h-9 md:block">
          {lines.map((at) => (
            <span
              key={at}
              style={{ left: `${shareOf(at)}%` }}
              className="absolute inset-y-0 border-l border-line"
            />
          ))}
          <LockBar node={node} nowMs={nowMs} shareOf={shareOf} />
          <span className="absolute inset-y-0 right-0 border-l border-text" />
        </span>
        <span
          className={cx(
            'text-right tabular-nums md:pl-3 md:text-left',
            isGone || kind === 'working' || kind === 'hidden' ? 'text-text-2' : 'text-danger',
          )}
        >
          {isGone ? 'over' : age}
        </span>
        {isGone ? null : (
          <span aria-hidden className="col-span-full truncate pb-1.5 text-small text-text-2 md:hidden">
            {stateText(session)}
            {doingText(session) === '' ? '' : ` · ${doingText(session)}`}
          </span>
        )}
      </button>
      {/* A phone has the acts at the thumb, for the row that is chosen. */}
      <span className="hidden w-(--lock-act) pr-(--gutter) text-right md:block">
        {isGone || acts === undefined ? null : <RowAct session={session} acts={acts} />}
      </span>
    </li>
  )
}

/** What is usually done with a session: its statement is cancelled, or it is ended where it has none. */
function RowAct({ session, acts }: { session: DatabaseSession; acts: LockActs }) {
  const act: SessionAct = canCancel(session) ? 'cancel' : 'end'
  return (
    <Button
      size="small"
      variant={act === 'end' ? 'secondary' : 'ghost'}
      disabledReason={acts.refusalOf(session)}
      onClick={() => {
        if (!acts.isBusy) acts.run(act, session)
      }}
      aria-label={act === 'end' ? `End session ${session.pid} …` : `Cancel the statement of ${session.pid}`}
    >
      {act === 'end' ? 'End…' : 'Cancel'}
    </Button>
  )
}

/** Since when a session works, waits or is idle, with what it does before it. */
function LockBar({ node, nowMs, shareOf }: Pick<LockRowProps, 'node' | 'nowMs' | 'shareOf'>) {
  const { session, goneAtMs } = node
  const isGone = goneAtMs !== null
  const { kind, fromMs, sinceMs } = sessionBar(session, goneAtMs ?? nowMs)
  const right = `${100 - shareOf(goneAtMs ?? nowMs)}%`
  return (
    <>
      <span
        style={{ right: `${100 - shareOf(fromMs)}%` }}
        className="absolute inset-y-0 left-2 flex min-w-0 items-center justify-end pr-2"
      >
        <span className={cx('truncate text-small', isGone ? 'text-text-3 line-through' : 'text-text-2')}>
          {doingText(session)}
        </span>
      </span>
      {kind === 'working' || sinceMs > fromMs ? (
        <span
          style={{ left: `${shareOf(fromMs)}%`, right: `${100 - shareOf(sinceMs)}%` }}
          className="absolute top-[13px] h-2.5 bg-control"
        />
      ) : null}
      {kind === 'idle' || kind === 'waiting' ? (
        <span
          style={{ left: `${shareOf(sinceMs)}%`, right }}
          className={cx(
            'absolute top-[13px] h-2.5 min-w-0.5',
            isGone ? 'border border-control' : kind === 'idle' ? 'bg-danger' : waitingLook,
          )}
        />
      ) : null}
    </>
  )
}

/** Hatched, so that waiting is told from idling without colours. */
const waitingLook =
  'border border-danger bg-[repeating-linear-gradient(45deg,var(--danger)_0_1px,transparent_1px_5px)]'

/** What the bars mean. */
export function LockLegend() {
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1 max-md:hidden">
      {(
        [
          ['bg-danger', 'idle, holding its locks'],
          [waitingLook, 'waiting'],
          ['bg-control', 'working'],
        ] as const
      ).map(([look, text]) => (
        <span key={text} className="flex items-center gap-1.5">
          <span aria-hidden className={cx('h-2.5 w-3', look)} />
          {text}
        </span>
      ))}
    </span>
  )
}
