import { isRunOver, runStatuses } from '@bey/contract'
import type { RunListQuery } from '../../data/workflows.ts'
import { useRuns } from '../../data/workflows.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatCount } from '../../lib/format.ts'
import type { ListPlace } from '../../lib/list-place.ts'
import { oneOf, useListPlace } from '../../lib/list-place.ts'
import { useNow } from '../../lib/now.ts'
import { runRow } from '../../lib/run-text.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { RunTable } from '../../ui/run-table.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { RunStatusSelect } from './run-status-select.tsx'

/** The runs of every workflow. */
export function RunListPage() {
  const place = useListPlace()
  const query = queryOf(place)
  const { data, error, isFetching, isPlaceholderData, refetch } = useRuns(query)
  const now = useNow(data?.runs.some((run) => !isRunOver(run.status)) ?? false)
  return (
    <>
      <PageHeader title="Runs" description={data ? formatCount(data.total, 'run') : ' '} />
      <Toolbar end={data ? <Pagination {...data} onPageChange={(page) => place.change({ page })} /> : null}>
        <RunStatusSelect place={place} />
      </Toolbar>
      <RunTable
        label="Runs"
        show={['name', 'subject', 'status', 'trigger', 'by', 'duration', 'queuedAt']}
        rows={data?.runs.map((run) => runRow(run, now))}
        sort={{ key: query.sort ?? 'queuedAt', direction: query.order ?? 'desc' }}
        onSortChange={({ key, direction }) => place.change({ sort: key, order: direction })}
        isRefreshing={isPlaceholderData}
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
            title="No runs yet"
            description="Everything that takes a while is a run with steps and logs: creating a cluster is the first that most people see."
            action={<ButtonLink href="/kubernetes/clusters/create">Create cluster</ButtonLink>}
          />
        }
        filter={query.status ? { query: query.status.replaceAll('_', ' '), onClear: place.clear } : undefined}
        isFilled
        minWidth="56rem"
      />
    </>
  )
}

function queryOf({ search }: ListPlace): RunListQuery {
  const query: RunListQuery = {}
  const status = oneOf(runStatuses, search.status)
  const sort = oneOf(['queuedAt', 'status'], search.sort)
  if (search.page) query.page = search.page
  if (status) query.status = status
  if (sort) query.sort = sort
  if (search.order) query.order = search.order
  return query
}
