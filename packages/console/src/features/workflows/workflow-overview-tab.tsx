import type { CallOutput, Workflow } from '@bey/contract'
import { guaranteeTexts } from '@bey/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useStepTypes } from '../../data/workflow-authoring.ts'
import { useList } from '../../data/use-read.ts'
import type { GraphNode, NodeLook } from './graph/graph-step.ts'
import { StepIcon } from './graph/step-icon.tsx'
import { workflowHref } from '../../entities/workflows/workflow-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatDuration, formatPercent } from '../../lib/format.ts'
import { laterPart } from '../../lib/later-part.tsx'
import { useRunRows } from '../../lib/run-rows.ts'
import { Below } from '../../ui/below.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { RunTable } from '../../ui/run-table.tsx'
import { Section } from '../../ui/section.tsx'
import { useIsMobile } from '../../ui/use-is-mobile.ts'
import { TableCard } from '../../ui/table-card.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatisticsChart, StatisticsChartSpace } from './statistics-chart.tsx'

const [StepGraph] = laterPart(async () => (await import('./graph/step-graph.tsx')).StepGraph)

const days = 30
const shownRuns = 5

/** What the workflow does, how its last runs went, and how it fared over a month. */
export function WorkflowOverviewTab({ workflow }: { workflow: Workflow }) {
  const list = useList('workflows.runs', {
    params: { id: workflow.id },
    query: { page: 1, limit: shownRuns },
  })
  return (
    <div className="flex flex-col gap-6 px-(--gutter) py-6">
      <Steps workflow={workflow} />
      <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <LastRuns workflow={workflow} list={list} />
        <Below isReady={!list.isLoading}>
          <Statistics workflow={workflow} />
        </Below>
      </div>
    </div>
  )
}

function Steps({ workflow }: { workflow: Workflow }) {
  const { steps } = workflow
  const types = useStepTypes().data?.stepTypes
  const [selected, setSelected] = useState<string>()
  const direction = useIsMobile() ? 'down' : 'right'
  const graphSteps = useMemo(() => steps.map(({ key, type, needs }) => ({ key, type, needs })), [steps])
  const lookOf = useCallback(
    (node: GraphNode): NodeLook => {
      const step = steps.find(({ key }) => key === node.members[0])
      const isGroup = node.members.length > 1
      return {
        title: isGroup ? formatCount(node.members.length, 'step') : (step?.name ?? node.id),
        detail: node.type,
        icon: <StepIcon name={types?.find(({ type }) => type === node.type)?.icon} />,
        tone: 'plain',
      }
    },
    [steps, types],
  )
  const step = steps.find(({ key }) => key === selected)
  return (
    <Section title="Steps" aside={workflow.isBuiltIn ? 'read-only' : formatCount(steps.length, 'step')}>
      <div className="h-64 overflow-hidden rounded-card border border-line bg-sunken">
        <StepGraph
          label={`Steps of ${workflow.name}`}
          steps={graphSteps}
          direction={direction}
          lookOf={lookOf}
          selected={selected}
          onSelect={({ members: [key] }) => setSelected(key)}
          className="h-full"
        />
      </div>
      <p className="mt-2 min-h-4 text-small text-text-2">
        {step ? (
          <>
            <span className="font-medium text-text">{step.name}</span> ({step.type}).{' '}
            {guaranteeTexts[step.guarantee].word}. {guaranteeTexts[step.guarantee].sentence}
          </>
        ) : (
          'Choose a step to read what holds for it after a crash.'
        )}
      </p>
    </Section>
  )
}

function LastRuns({
  workflow,
  list,
}: {
  workflow: Workflow
  list: UseQueryResult<CallOutput<'workflows.runs'>>
}) {
  const rows = useRunRows(list.data?.runs.slice(0, shownRuns))
  const failure = failureOf('Failed to fetch workflow runs', list)
  return (
    <Section
      title="Last runs"
      aside={
        <Link href={workflowHref(workflow.id, 'runs')} className="underline underline-offset-4">
          All runs
        </Link>
      }
    >
      <TableCard>
        <RunTable
          label="Last runs"
          show={['status', 'trigger', 'duration', 'queuedAt']}
          rows={rows}
          skeletonRows={shownRuns}
          error={failure && <ErrorState {...failure} />}
          empty={<EmptyState title="Never run" description="Its runs appear here as they are queued." />}
        />
      </TableCard>
    </Section>
  )
}

function Statistics({ workflow }: { workflow: Workflow }) {
  const { data } = useList('workflows.statistics', { params: { id: workflow.id }, query: { days } })
  const over = data ? data.succeeded + data.failed : 0
  const failing = data?.steps
    .filter((step) => step.failed > 0)
    .toSorted((left, right) => right.failed - left.failed)
    .slice(0, 5)
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Section title={`Last ${days} days`}>
        {data ? <StatisticsChart days={data.days} /> : <StatisticsChartSpace />}
        <Facts
          facts={[
            { label: 'Runs', value: data ? data.runs : '—' },
            { label: 'Succeeded', value: over > 0 && data ? formatPercent(data.succeeded / over) : '—' },
            { label: 'Median duration', value: formatDuration(data?.medianMs) },
            { label: '95 % end within', value: formatDuration(data?.p95Ms) },
            {
              label: 'Next run',
              value: workflow.nextRunAt ? <RelativeTime at={workflow.nextRunAt} /> : 'on demand',
            },
          ]}
        />
      </Section>
      {failing && failing.length > 0 ? (
        <Section title="Steps that failed">
          <ul className="divide-y divide-line rounded-card border border-line">
            {failing.map((step) => (
              <li key={step.key} className="flex items-center gap-3 px-3 py-2">
                <span className="min-w-0 flex-1 truncate">{step.name}</span>
                <span className="text-text-2 tabular-nums">
                  {step.failed} of {step.runs}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </div>
  )
}
