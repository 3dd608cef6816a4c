import type { Workflow } from '@bey/contract'
import { deniedReason, entities, entityHref, runStatuses, workflowStates, workflowTypes } from '@bey/contract'
import { Plus } from 'lucide-react'
import { useOrganizationId, useRole } from '../../data/session.ts'
import type { WorkflowListQuery } from '../../data/workflows.ts'
import { useWorkflows } from '../../data/workflows.ts'
import { failuresInRow } from '../../entities/workflows/workflow-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
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
  const list = useWorkflows(query)
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch workflows', list)
  usePageCommands([apiCommand('List these workflows', 'workflows.list', { query }, useOrganizationId())])
  return (
    <ListPage
      title="Workflows"
      summary={data && summaryOf(data.workflows, data.total)}
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
      notice={data ? <WorkflowAttention workflows={data.workflows} /> : null}
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

/** "1 of 11 workflows fails"; of a list of several pages only how many there are. */
function summaryOf(workflows: readonly Workflow[], total: number): string {
  const count = formatCount(total, 'workflow')
  if (workflows.length < total) return count
  const failing = workflows.filter((each) => each.state !== 'archived' && failuresInRow(each)).length
  return failing === 0 ? count : `${failing} of ${count} ${failing === 1 ? 'fails' : 'fail'}`
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
