import type { Workflow } from '@bey/contract'
import { deniedReason, entities, entityHref, runStatuses, workflowStates, workflowTypes } from '@bey/contract'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useOrganizationId, useRole } from '../../data/session.ts'
import type { WorkflowListQuery } from '../../data/workflows.ts'
import { useList } from '../../data/use-read.ts'
import { failuresInRow } from '../../entities/workflows/workflow-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatPercent } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { RunStatusSelect } from './run-status-select.tsx'
import { TemplatesButton } from './template-gallery.tsx'
import { WorkflowAttention } from './workflow-attention.tsx'
import { workflowColumns } from './workflow-columns.tsx'
import { WorkflowMenu } from './workflow-menu.tsx'

const sorts = ['name', 'lastRunAt', 'createdAt'] as const
const statuses = ['idle', ...runStatuses] as const

/** The workflows of the organization: those of its people, and those that Bey itself brings. */
export function WorkflowListPage() {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useList('workflows.list', { query })
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch workflows', list)
  const pending = useList('workflows.approvals', { query: { status: 'pending' } }).data?.approvals ?? none
  const mine = pending.filter(({ deniedReason: reason }) => reason === null)
  const week = useWeekText()
  usePageCommands([apiCommand('List these workflows', 'workflows.list', { query }, useOrganizationId())])
  return (
    <ListPage
      title="Workflows"
      summary={data && [summaryOf(data.workflows, data.total, mine.length), week].filter(Boolean).join('. ')}
      actions={
        <>
          <ButtonLink href={entities.run.paths.list}>All runs</ButtonLink>
          <TemplatesButton />
          <CreateWorkflowLink />
        </>
      }
      search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
      filters={<Filters listLocation={listLocation} />}
      page={data}
      onPageChange={(page) => listLocation.change({ page })}
      notice={
        data ? (
          <>
            <WorkflowAttention workflows={data.workflows} approvals={mine} />
            {!listLocation.isFiltered && data.workflows.every(({ isBuiltIn }) => isBuiltIn) ? (
              <FirstWorkflow />
            ) : null}
          </>
        ) : null
      }
      columns={workflowColumns}
      rows={data?.workflows}
      rowKey={(workflow) => workflow.id}
      rowHref={({ id }) => entityHref({ type: 'workflow', id }) ?? ''}
      rowLabel={entities.workflow.label}
      rowActions={(workflow) => <WorkflowMenu workflow={workflow} />}
      {...tableControls(listLocation, query, { key: 'name', direction: 'asc' }, [
        query.search,
        query.state,
        query.status?.replaceAll('_', ' '),
        query.type,
      ])}
      isRefreshing={isPlaceholderData}
      error={failure && <ErrorState {...failure} />}
      empty={
        <EmptyState
          title="No workflows"
          description="A workflow is a list of steps that run in order, each with a stated guarantee: deploy, clean up, check, roll back."
          action={<CreateWorkflowLink />}
        />
      }
    />
  )
}

/** While there are only those that Bey itself brings. */
function FirstWorkflow() {
  return (
    <div className="flex min-h-12 items-center gap-3 border-b border-line px-(--gutter) py-2">
      <p className="min-w-0 flex-1">
        <span className="font-medium">You have no workflow of your own yet.</span>{' '}
        <span className="text-text-2">
          Ten templates work as they come: a deployment with approval, a clean-up at night, a check of
          certificates.
        </span>
      </p>
      <TemplatesButton label="Start from a template" />
    </div>
  )
}

function Filters({ listLocation }: { listLocation: ListLocation }) {
  const { search, change } = listLocation
  return (
    <>
      <RunStatusSelect listLocation={listLocation} isIdleToo />
      <FilterSelect
        label="State"
        all="All states"
        value={oneOf(workflowStates, search.state)}
        options={workflowStates}
        onChange={(state) => change({ state })}
      />
      <FilterSelect
        label="Type"
        all="All types"
        value={oneOf(workflowTypes, search.type)}
        options={workflowTypes}
        onChange={(type) => change({ type })}
      />
    </>
  )
}

/** Leads to the editor of a new workflow. */
export function CreateWorkflowLink() {
  return (
    <ButtonLink
      href="/workflows/create"
      variant="primary"
      icon={<Plus size={14} aria-hidden />}
      disabledReason={deniedReason(useRole(), 'workflows.create')}
    >
      Create workflow
    </ButtonLink>
  )
}

const none: readonly never[] = []

/** "218 runs in the last 7 days, 97% succeeded"; empty until it is known, or without runs. */
function useWeekText(): string {
  // Rounded, so that the list asks the same for an hour.
  const [since] = useState(() => new Date(Math.floor(Date.now() / hourMs - 7 * 24) * hourMs).toISOString())
  const counts = useList('workflows.runCounts', { query: { since } }).data?.counts
  if (!counts) return ''
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const succeeded = counts['completed'] ?? 0
  const ended = succeeded + (counts['failed'] ?? 0) + (counts['timed_out'] ?? 0)
  if (all === 0) return ''
  const share = ended === 0 ? '' : `, ${formatPercent(succeeded / ended)} succeeded`
  return `${formatCount(all, 'run')} in the last 7 days${share}`
}

const hourMs = 3_600_000

/** "1 of 11 workflows fails, and 1 run waits for you"; of a list of several pages only how many there are. */
function summaryOf(workflows: readonly Workflow[], total: number, waiting: number): string {
  const health = healthOf(workflows, total)
  return waiting === 0
    ? health
    : `${health}, and ${formatCount(waiting, 'run')} ${waiting === 1 ? 'waits' : 'wait'} for you`
}

function healthOf(workflows: readonly Workflow[], total: number): string {
  const count = formatCount(total, 'workflow')
  if (workflows.length < total) return count
  const failing = workflows.filter((each) => each.state !== 'archived' && failuresInRow(each)).length
  return failing === 0 ? count : `${failing} of ${count} ${failing === 1 ? 'is failing' : 'are failing'}`
}

function queryOf({ search }: ListLocation): WorkflowListQuery {
  const query: WorkflowListQuery = listQuery(search, sorts)
  const status = oneOf(statuses, search.status)
  const state = oneOf(workflowStates, search.state)
  const type = oneOf(workflowTypes, search.type)
  if (status) query.status = status
  if (state) query.state = state
  if (type) query.type = type
  return query
}
