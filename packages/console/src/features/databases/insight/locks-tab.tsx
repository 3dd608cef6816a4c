import type { DatabaseSession, LockNode } from '@bey/contract'
import { databaseCan, databaseMetrics, deniedReason, lockSummary, lockTree } from '@bey/contract'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import type { DatabaseSessions } from '../../../data/database-insight.ts'
import { useDatabaseSessions, useLockMinutes } from '../../../data/database-insight.ts'
import { useMetrics } from '../../../data/metrics.ts'
import { useRole } from '../../../data/session.ts'
import { useStaleReason } from '../../../data/stale-reason.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatCount, formatDuration, formatNumber } from '../../../lib/format.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ListFoot } from '../../../ui/list-foot.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { momentText } from '../../../ui/time-text.ts'
import { SelectedActs, useLockActs, useLockKeys } from './lock-acts.tsx'
import { LockLead } from './lock-lead.tsx'
import { lockColumns, LockLegend, LockRows } from './lock-rows.tsx'
import { MomentChoice } from './moment-choice.tsx'
import { MinutesOfAway, PastLocks } from './past-locks.tsx'
import { sessionAgeMs } from './session-text.ts'
import { SessionTable } from './session-table.tsx'
import type { ShownLock } from './shown-locks.ts'
import { withGone } from './shown-locks.ts'

const keys = [
  { keys: ['j', 'k'], does: 'sessions' },
  { keys: ['c'], does: 'cancel' },
  { keys: ['E'], does: 'end' },
] as const

/** Who waits for whom in a running database, asked each second while the tab is open. */
export function LocksTab({ database }: { database: Database }) {
  const { id } = database
  const denied = deniedReason(useRole(), 'databases.sessions')
  const stale = useStaleReason()
  const away = databaseCan.connect(database)
  const refusal = denied ?? stale ?? away
  const query = useDatabaseSessions(id, refusal === undefined)
  const failure = failureOf('Failed to read the sessions', query)
  if (denied !== undefined) return <EmptyState title="Sessions are not shown to you" description={denied} />
  if (failure) {
    return (
      <>
        <ErrorState {...failure} />
        <MinutesOfAway databaseId={id} />
      </>
    )
  }
  // What was read before it went away is not so any more.
  if (query.data === undefined || away !== undefined) {
    return refusal === undefined ? (
      <div className="px-(--gutter) py-6">
        <Skeleton className="h-48" />
      </div>
    ) : (
      <>
        <EmptyState title="Sessions cannot be read now" description={refusal} />
        <MinutesOfAway databaseId={id} />
      </>
    )
  }
  return <Locks databaseId={id} data={query.data} onChange={() => void query.refetch()} />
}

function Locks({
  databaseId,
  data,
  onChange,
}: {
  databaseId: string
  data: DatabaseSessions
  onChange: () => void
}) {
  const { sessions, total, notes, at } = data
  const nowMs = Date.parse(at)
  const nodes = lockTree(sessions)
  const summary = lockSummary(nodes)
  const longestTodayMs = useLongestWaitToday(databaseId)
  const [chosen, setChosen] = useState<number>()
  const [isTable, setTable] = useState(false)
  const minutes = useLockMinutes(databaseId, true).data?.minutes ?? []
  const [past, setPast] = useState<string>()
  const rows = useShownLocks(nodes, at)
  const acts = useLockActs(databaseId, setChosen, onChange)
  const open = sessions.filter(({ pid }) => !nodes.some(({ session }) => session.pid === pid))
  const others = open.map((session) => ({ session, depth: 0, frees: 0 }))
  const selected =
    [...nodes, ...others].find(({ session }) => session.pid === chosen) ??
    nodes.find(({ session }) => session.pid === summary?.best.session.pid)
  const isNow = past === undefined
  useLockKeys(isNow ? [...nodes, ...others] : [], isNow ? selected : undefined, setChosen, acts.run)
  const asOf = `every second · as of ${momentText(at, new Date(nowMs))}`
  return (
    <div style={lockColumns} className="flex flex-col gap-6 py-4">
      {notes.map((note) => (
        <div key={note} className="px-(--gutter)">
          <Notice tone="warn" title={note} />
        </div>
      ))}
      {past !== undefined ? null : summary === undefined ? (
        <EmptyState
          title="Nothing waits."
          description={`${longestWaitText(longestTodayMs)} ${open.length === 0 ? 'No transaction is open.' : longestText(open, nowMs)}`}
        />
      ) : (
        <LockLead summary={summary} nodes={nodes} nowMs={nowMs} />
      )}
      {rows.length === 0 && minutes.length === 0 ? null : (
        <div>
          <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-(--gutter)">
            <h2 className="font-semibold">
              {past === undefined ? 'Who waits for whom' : 'Who waited for whom'}{' '}
              {past === undefined ? (
                <span className="font-normal text-text-2">{formatCount(nodes.length, 'session')}</span>
              ) : null}
            </h2>
            <span className="flex flex-wrap items-center gap-4 text-small text-text-2">
              {isTable || (past === undefined && rows.length === 0) ? null : <LockLegend />}
              <button
                type="button"
                aria-pressed={isTable}
                onClick={() => setTable(!isTable)}
                className="h-6 underline hover:text-accent-text touch:h-9"
              >
                {isTable ? 'Tree' : 'Table'}
              </button>
              <MomentChoice minutes={minutes} value={past} nowMs={nowMs} onChange={setPast} />
            </span>
          </div>
          {past !== undefined ? (
            <PastLocks key={past} databaseId={databaseId} at={past} nowMs={nowMs} isTable={isTable} />
          ) : rows.length === 0 ? null : isTable ? (
            <SessionTable
              label="Who waits for whom"
              sessions={nodes.map(({ session }) => session)}
              nowMs={nowMs}
              onChoose={setChosen}
            />
          ) : (
            <LockRows
              nodes={rows}
              nowMs={nowMs}
              selected={selected?.session.pid}
              onSelect={setChosen}
              acts={acts}
            />
          )}
        </div>
      )}
      {past !== undefined ? null : (
        <PresentSessions
          databaseId={databaseId}
          selected={selected}
          nodes={nodes}
          open={open}
          nowMs={nowMs}
          acts={acts}
          onChoose={setChosen}
          onChange={onChange}
        />
      )}
      {past === undefined ? (
        <p className="px-(--gutter) text-small text-text-3 tabular-nums">{asOf}</p>
      ) : null}
      <ListFoot
        count={`${formatNumber(sessions.length)} of ${formatCount(total, 'session')}`}
        keys={selected === undefined || past !== undefined ? [] : keys}
      />
    </div>
  )
}

