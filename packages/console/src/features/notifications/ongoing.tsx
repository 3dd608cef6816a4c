import type { Run } from '@bey/contract'
import { useEffect, useState } from 'react'
import { CancelRun } from '../../entities/runs/cancel-run.tsx'
import { useFollow } from '../../data/live.ts'
import { useOngoingRuns } from '../../data/notifications.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatElapsed } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { EntityLink } from '../../entities/entity-link.tsx'
import { runHref } from '../../lib/run-text.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Status } from '../../ui/status.tsx'
import { liveSocket } from '../../data/live-socket.ts'

/** Steps report progress often; the progress of their runs is read at most this often. */
const refreshDelayMs = 500

/** The runs of the organization that are not over, as they go. */
export function Ongoing({ onLeave }: { onLeave: () => void }) {
  const list = useOngoingRuns()
  const { data } = list
  const failure = failureOf('Failed to fetch workflow runs', list)
  const steps = useStepNames(list.refetch)
  const runs = data?.runs ?? []
  const now = useNow(runs.length > 0)
  if (failure) {
    return (
      <div className="border-b border-line px-3 py-1">
        <ErrorState {...failure} isCompact />
      </div>
    )
  }
  if (runs.length === 0) return null
  return (
    <section aria-label="In progress" className="border-b border-line bg-sunken">
      <h3 className="px-4 pt-2 text-small font-medium text-text-2">In progress</h3>
      <ul>
        {runs.map((run) => (
          <OngoingRun key={run.id} run={run} step={steps.get(run.id)} now={now} onLeave={onLeave} />
        ))}
      </ul>
      {data && data.total > runs.length ? (
        <p className="px-4 pb-2 text-small">
          <Link href="/workflows/runs" className="underline" onClick={onLeave}>
            All {data.total} of them
          </Link>
        </p>
      ) : null}
    </section>
  )
}

function OngoingRun({
  run,
  step,
  now,
  onLeave,
}: {
  run: Run
  step: string | undefined
  now: number
  onLeave: () => void
}) {
  const { subject } = run
  const percent = Math.round(run.progressPercent)
  return (
    <li className="flex items-start gap-2 py-2 pr-2 pl-4">
      <div className="min-w-0 flex-1">
        <p className="flex min-w-0 items-center gap-2">
          <Link
            href={runHref({ workflowId: run.workflowId, runId: run.id })}
            className="truncate font-medium hover:underline"
            onClick={onLeave}
          >
            {run.workflowName}
          </Link>
          {subject ? (
            <EntityLink entity={subject} className="truncate text-text-2 hover:underline" onClick={onLeave}>
              {subject.name}
            </EntityLink>
          ) : null}
        </p>
        <div
          // The native element cannot be styled alike in all browsers.
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="progressbar"
          aria-label={`Progress of ${run.workflowName}${subject ? `, ${subject.name}` : ''}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
          className="my-1.5 h-1 overflow-hidden rounded-full bg-active"
        >
          <div className="h-full rounded-full bg-chart-1" style={{ width: `${percent}%` }} />
        </div>
        <p className="flex items-center gap-2 text-small text-text-2 tabular-nums">
          <Status of="run" status={run.status} />
          <span>{percent}%</span>
          <span className="min-w-0 truncate text-text-3">{step ?? ''}</span>
          <span className="ml-auto shrink-0 text-text-3">
            {run.startedAt ? formatElapsed(run.startedAt, null, now) : ''}
          </span>
        </p>
      </div>
      <span className="-mt-1">
        <CancelRun workflowId={run.workflowId} run={run} isIcon />
      </span>
    </li>
  )
}

/** The step that each run is at, by run id; reads the progress of runs again as their steps tell of it. */
function useStepNames(refetch: () => Promise<unknown>): ReadonlyMap<string, string> {
  useFollow({ kind: 'workflows' })
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = liveSocket.on('WORKFLOW_STEP_UPDATE', ({ data }) => {
      if (data.stepStatus === 'running') {
        setNames((known) =>
          known.get(data.runId) === data.stepName ? known : new Map(known).set(data.runId, data.stepName),
        )
      }
      timer ??= setTimeout(() => {
        timer = undefined
        void refetch()
      }, refreshDelayMs)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [refetch])
  return names
}
