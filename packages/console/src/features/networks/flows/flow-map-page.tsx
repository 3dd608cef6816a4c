import type { FlowMap, FlowState } from '@bey/contract'
import { useSearch } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useRead } from '../../../data/use-read.ts'
import { useChangeSearch } from '../../../lib/change-search.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { laterPart } from '../../../lib/later-part.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Select } from '../../../ui/select.tsx'
import { DelayedSkeleton, Skeleton } from '../../../ui/skeleton.tsx'
import { clockTime } from '../../../ui/time-text.ts'
import { useIsMobile } from '../../../ui/use-is-mobile.ts'
import { FlowLegend } from './flow-legend.tsx'
import { FlowPanel, type FlowSelection } from './flow-panel.tsx'
import { FlowTable } from './flow-table.tsx'
import { observedText, stateLabels, summaryText } from './flow-text.ts'

const [FlowCanvas] = laterPart(async () => (await import('./flow-canvas.tsx')).FlowCanvas)

const states = ['refused', 'used', 'unused', 'denied', 'unknown'] as const

/** Who reaches whom in a cluster, who does, and who is refused: as a map and as a table. */
export function FlowMapPage() {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const clusters = useRead('clusters.list', { query: { limit: 200, status: 'RUNNING', sort: 'title' } })
  const failure = failureOf('Failed to fetch clusters', clusters)
  const rows = clusters.data?.clusters ?? []
  const chosen = rows.find(({ id }) => String(id) === String(search['cluster'])) ?? rows[0]
  if (failure) return <ErrorState {...failure} />
  if (clusters.data && chosen === undefined) {
    return (
      <>
        <PageHeader title="Flow map" description="Who reaches whom in a cluster, and who does" />
        <EmptyState
          icon={<Waypoints size={24} strokeWidth={1.5} aria-hidden />}
          title="No cluster runs"
          description="A flow map is drawn from the pods, the policies and the observed connections of a cluster."
          action={<ButtonLink href="/kubernetes/clusters/create">Create cluster</ButtonLink>}
        />
      </>
    )
  }
  const picker = (
    <Select
      aria-label="Cluster"
      value={String(chosen?.id ?? '')}
      options={rows.map(({ id, title }) => ({ value: String(id), label: title }))}
      onChange={(event) => changeSearch({ cluster: event.target.value, open: '', namespace: '' })}
    />
  )
  return chosen === undefined ? (
    <PageHeader title="Flow map" description=" " />
  ) : (
    <ClusterFlows key={chosen.id} clusterId={chosen.id} title={chosen.title} picker={picker} />
  )
}

