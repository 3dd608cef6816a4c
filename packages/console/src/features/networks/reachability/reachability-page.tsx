import { useSearch } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import { useFollow } from '../../../data/live.ts'
import { useRead } from '../../../data/use-read.ts'
import { useChangeSearch } from '../../../lib/change-search.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Select } from '../../../ui/select.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { FindingsView } from './findings-view.tsx'
import { FlowView } from './flow-view.tsx'
import { MatrixView } from './matrix-view.tsx'

const views = [
  { id: 'flow', label: 'One flow' },
  { id: 'matrix', label: 'Matrix' },
  { id: 'findings', label: 'Findings' },
] as const

/** Who reaches whom in a cluster, and which policy decides. */
export function ReachabilityPage() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const clusters = useRead('clusters.list', { query: { limit: 200, status: 'RUNNING', sort: 'title' } })
  const failure = failureOf('Failed to fetch clusters', clusters)
  const rows = clusters.data?.clusters ?? []
  const chosen = rows.find(({ id }) => String(id) === String(search['cluster'])) ?? rows[0]
  useFollow(chosen && { kind: 'cluster_resources', clusterId: chosen.id })
  const view = views.find(({ id }) => id === search['view'])?.id ?? 'flow'
  const href = (id: string) =>
    `/networking/reachability?${new URLSearchParams({
      ...(chosen && { cluster: String(chosen.id) }),
      ...(id === 'flow' ? {} : { view: id }),
    }).toString()}`
  return (
    <>
      <PageHeader
        title="Reachability"
        description="Who reaches whom, worked out from the policies of a cluster. No packet is sent."
        actions={
          rows.length > 0 ? (
            <Select
              aria-label="Cluster"
              value={String(chosen?.id ?? '')}
              options={rows.map(({ id, title }) => ({ value: String(id), label: title }))}
              onChange={(event) => changeSearch({ cluster: event.target.value, from: '', to: '' })}
            />
          ) : undefined
        }
      >
        <Tabs
          label="Reachability"
          tabs={views.map(({ id, label }) => ({ href: href(id), label, isCurrent: id === view }))}
        />
      </PageHeader>
      {failure ? (
        <ErrorState {...failure} />
      ) : clusters.data && chosen === undefined ? (
        <EmptyState
          icon={<Waypoints size={24} strokeWidth={1.5} aria-hidden />}
          title="No cluster runs"
          description="Who reaches whom is worked out from the pods and policies of a cluster."
          action={<ButtonLink href="/kubernetes/clusters/create">Create cluster</ButtonLink>}
        />
      ) : chosen === undefined ? null : view === 'matrix' ? (
        <MatrixView key={chosen.id} clusterId={chosen.id} />
      ) : view === 'findings' ? (
        <FindingsView key={chosen.id} clusterId={chosen.id} />
      ) : (
        <FlowView key={chosen.id} clusterId={chosen.id} />
      )}
    </>
  )
}
