import { useRuns } from '../../data/workflows.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { useRunRows } from '../../lib/run-rows.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { RunTable } from '../../ui/run-table.tsx'
import { Section } from '../../ui/section.tsx'
import { TableCard } from '../../ui/table-card.tsx'

/** The newest runs of every workflow. */
export function RecentRuns() {
  const list = useRuns({ limit: 6 })
  const { data } = list
  const failure = failureOf('Failed to fetch workflow runs', list)
  const rows = useRunRows(data?.runs)
  return (
    <Section
      title="Recent runs"
      aside={
        <Link href="/workflows/runs" className="text-text-2 underline hover:text-accent-text">
          All runs
        </Link>
      }
    >
      <TableCard>
        <RunTable
          label="Recent runs"
          show={['name', 'subject', 'status', 'duration', 'queuedAt']}
          rows={rows}
          skeletonRows={6}
          error={failure && <ErrorState {...failure} />}
          empty={
            <EmptyState title="Nothing has run yet" description="Creating or deleting a cluster is a run." />
          }
        />
      </TableCard>
    </Section>
  )
}
