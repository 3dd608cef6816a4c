import { lockSummary, lockTree } from '@bey/contract'
import { useState } from 'react'
import { useLockMinute, useLockMinutes } from '../../../data/database-insight.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { momentText } from '../../../ui/time-text.ts'
import { LockLead } from './lock-lead.tsx'
import { lockColumns, LockRows } from './lock-rows.tsx'
import { MomentChoice } from './moment-choice.tsx'
import { SessionTable } from './session-table.tsx'

interface PastLocksProps {
  databaseId: string
  at: string
  /** By which the moment is written. */
  nowMs: number
  isTable: boolean
}

/** Who waited for whom at a minute that is kept. Nothing can be done there. */
export function PastLocks({ databaseId, at, nowMs, isTable }: PastLocksProps) {
  const query = useLockMinute(databaseId, at)
  const [chosen, setChosen] = useState<number>()
  const failure = failureOf('Failed to read that minute', query)
  if (failure) return <ErrorState {...failure} isCompact />
  const { data } = query
  if (data === undefined) return <Skeleton className="mx-(--gutter) h-40" />
  const nodes = lockTree(data.sessions)
  const atMs = Date.parse(data.at)
  const summary = lockSummary(nodes)
  return (
    <div className="flex flex-col gap-4">
      {summary === undefined ? null : <LockLead summary={summary} nodes={nodes} nowMs={atMs} isPast />}
      {isTable ? (
        <SessionTable
          label="Who waited for whom"
          sessions={nodes.map(({ session }) => session)}
          nowMs={atMs}
          onChoose={setChosen}
        />
      ) : (
        <LockRows
          nodes={nodes.map((node) => ({ ...node, goneAtMs: null }))}
          nowMs={atMs}
          selected={chosen}
          onSelect={setChosen}
        />
      )}
      <p className="px-(--gutter) text-small text-text-2">
        {`As it was at ${momentText(at, new Date(nowMs))}: ${formatCount(data.waiting, 'session')} of ${data.total} waited. Of each minute in which somebody waits for a second or longer one moment is kept, for 24 hours.`}
      </p>
    </div>
  )
}

/** The minutes that are kept of a server that cannot be asked now. */
export function MinutesOfAway({ databaseId }: { databaseId: string }) {
  const { data } = useLockMinutes(databaseId, true)
  const [at, setAt] = useState<string>()
  const [newest] = data?.minutes ?? []
  if (data === undefined || newest === undefined) return null
  const nowMs = Date.parse(newest.at)
  return (
    <div style={lockColumns} className="flex flex-col gap-3 pb-4">
      <div className="flex flex-wrap items-center justify-between gap-2 px-(--gutter)">
        <h2 className="font-semibold">Who waited for whom</h2>
        <MomentChoice minutes={data.minutes} value={at ?? newest.at} nowMs={nowMs} isAway onChange={setAt} />
      </div>
      <PastLocks key={at} databaseId={databaseId} at={at ?? newest.at} nowMs={nowMs} isTable={false} />
    </div>
  )
}