interface PresentProps {
  databaseId: string
  selected: LockNode<DatabaseSession> | undefined
  nodes: readonly LockNode<DatabaseSession>[]
  /** With an open transaction, and out of the tree. */
  open: readonly DatabaseSession[]
  nowMs: number
  acts: ReturnType<typeof useLockActs>
  onChoose: (pid: number) => void
  onChange: () => void
}

/** What can be done with the chosen session, and who else has a transaction open. */
function PresentSessions(props: PresentProps) {
  const { databaseId, selected, nodes, open, nowMs, acts, onChoose, onChange } = props
  return (
    <>
      {selected === undefined ? null : (
        <SelectedActs
          databaseId={databaseId}
          selected={selected}
          others={nodes}
          acts={acts}
          onDone={onChange}
        />
      )}
      {open.length > 0 ? (
        <div className="px-(--gutter)">
          <Section title="Open transactions that block nobody">
            <div className="-mx-(--gutter)">
              <SessionTable label="Open transactions" sessions={open} nowMs={nowMs} onChoose={onChoose} />
            </div>
          </Section>
        </div>
      ) : null}
    </>
  )
}

/** The rows of the tree with those that left it a moment ago. `at`: when the sessions were read. */
function useShownLocks(nodes: readonly LockNode<DatabaseSession>[], at: string): readonly ShownLock[] {
  const [shown, setShown] = useState<{ at: string; rows: ShownLock[] }>({ at: '', rows: [] })
  if (shown.at === at) return shown.rows
  const rows = withGone(shown.rows, nodes, Date.parse(at))
  // What was read before is needed for what is shown now: https://react.dev/reference/react/useState#storing-information-from-previous-renders
  setShown({ at, rows })
  return rows
}

function longestText(open: readonly DatabaseSession[], nowMs: number): string {
  const longest = Math.max(...open.map((session) => sessionAgeMs(session, nowMs)))
  return `${formatCount(open.length, 'transaction')} open, the longest for ${formatDuration(longest)}.`
}

/** The longest that a session was seen to wait for a lock since midnight, in ms; undefined while that is read. */
function useLongestWaitToday(id: string): number | undefined {
  const [rangeSeconds] = useState(() => {
    const midnight = new Date()
    midnight.setHours(0, 0, 0, 0)
    return Math.max(900, Math.ceil((Date.now() - midnight.getTime()) / 1_000))
  })
  const metrics = [databaseMetrics.lockWait]
  const { data } = useMetrics({ entity: 'database', ids: [id], metrics, rangeSeconds, hasMaxima: true })
  if (data === undefined) return undefined
  return Math.max(0, ...(data.series[0]?.maxima ?? []).map((value) => value ?? 0))
}

function longestWaitText(longestMs: number | undefined): string {
  if (longestMs === undefined) return ''
  if (longestMs === 0) return 'No wait for a lock was seen today.'
  return `The longest wait for a lock that was seen today took ${formatDuration(longestMs)}.`
}
