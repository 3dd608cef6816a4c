import type { Workflow } from '@bey/contract'
import { entities, entityHref, runStatuses } from '@bey/contract'
import type { WorkflowListQuery } from '../../data/workflows.ts'
import { useWorkflows } from '../../data/workflows.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { Truncated } from '../../ui/truncated.tsx'
import { RunStatusSelect } from './run-status-select.tsx'

const sorts = ['name', 'lastRunAt', 'createdAt'] as const
const statuses = ['idle', ...runStatuses] as const

/** The workflows of the organization; today those that Bey itself brings. */
export function WorkflowListPage() {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useWorkflows(query)
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch workflows', list)
  return (
    <ListPage
      title="Workflows"
      summary={data && formatCount(data.total, 'workflow')}
      actions={<ButtonLink href={entities.run.paths.list}>All runs</ButtonLink>}
      search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
      filters={<RunStatusSelect listLocation={listLocation} isIdleToo />}
      page={data}
      onPageChange={(page) => listLocation.change({ page })}
      columns={columns}
      rows={data?.workflows}
      rowKey={(workflow) => workflow.id}
      rowHref={({ id }) => entityHref({ type: 'workflow', id }) ?? ''}
      rowLabel={entities.workflow.label}
      {...tableControls(listLocation, query, { key: 'name', direction: 'asc' }, [query.search, query.status])}
      isRefreshing={isPlaceholderData}
      error={failure && <ErrorState {...failure} />}
      empty={
        <EmptyState
          title="No workflows"
          description="Bey brings workflows of its own for creating and deleting clusters; they appear with the organization."
        />
      }
    />
  )
}

const columns: readonly Column<Workflow>[] = [
  { key: 'name', header: 'Name', sortKey: 'name', width: '20%', cell: (workflow) => workflow.name },
  {
    key: 'description',
    header: 'Description',
    width: '32%',
    cell: (workflow) => <Truncated>{workflow.description}</Truncated>,
  },
  {
    key: 'type',
    header: 'Type',
    width: '11.5rem',
    cell: (workflow) => (
      <span className="inline-flex items-center gap-2">
        {workflow.type}
        {workflow.isBuiltIn ? <Badge>built-in</Badge> : null}
      </span>
    ),
  },
  {
    key: 'steps',
    header: 'Steps',
    align: 'end',
    width: '5rem',
    cell: (workflow) => formatNumber(workflow.steps.length),
  },
  {
    key: 'status',
    header: 'Last status',
    width: '10rem',
    cell: (workflow) => <Status of="run" status={workflow.status} />,
    isVital: true,
  },
  {
    key: 'lastRunAt',
    header: 'Last run',
    sortKey: 'lastRunAt',
    align: 'end',
    width: '8rem',
    cell: (workflow) => (workflow.lastRunAt ? <RelativeTime at={workflow.lastRunAt} /> : 'never'),
  },
]

function queryOf({ search }: ListLocation): WorkflowListQuery {
  const query: WorkflowListQuery = listQuery(search, sorts)
  const status = oneOf(statuses, search.status)
  if (status) query.status = status
  return query
}
