import type { Workflow } from '@bey/contract'
import { runStatuses } from '@bey/contract'
import { useParams } from '@tanstack/react-router'
import { useWorkflow, useWorkflowRuns } from '../../data/workflows.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useRunRows } from '../../lib/run-rows.ts'
import { guaranteeText, sharedGuarantee } from '../../lib/run-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { DetailPage } from '../../ui/detail-page.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { RunTable } from '../../ui/run-table.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { RunStatusSelect } from './run-status-select.tsx'

/** One workflow: what it does, step by step, and its runs. */
export function WorkflowDetailPage() {
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const query = useWorkflow(id)
  const workflow = query.data?.workflow
  usePageTitle(isMissing(query) ? 'Workflow not found' : workflow?.name)
  return (
    <DetailPage
      noun="workflow"
      subject={workflow}
      title={workflow?.name}
      badges={({ status, isBuiltIn }) => (
        <>
          <Status of="run" status={status} variant="badge" />
          {isBuiltIn ? <Badge>built-in</Badge> : null}
        </>
      )}
      subtitle={({ description }) => description}
      content={(shown) => (
        <div className="grid items-start gap-x-8 gap-y-6 px-(--gutter) py-6 lg:grid-cols-[minmax(18rem,1fr)_3fr]">
          <Steps workflow={shown} />
          <Runs id={id} />
        </div>
      )}
      missing={
        isMissing(query) && {
          title: 'There is no such workflow in this organization',
          action: <ButtonLink href="/workflows">All workflows</ButtonLink>,
        }
      }
      failure={failureOf('Failed to fetch workflow details', query)}
    />
  )
}

function Steps({ workflow }: { workflow: Workflow }) {
  const shared = sharedGuarantee(workflow.steps)
  return (
    <Section
      title="Steps"
      aside={workflow.isBuiltIn ? 'read-only' : formatCount(workflow.steps.length, 'step')}
    >
      <ol className="divide-y divide-line rounded-card border border-line">
        {workflow.steps.map((step, index) => (
          <li key={step.key} className="flex gap-3 px-3 py-2">
            <span className="w-4 shrink-0 text-right text-text-3 tabular-nums">{index + 1}</span>
            <span className="min-w-0">
              <span className="block font-medium">{step.name}</span>
              {shared ? null : (
                <span className="block text-small text-text-2">{guaranteeText(step.guarantee)}</span>
              )}
            </span>
          </li>
        ))}
      </ol>
      {shared ? <p className="mt-2 text-small text-text-3">{shared}</p> : null}
    </Section>
  )
}

function Runs({ id }: { id: string }) {
  const listLocation = useListLocation()
  const { search, change } = listLocation
  const status = oneOf(runStatuses, search.status)
  const sort = oneOf(['queuedAt', 'status'], search.sort) ?? 'queuedAt'
  const order = search.order ?? 'desc'
  const query = { page: search.page ?? 1, sort, order, ...(status ? { status } : {}) }
  const list = useWorkflowRuns(id, query)
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch workflow runs', list)
  const rows = useRunRows(data?.runs)
  return (
    <Section
      title="Runs"
      aside={
        <span className="flex flex-wrap items-center justify-end gap-3">
          {data ? <Pagination {...data} onPageChange={(page) => change({ page })} /> : null}
          <RunStatusSelect listLocation={listLocation} />
        </span>
      }
    >
      <TableCard>
        <RunTable
          label="Runs of this workflow"
          show={['subject', 'status', 'trigger', 'by', 'duration', 'queuedAt']}
          rows={rows}
          {...tableControls(listLocation, {}, { key: sort, direction: order }, [
            status?.replaceAll('_', ' '),
          ])}
          isRefreshing={isPlaceholderData}
          skeletonRows={5}
          error={failure && <ErrorState {...failure} />}
          empty={<EmptyState title="Never run" description="Its runs appear here as they are queued." />}
        />
      </TableCard>
    </Section>
  )
}