function ClusterFlows({ clusterId, title, picker }: { clusterId: number; title: string; picker: ReactNode }) {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const changeSearch = useChangeSearch()
  const isMobile = useIsMobile()
  const [selection, setSelection] = useState<FlowSelection>()
  const of = (key: string) => {
    const value = search[key]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const view = isMobile || of('view') === 'table' ? 'table' : 'map'
  const by = of('by') === 'workload' ? 'workload' : 'namespace'
  const state = states.find((each) => each === of('state'))
  const port = /^\d{1,5}$/.test(of('port')) ? Number(of('port')) : undefined
  const opened = of('open').split(',').filter(Boolean)
  const query = useRead(
    'networks.flows.map',
    {
      params: { id: clusterId },
      query: {
        by,
        open: of('open'),
        ...(of('namespace') !== '' && { namespace: of('namespace') }),
        ...(state !== undefined && { state }),
        ...(port !== undefined && port > 0 && port <= 65_535 && { port }),
      },
    },
    { refreshMs: 5_000 },
  )
  // While another filter is read the map before it stays.
  const [last, setLast] = useState<FlowMap>()
  if (query.data !== undefined && query.data !== last) setLast(query.data)
  const map = query.data ?? last
  const failure = failureOf('Failed to read the flows', query)
  const open = (namespace: string) =>
    changeSearch({
      open: (opened.includes(namespace)
        ? opened.filter((each) => each !== namespace)
        : [...opened, namespace]
      ).join(','),
    })
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHeader
        title={`Flows in ${title}`}
        description={map ? summaryText(map) : ' '}
        actions={
          <>
            {picker}
            {isMobile ? null : (
              <Segmented
                label="Shown as"
                options={[
                  { value: 'map', label: 'Map' },
                  { value: 'table', label: 'Table' },
                ]}
                value={view}
                onChange={(value) => changeSearch({ view: value === 'map' ? '' : value })}
              />
            )}
          </>
        }
      />
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-(--gutter) py-2">
        <Segmented
          label="Grouped by"
          options={[
            { value: 'namespace', label: 'Namespaces' },
            { value: 'workload', label: 'Workloads' },
          ]}
          value={by}
          onChange={(value) => changeSearch({ by: value === 'namespace' ? '' : value })}
        />
        <Select
          aria-label="Namespace"
          controlSize="small"
          className="max-w-60"
          value={of('namespace')}
          options={[
            { value: '', label: 'All namespaces' },
            ...namespacesOf(map, of('namespace')).map((value) => ({ value, label: value })),
          ]}
          onChange={(event) => changeSearch({ namespace: event.target.value })}
        />
        <Select
          aria-label="State"
          controlSize="small"
          value={state ?? ''}
          options={[
            { value: '', label: 'All but closed' },
            ...states.map((value) => ({ value, label: labelWithCount(value, map) })),
          ]}
          onChange={(event) => changeSearch({ state: event.target.value })}
        />
        <span className="w-24">
          <Input
            aria-label="Port"
            inputMode="numeric"
            placeholder="Any port"
            defaultValue={of('port')}
            autoComplete="off"
            className="h-7"
            onChange={(event) => changeSearch({ port: event.target.value.replace(/\D/g, '') })}
          />
        </span>
        {view === 'map' ? <FlowLegend hasObserved={map?.observedBy !== null} /> : null}
      </div>
      {map?.doubt ? (
        <div className="px-(--gutter) pt-3">
          <Notice tone="warn" title={map.doubt}>
            {map.nodes.length <= 1
              ? 'The map is drawn as soon as the cluster is read.'
              : 'What the policies say is not known as of now; ways are those that were known last.'}
          </Notice>
        </div>
      ) : null}
      {failure && map === undefined ? (
        <ErrorState {...failure} />
      ) : map === undefined ? (
        <DelayedSkeleton>
          <Skeleton className="m-(--gutter) h-96" />
        </DelayedSkeleton>
      ) : map.nodes.length <= 1 && map.doubt !== null ? null : map.nodes.length <= 1 ? (
        <EmptyState
          title="No pod runs"
          description="The map shows the namespaces and workloads whose pods run in this cluster."
        />
      ) : view === 'table' ? (
        <FlowTable map={map} clusterId={clusterId} />
      ) : (
        <div className="flex min-h-[32rem] flex-1">
          <FlowCanvas map={map} selection={selection} onSelect={setSelection} onOpen={open} />
          <aside
            aria-label="Details"
            className="flex w-80 shrink-0 flex-col gap-5 overflow-y-auto border-l border-line p-4"
          >
            <FlowPanel map={map} clusterId={clusterId} selection={selection} onSelect={setSelection} />
          </aside>
        </div>
      )}
      {map ? <Foot map={map} /> : null}
    </div>
  )
}

/** What the map leaves out, and as of when it is. */
function Foot({ map }: { map: FlowMap }) {
  const { nodes, nodeCount, edges, counts, unplaced, asOf, policies } = map
  const gap = map.notObserved ?? map.incomplete
  const total = counts.used + counts.refused + counts.unused + counts.unknown
  const isCut = nodeCount > nodes.length || edges.length === 2_000
  return (
    <p className="border-t border-line px-(--gutter) py-2 text-small text-text-3">
      {formatNumber(edges.length)} of {formatNumber(total + counts.denied)} ways between{' '}
      {formatCount(nodes.length, 'end')}, from {formatCount(policies, 'policy', 'policies')}, state of{' '}
      {clockTime(new Date(asOf))}.
      {nodeCount > nodes.length ? ` ${formatNumber(nodeCount - nodes.length)} ends are left out.` : ''}
      {isCut ? ' Choose a namespace, a state or a port to see the others.' : ''}
      {unplaced > 0
        ? ` ${formatNumber(unplaced)} observed connections are of workloads that are gone or left out.`
        : ''}
      {observedText(map)}
      {gap === null ? '' : ` ${gap}`}
    </p>
  )
}

function namespacesOf(map: FlowMap | undefined, chosen: string): string[] {
  const names = (map?.nodes ?? []).flatMap(({ namespace }) => namespace ?? [])
  return [...new Set([...names, ...(chosen === '' ? [] : [chosen])])].toSorted((a, b) => a.localeCompare(b))
}

const labelWithCount = (state: FlowState, map: FlowMap | undefined): string => {
  const label = stateLabels[state]
  const word = `${label.charAt(0).toUpperCase()}${label.slice(1)}`
  return map ? `${word}, ${formatNumber(map.counts[state])}` : word
}
