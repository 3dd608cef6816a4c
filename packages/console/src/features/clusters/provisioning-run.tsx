import type { Cluster } from '@bey/contract'
import { isRunOver } from '@bey/contract'
import { useMemo, useState } from 'react'
import { useRunLog } from '../../data/use-run-log.ts'
import { useRun } from '../../data/workflows.ts'
import type { RunDetail } from '../../data/workflows.ts'
import { GanttLegend } from '../../entities/runs/gantt/gantt-legend.tsx'
import { GanttView } from '../../entities/runs/gantt/gantt-view.tsx'
import { ganttOf } from '../../entities/runs/gantt/gantt.ts'
import { runSentence } from '../../entities/runs/run-sentence.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatElapsed } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { runProgress } from '../../lib/run-progress.ts'
import { logLines, runHref, sharedGuarantee } from '../../lib/run-text.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { LogView } from '../../ui/log-view.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'

type RunIds = NonNullable<Cluster['lastRun']>

/** The run that last changed a cluster: its steps against their usual time as they go, and what they write. */
export function ProvisioningRun({ run: ids }: { run: RunIds }) {
  const query = useRun(ids.workflowId, ids.runId)
  const { data } = query
  const isActive = data ? !isRunOver(data.run.status) : false
  const now = useNow(isActive)
  const [chosen, setChosen] = useState<string>()
  if (!data) {
    const failure = failureOf('Failed to fetch workflow run details', query)
    return failure ? <ErrorState {...failure} isCompact /> : <RunSkeleton />
  }
  return (
    <>
      <RunSteps
        detail={data}
        now={now}
        chosen={chosen}
        onChoose={(key) => setChosen(key === chosen ? undefined : key)}
      />
      <RunLogFrame ids={ids} detail={data} chosen={chosen} onAll={() => setChosen(undefined)} />
    </>
  )
}

function RunSteps({
  detail,
  now,
  chosen,
  onChoose,
}: {
  detail: RunDetail
  now: number
  chosen: string | undefined
  onChoose: (key: string) => void
}) {
  const { run, steps, workflow } = detail
  const gantt = useMemo(() => ganttOf(detail, now), [detail, now])
  const done = steps.filter((step) => step.status === 'succeeded').length
  const { text, detail: more } = runSentence(detail, now)
  const failed = steps.find((step) => step.error && step.status !== 'succeeded')
  return (
    <Section
      title={workflow.name}
      aside={
        <span className="tabular-nums">
          {done} of {steps.length} steps · {runProgress(run, steps)}% ·{' '}
          {formatElapsed(run.startedAt, run.finishedAt, now)}
        </span>
      }
    >
      <p className="mb-2 min-h-5 text-text-2">
        {text} {more}
      </p>
      <div className="overflow-hidden rounded-card border border-line [--gutter:0.75rem]">
        <GanttView
          label="Steps along time"
          gantt={gantt}
          selected={chosen}
          revealed={chosen}
          onSelect={onChoose}
        />
        <div className="-mb-px">
          <GanttLegend gantt={gantt} />
        </div>
      </div>
      {failed?.error ? (
        <p className="mt-2 break-words text-danger">
          {failed.name}: {failed.error.message}
        </p>
      ) : null}
      <p className="mt-2 min-h-4 text-small text-text-3">{sharedGuarantee(steps)}</p>
    </Section>
  )
}

/** What the steps write, or the one that was chosen, in a frame that keeps its height. */
function RunLogFrame({
  ids,
  detail,
  chosen,
  onAll,
}: {
  ids: RunIds
  detail: RunDetail
  chosen: string | undefined
  onAll: () => void
}) {
  const { lines = [] } = useRunLog(ids.workflowId, ids.runId)
  const { run, steps, workflow } = detail
  const step = steps.find(({ key }) => key === chosen)
  const shown = step ? lines.filter(({ stepKey }) => stepKey === step.key) : lines
  return (
    <Section
      title={step ? `Log of ${step.name}` : 'Log'}
      aside={
        <span className="flex min-h-7 items-center gap-3">
          {step ? (
            <Button size="small" onClick={onAll}>
              All steps
            </Button>
          ) : null}
          {/* The notice about the failure leads there already. */}
          {run.status === 'failed' ? null : (
            <Link href={runHref(ids)} className="text-text-2 underline hover:text-accent-text">
              Open the run
            </Link>
          )}
        </span>
      }
    >
      <LogView
        label={`Log of ${step?.name ?? workflow.name}`}
        lines={logLines(shown, steps)}
        empty={emptyText(run.status, step !== undefined)}
        height="22.875rem"
        isSteady
      />
    </Section>
  )
}

function emptyText(status: RunDetail['run']['status'], isOneStep: boolean): string {
  if (isOneStep) return 'This step has written nothing.'
  return isRunOver(status) ? 'This run wrote no log.' : 'Waiting for the first line.'
}

function RunSkeleton() {
  return (
    <DelayedSkeleton>
      <span className="flex flex-col gap-6">
        <Skeleton className="h-64 w-full" />
        <Skeleton className="h-96 w-full" />
      </span>
    </DelayedSkeleton>
  )
}
