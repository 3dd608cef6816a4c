import type { Run } from '@bey/contract'
import { useParams } from '@tanstack/react-router'
import { useFollow } from '../../data/live.ts'
import { useOrganizationId } from '../../data/session.ts'
import type { RunDetail } from '../../data/workflows.ts'
import { useRun } from '../../data/workflows.ts'
import { isUnauthorized } from '../../lib/error-text.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { DetailPage } from '../../ui/detail-page.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { CancelRun } from '../../entities/runs/cancel-run.tsx'
import { RunFacts } from './run-facts.tsx'
import { RunLogPanel } from './run-log-panel.tsx'
import { RunSteps } from './run-steps.tsx'
import { useRunLocation } from './run-location.ts'

/** One run as it goes: its steps, what they write, and the way to stop it. */
export function RunDetailPage() {
  const { workflowId = '', runId = '' }: { workflowId?: string; runId?: string } = useParams({
    strict: false,
  })
  const query = useRun(workflowId, runId)
  const { data, error } = query
  const failure = failureOf('Failed to fetch workflow run details', query)
  usePageTitle(isMissing(query) ? 'Run not found' : data && runTitle(data.run))
  const organizationId = useOrganizationId()
  usePageCommands(data ? runCommands(workflowId, runId, organizationId) : [])
  useFollow(data ? { kind: 'workflow', workflowId } : undefined)
  return (
    <DetailPage
      noun="run"
      subject={data}
      title={data && runTitle(data.run)}
      badges={({ run }) => <Badges run={run} />}
      subtitle={({ workflow }) => workflow.description}
      actions={({ run }) => <CancelRun workflowId={workflowId} run={run} />}
      content={(detail) => <RunBody detail={detail} workflowId={workflowId} runId={runId} />}
      skeleton={<RunSkeleton />}
      missing={
        isMissing(query) && {
          title: 'Workflow run not found.',
          description: 'Please verify the workflow ID and run ID are correct.',
          action: <ButtonLink href="/workflows/runs">All runs</ButtonLink>,
        }
      }
      failure={
        failure && isUnauthorized(error)
          ? { title: 'Authentication required. Please log in again.', onRetry: failure.onRetry }
          : failure
      }
    />
  )
}

function Badges({ run }: { run: Run }) {
  const { status, recoveryCount } = run
  return (
    <>
      <Status of="run" status={status} variant="badge" />
      {recoveryCount > 0 ? (
        <Badge>
          <span data-tooltip="Another process took over the run and resumed it at its last step.">
            {recoveryCount === 1 ? 'taken over once' : `taken over ${recoveryCount} times`}
          </span>
        </Badge>
      ) : null}
    </>
  )
}

function RunBody({ detail, workflowId, runId }: { detail: RunDetail; workflowId: string; runId: string }) {
  const runLocation = useRunLocation()
  return (
    <div className="flex flex-col gap-6 px-(--gutter) py-6">
      <RunFacts run={detail.run} />
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(19rem,2fr)_3fr]">
        <RunSteps detail={detail} runLocation={runLocation} />
        <RunLogPanel detail={detail} runLocation={runLocation} workflowId={workflowId} runId={runId} />
      </div>
    </div>
  )
}

function runCommands(id: string, runId: string, organizationId: number) {
  const call = { params: { id, runId } }
  return [
    apiCommand('Read this run', 'workflows.run', call, organizationId),
    apiCommand('Cancel it', 'workflows.cancel', call, organizationId),
  ]
}

/** "Provision cluster · prod-eu-1". */
function runTitle(run: Run): string {
  return run.subject ? `${run.workflowName} · ${run.subject.name}` : run.workflowName
}

function RunSkeleton() {
  return (
    <DelayedSkeleton>
      <span className="flex flex-col gap-6 px-(--gutter) py-6">
        <Skeleton className="h-10 w-full" />
        <span className="grid gap-8 lg:grid-cols-[minmax(19rem,2fr)_3fr]">
          <Skeleton className="h-72 w-full" />
          <Skeleton className="h-72 w-full" />
        </span>
      </span>
    </DelayedSkeleton>
  )
}
