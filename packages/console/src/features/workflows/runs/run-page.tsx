import { isRunOver } from '@bey/contract'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useFollow } from '../../../data/live.ts'
import { useOrganizationId } from '../../../data/session.ts'
import type { RunDetail } from '../../../data/workflows.ts'
import { useRun } from '../../../data/workflows.ts'
import { workflowParents } from '../../../entities/workflows/workflow-text.ts'
import { isUnauthorized } from '../../../lib/error-text.ts'
import { failureOf, isMissing } from '../../../lib/failed-query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { apiCommand, usePageCommands } from '../../../lib/page-commands.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { runTitle } from '../../../lib/run-text.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { DetailPage } from '../../../ui/detail-page.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import { usePageKeys } from '../../../ui/use-page-keys.ts'
import { DetailsTab } from './details-tab.tsx'
import { GraphTab, loadRunGraph } from './graph-tab.tsx'
import { LogTab } from './log-tab.tsx'
import { RecoveryLine } from './recovery-line.tsx'
import { RunActions } from './run-actions.tsx'
import { RunBadges, RunSubtitle } from './run-head.tsx'
import type { RunLocation } from './run-location.ts'
import { runTabs, tabHref, useRunLocation } from './run-location.ts'
import { StepMinimap } from './step-minimap.tsx'
import { StepsTab } from './steps-tab.tsx'
import { TimelineTab } from './timeline-tab.tsx'
import { shownStepOf } from './use-shown-step.ts'
import { isAsking, WaitingPanes } from './waiting-panes.tsx'

export interface RunTabProps {
  detail: RunDetail
  runLocation: RunLocation
  /** Milliseconds since 1970; ticks while the run goes on. */
  now: number
}

/** One run as it goes: its steps as graph, bars and list, what they write, and what can be done with it. */
export function RunPage() {
  const { workflowId = '', runId = '' }: { workflowId?: string; runId?: string } = useParams({
    strict: false,
  })
  const query = useRun(workflowId, runId)
  const { data, error } = query
  const failure = failureOf('Failed to fetch workflow run details', query)
  usePageTitle(
    isMissing(query) ? 'Run not found' : data && runTitle(data.run),
    data && workflowParents(data.workflow),
    data && `Run ${data.run.id.slice(-6)}`,
  )
  const organizationId = useOrganizationId()
  usePageCommands(data ? runCommands(workflowId, runId, organizationId) : [])
  useFollow(data ? { kind: 'workflow', workflowId } : undefined)
  const now = useNow(data ? !isRunOver(data.run.status) : false)
  const runLocation = useRunLocation()
  useTabKeys(runLocation, data)
  const isGraph = runLocation.tab === undefined || runLocation.tab === 'graph'
  useEffect(() => {
    // While the run is being read.
    if (isGraph) void loadRunGraph()
  }, [isGraph])
  const part = (Tab: (props: RunTabProps) => React.ReactNode) => (detail: RunDetail) => {
    const step = shownStepOf(detail.steps, runLocation)
    const tab = <Tab detail={detail} runLocation={runLocation} now={now} />
    return (
      <>
        <StepMinimap
          steps={detail.steps}
          selected={step?.key}
          onSelect={(key) => runLocation.change({ step: key })}
        />
        {step && showsSteps(runLocation) && isAsking(step) ? (
          <WaitingPanes detail={detail} step={step}>
            {tab}
          </WaitingPanes>
        ) : (
          tab
        )}
      </>
    )
  }
  const steps = data && formatNumber(data.steps.filter(({ parentKey }) => parentKey === null).length)
  return (
    <DetailPage
      noun="run"
      subject={data}
      title={data && runTitle(data.run)}
      badges={({ run }) => <RunBadges run={run} />}
      subtitle={(detail) => <RunSubtitle detail={detail} now={now} />}
      subtitleLines={2}
      actions={(detail) => (
        <RunActions
          detail={detail}
          now={now}
          selected={shownStepOf(detail.steps, runLocation)?.key}
          showsStep={showsSteps(runLocation)}
        />
      )}
      notice={(detail) => <RecoveryLine detail={detail} />}
      tab={runLocation.tab}
      tabHref={(tab) => tabHref(tab, runLocation.step)}
      tabs={[
        { id: 'graph', label: 'Graph', content: part(GraphTab), skeleton: <RunSkeleton /> },
        { id: 'timeline', label: 'Timeline', content: part(TimelineTab), skeleton: <RunSkeleton /> },
        { id: 'steps', label: 'Steps', count: steps, content: part(StepsTab), skeleton: <RunSkeleton /> },
        { id: 'log', label: 'Log', content: part(LogTab), skeleton: <RunSkeleton /> },
        { id: 'details', label: 'Input and output', content: part(DetailsTab), skeleton: <RunSkeleton /> },
      ]}
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

const showsSteps = ({ tab }: RunLocation) => tab !== 'log' && tab !== 'details'

/** `1` to `5` open the tabs, `j` and `k` the next and the previous step. */
function useTabKeys(runLocation: RunLocation, detail: RunDetail | undefined): void {
  const navigate = useNavigate()
  const open = (tab: string | undefined) => {
    const search = (previous: Record<string, unknown>) => ({ ...previous, tab })
    void navigate({ to: '.', search, resetScroll: false })
  }
  const move = (by: 1 | -1) => {
    const steps = detail?.steps ?? []
    const index = steps.findIndex(({ key }) => key === runLocation.step)
    const next = steps[index < 0 ? 0 : Math.min(steps.length - 1, Math.max(0, index + by))]
    if (next) runLocation.change({ step: next.key })
  }
  usePageKeys('This run', [
    ...runTabs.map((tab, index) => ({
      keys: [String(index + 1)],
      does: `Show ${tab}`,
      run: () => open(index === 0 ? undefined : tab),
    })),
    // In the list of steps the table moves its own rows.
    ...(runLocation.tab === 'steps'
      ? []
      : [
          { keys: ['j'], does: 'Next step', run: () => move(1) },
          { keys: ['k'], does: 'Previous step', run: () => move(-1) },
        ]),
  ])
}

function runCommands(id: string, runId: string, organizationId: number) {
  const call = { params: { id, runId } }
  return [
    apiCommand('Read this run', 'workflows.run', call, organizationId),
    apiCommand('Cancel it', 'workflows.cancel', call, organizationId),
  ]
}

function RunSkeleton() {
  return (
    <DelayedSkeleton>
      <span className="flex flex-col gap-6 px-(--gutter) py-6">
        <Skeleton className="h-56 w-full" />
        <span className="grid gap-8 lg:grid-cols-[18rem_1fr]">
          <Skeleton className="h-72 w-full" />
          <Skeleton className="h-72 w-full" />
        </span>
      </span>
    </DelayedSkeleton>
  )
}
