import { entities, runStatuses } from '@bey/contract'
import type { RunListQuery } from '../../../data/workflows.ts'
import { useRuns } from '../../../data/workflows.ts'
import { useOrganizationId } from '../../../data/session.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatCount } from '../../../lib/format.ts'
import type { ListLocation } from '../../../lib/list-location.ts'
import { oneOf, tableControls, useListLocation } from '../../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../../lib/page-commands.ts'
import { useRunRows } from '../../../lib/run-rows.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { ListPage } from '../../../ui/list-page.tsx'
import { runTable } from '../../../ui/run-table.tsx'
import { RunStatusSelect } from '../run-status-select.tsx'

/** The runs of every workflow. */
export function RunListPage() {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useRuns(query)
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch workflow runs', list)
  const organizationId = useOrganizationId()
  usePageCommands([apiCommand('List these runs', 'workflows.allRuns', { query }, organizationId)])
  const rows = useRunRows(data?.runs)
  return (
    <ListPage
      title="Runs"
      summary={data && formatCount(data.total, 'run')}
      filters={<RunStatusSelect listLocation={listLocation} />}
      page={data}
      onPageChange={(page) => listLocation.change({ page })}
      {...runTable(['name', 'subject', 'status', 'trigger', 'by', 'duration', 'queuedAt'])}
      rows={rows}
      {...tableControls(listLocation, query, newestFirst, [query.status?.replaceAll('_', ' ')])}
      isRefreshing={isPlaceholderData}
      error={failure && <ErrorState {...failure} />}
      empty={
        <EmptyState
          title="No runs yet"
          description="Every long operation is a run with steps and logs, for example creating a cluster."
          action={<ButtonLink href={entities.cluster.paths.create}>Create cluster</ButtonLink>}
        />
      }
    />
  )
}

const newestFirst = { key: 'queuedAt', direction: 'desc' } as const

function queryOf({ search }: ListLocation): RunListQuery {
  const query: RunListQuery = {}
  const status = oneOf(runStatuses, search.status)
  const sort = oneOf(['queuedAt', 'status'], search.sort)
  if (search.page) query.page = search.page
  if (status) query.status = status
  if (sort) query.sort = sort
  if (search.order) query.order = search.order
  return query
}
