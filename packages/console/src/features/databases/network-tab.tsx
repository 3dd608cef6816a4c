import { useSearch } from '@tanstack/react-router'
import type { Database } from '../../data/databases.ts'
import { useRead } from '../../data/use-read.ts'
import { NetworkReach } from '../../entities/networks/network-reach.tsx'
import { useChangeSearch } from '../../lib/change-search.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Select } from '../../ui/select.tsx'

/** Who of a cluster reaches the database, through the policies of the cluster and its own allow-list. */
export function NetworkTab({ database }: { database: Database }) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const clusters = useRead('clusters.list', { query: { limit: 200, status: 'RUNNING', sort: 'title' } })
  const failure = failureOf('Failed to fetch clusters', clusters)
  if (failure) return <ErrorState {...failure} />
  if (clusters.data === undefined) return null
  const rows = clusters.data.clusters
  const home = rows.find(({ id }) => id === database.cluster?.clusterId)
  const chosen = rows.find(({ id }) => String(id) === String(search['cluster'])) ?? home ?? rows[0]
  if (chosen === undefined)
    return (
      <EmptyState
        title="No cluster runs"
        description="Who reaches the database is worked out from the pods and policies of a cluster."
      />
    )
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-(--gutter) py-3">
        <span className="text-text-2">From the cluster</span>
        <Select
          aria-label="Cluster"
          value={String(chosen.id)}
          options={rows.map(({ id, title }) => ({ value: String(id), label: title }))}
          onChange={(event) => changeSearch({ cluster: event.target.value })}
        />
      </div>
      <NetworkReach
        key={chosen.id}
        clusterId={chosen.id}
        of={`database:${database.id}`}
        isOutside={chosen.id !== home?.id}
      />
    </>
  )
}
