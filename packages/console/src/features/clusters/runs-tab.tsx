import type { Cluster } from '@bey/contract'
import { isRunOver } from '@bey/contract'
import { useRuns } from '../../data/workflows.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import { oneOf, useListPlace } from '../../lib/list-place.ts'
import { useNow } from '../../lib/now.ts'
import { runRow } from '../../lib/run-text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { RunTable } from '../../ui/run-table.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'

/** Every run that worked on this cluster. */
export function RunsTab({ cluster }: { cluster: Cluster }) {
  const { search, change } = useListPlace()
  const sort = oneOf(['queuedAt', 'status'], search.sort) ?? 'queuedAt'
  const order = search.order ?? 'desc'
  const query = { clusterId: cluster.id, page: search.page ?? 1, sort, order }
  const { data, error, isFetching, refetch } = useRuns(query)
  const now = useNow(data?.runs.some((run) => !isRunOver(run.status)) ?? false)
  return (
    <>
      <Toolbar end={data ? <Pagination {...data} onPageChange={(page) => change({ page })} /> : null}>
        <span className="flex h-7 items-center text-small text-text-2 tabular-nums">
          {data ? formatCount(data.total, 'run') : ' '}
        </span>
      </Toolbar>
      <RunTable
        label="Runs"
        show={['name', 'status', 'trigger', 'by', 'duration', 'queuedAt']}
        rows={data?.runs.map((run) => runRow(run, now))}
        sort={{ key: sort, direction: order }}
        onSortChange={({ key, direction }) => change({ sort: key, order: direction })}
        error={
          error && !data ? (
            <ErrorState
              {...errorText('Failed to fetch workflow runs', error)}
              onRetry={() => void refetch()}
              isRetrying={isFetching}
            />
          ) : undefined
        }
        empty={
          <EmptyState
            title="No runs"
            description="Provisioning and deletion are runs, with steps and logs. None has worked on this cluster yet."
          />
        }
        isFilled
        minWidth="52rem"
      />
    </>
  )
}
