import type { Workflow } from '@bey/contract'
import { RunTicks } from './run-ticks.tsx'
import { formatDuration, formatPercent } from '../../lib/format.ts'
import { Badge } from '../../ui/badge.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { TrendLine } from '../../ui/trend-line.tsx'

/** From here on a success rate needs no attention. */
const goodShare = 0.9

/** What a list of workflows says of each. */
export const workflowColumns: readonly Column<Workflow>[] = [
  {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    cell: ({ name, description, isBuiltIn }) => (
      <span className="flex min-w-0 items-center gap-2" title={description || name}>
        <span className="min-w-0 truncate">{name}</span>
        {isBuiltIn ? <Badge>built-in</Badge> : null}
      </span>
    ),
  },
  {
    key: 'status',
    header: 'Last status',
    width: '8rem',
    cell: ({ state, status, purgeAt }) => (
      <Status
        of="run"
        status={state === 'active' ? status : state}
        {...(purgeAt === null ? {} : { label: 'deleted' })}
      />
    ),
    isVital: true,
  },
  {
    key: 'runs',
    header: 'Last 20 runs',
    width: '9.25rem',
    cell: (workflow) => <RunTicks workflow={workflow} />,
  },
  {
    key: 'success',
    header: 'Success',
    align: 'end',
    width: '5rem',
    cell: ({ activity: { successRate } }) => (
      <span className={successRate !== null && successRate < goodShare ? 'text-danger' : undefined}>
        {formatPercent(successRate)}
      </span>
    ),
  },
  {
    key: 'duration',
    header: 'Median duration',
    width: '11rem',
    cell: (workflow) => <Durations workflow={workflow} />,
  },
  {
    key: 'nextRunAt',
    header: 'Next run',
    width: '6.5rem',
    cell: (workflow) => <NextRun workflow={workflow} />,
  },
  {
    key: 'lastRunAt',
    header: 'Last run',
    sortKey: 'lastRunAt',
    align: 'end',
    width: '6rem',
    cell: ({ lastRunAt }) => (lastRunAt ? <RelativeTime at={lastRunAt} /> : 'never'),
  },
]

function Durations({ workflow: { name, activity } }: { workflow: Workflow }) {
  if (activity.medianMs === null) return '—'
  const values = activity.runs.map(({ durationMs }) => durationMs)
  const longest = Math.max(1, ...values.map((value) => value ?? 0))
  return (
    <span className="flex items-center gap-3">
      <TrendLine
        // The line shows how the runs of one workflow change; workflows are not compared by it.
        values={values.map((value) => (value === null ? null : (value / longest) * 0.75))}
        label={`Durations of the last runs of ${name}`}
      />
      <span className="tabular-nums">{formatDuration(activity.medianMs)}</span>
    </span>
  )
}

function NextRun({ workflow: { state, nextRunAt, isBuiltIn } }: { workflow: Workflow }) {
  if (isBuiltIn) return 'On demand'
  if (state === 'paused') return 'Paused'
  if (state === 'draft') return 'Not active'
  if (state === 'archived') return '—'
  return nextRunAt ? <RelativeTime at={nextRunAt} /> : 'On demand'
}
