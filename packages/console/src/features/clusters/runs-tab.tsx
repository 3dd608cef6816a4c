import type { Cluster } from '@bey/contract'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { useRunRows } from '../../lib/run-rows.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { RunTable } from '../../ui/run-table.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { useList } from '../../data/use-read.ts'

/** Every run that worked on this cluster. */
export function RunsTab({ cluster }: { cluster: Cluster }) {
  const listLocation = useListLocation()
  const { search, change } = listLocation
  const sort = oneOf(['queuedAt', 'status'], search.sort) ?? 'queuedAt'
  const order = search.order ?? 'desc'
  const query = {
    subjectType: 'cluster',
    subjectId: String(cluster.id),
    page: search.page ?? 1,
    sort,
    order,
  } as const
  const list = useList('workflows.allRuns', { query })
  const { data } = list
  const failure = failureOf('Failed to fetch workflow runs', list)
  const rows = useRunRows(data?.runs)
  return (
    <>
      <Toolbar pages={data ? <Pagination {...data} onPageChange={(page) => change({ page })} /> : null}>
        <span className="flex h-7 items-center text-small text-text-2 tabular-nums">
          {data ? formatCount(data.total, 'run') : ' '}
        </span>
      </Toolbar>
      <RunTable
        label="Runs"
        show={['name', 'status', 'trigger', 'by', 'duration', 'queuedAt']}
        rows={rows}
        {...tableControls(listLocation, {}, { key: sort, direction: order }, [])}
        error={failure && <ErrorState {...failure} />}
        empty={
          <EmptyState
            title="No runs"
            description="Provisioning and deletion are runs, with steps and logs. No run has changed this cluster yet."
          />
        }
        isFilled
      />
    </>
  )
}
