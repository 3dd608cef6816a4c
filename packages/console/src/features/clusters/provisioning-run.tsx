import type { Cluster } from '@bey/contract'
import { isRunOver } from '@bey/contract'
import { useRunLog } from '../../data/use-run-log.ts'
import { useRun } from '../../data/workflows.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatElapsed } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { runProgress } from '../../lib/run-progress.ts'
import { guaranteeText, logLines, runHref, sharedGuarantee, stepFigures } from '../../lib/run-text.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { LogView } from '../../ui/log-view.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Timeline } from '../../ui/timeline.tsx'

/** The run that last changed a cluster: its steps as they go, and what they write. */
export function ProvisioningRun({ run: ids }: { run: NonNullable<Cluster['lastRun']> }) {
  const query = useRun(ids.workflowId, ids.runId)
  const { data } = query
  const { lines } = useRunLog(ids.workflowId, ids.runId)
  const isActive = data ? !isRunOver(data.run.status) : false
  const now = useNow(isActive)
  if (!data) {
    const failure = failureOf('Failed to fetch workflow run details', query)
    return failure ? <ErrorState {...failure} isCompact /> : <RunSkeleton />
  }
  const done = data.steps.filter((step) => step.status === 'succeeded').length
  const shared = sharedGuarantee(data.steps)
  const elapsed = formatElapsed(data.run.startedAt, data.run.finishedAt, now)
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(18rem,2fr)_3fr]">
      <Section
        title={data.workflow.name}
        aside={
          <span className="tabular-nums">
            {done} of {data.steps.length} steps · {runProgress(data.run, data.steps)}% · {elapsed}
          </span>
        }
      >
        <div className="rounded-card border border-line p-1.5">
          <Timeline
            label="Steps"
            steps={data.steps.map((step) => ({
              key: step.key,
              name: step.name,
              status: step.status,
              figures: stepFigures(step, now),
              detail: step.error?.message ?? (shared ? undefined : guaranteeText(step.guarantee)),
            }))}
          />
        </div>
        {shared ? <p className="mt-2 text-small text-text-3">{shared}</p> : null}
      </Section>
      <Section
        title="Log"
        aside={
          // The notice about the failure leads there already.
          data.run.status === 'failed' ? undefined : (
            <Link href={runHref(ids)} className="text-text-2 underline hover:text-accent-text">
              Open the run
            </Link>
          )
        }
      >
        <LogView
          label={`Log of ${data.workflow.name}`}
          lines={logLines(lines ?? [], data.steps)}
          empty={isActive ? 'Waiting for the first line.' : 'This run wrote no log.'}
        />
      </Section>
    </div>
  )
}

function RunSkeleton() {
  return (
    <DelayedSkeleton>
      <span className="grid gap-6 lg:grid-cols-[minmax(18rem,2fr)_3fr]">
        <Skeleton className="h-56 w-full" />
        <Skeleton className="h-56 w-full" />
      </span>
    </DelayedSkeleton>
  )
}
