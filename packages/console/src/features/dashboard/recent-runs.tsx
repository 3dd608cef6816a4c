import { isRunOver } from '@bey/contract'
import { useRuns } from '../../data/workflows.ts'
import { errorText } from '../../lib/error-text.ts'
import { useNow } from '../../lib/now.ts'
import { runRow } from '../../lib/run-text.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { RunTable } from '../../ui/run-table.tsx'
import { Section } from '../../ui/section.tsx'

/** The newest runs of every workflow. */
export function RecentRuns() {
  const { data, error, refetch, isFetching } = useRuns({ limit: 6 })
  const now = useNow(data?.runs.some((run) => !isRunOver(run.status)) ?? false)
  return (
    <Section
      title="Recent runs"
      aside={
        <Link href="/workflows/runs" className="text-text-2 underline hover:text-accent-text">
          All runs
        </Link>
      }
    >
      <div className="overflow-hidden rounded-card border border-line [&_tr:last-child_td]:border-b-0">
        <RunTable
          label="Recent runs"
          show={['name', 'subject', 'status', 'duration', 'queuedAt']}
          rows={data?.runs.map((run) => runRow(run, now))}
          skeletonRows={6}
          minWidth="44rem"
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
            <EmptyState title="Nothing has run yet" description="Creating or deleting a cluster is a run." />
          }
        />
      </div>
    </Section>
  )
}
