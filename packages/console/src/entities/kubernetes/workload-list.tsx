import type { Cluster, WorkloadRow } from '@bey/contract'
import { healthStates, objectPath, workloadKinds } from '@bey/contract'
import type { WorkloadQuery } from '../../data/kubernetes.ts'
import { useWorkloads } from '../../data/kubernetes.ts'
import { HealthCounts } from '../health/health-counts.tsx'
import { healthOf, HealthSelect } from '../health/health-select.tsx'
import { NamespaceSelect, ResourceList } from './resource-list.tsx'
import { healthHeading, workloadAddress, workloadColumns, workloadResources } from './workload-columns.tsx'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, useListLocation } from '../../lib/list-location.ts'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { SampleApplications } from './samples/sample-applications.tsx'

const sorts = ['name', 'kind', 'namespace', 'health', 'ready', 'createdAt'] as const

/** What keeps pods running in a cluster or one of its namespaces, and pods that nothing keeps: what needs somebody first. */
export function WorkloadList({ cluster, namespace }: { cluster: Cluster; namespace?: string }) {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  if (namespace !== undefined) query.namespace = namespace
  const list = useWorkloads(cluster.id, query, cluster.status === 'RUNNING')
  const isGrouped = query.sort === 'health' && query.order !== 'desc'
  return (
    <ResourceList
      cluster={cluster}
      noun="workloads"
      columns={namespace === undefined ? columns : columnsWithin}
      namespace={namespace}
      list={list}
      rows={list.data?.workloads}
      rowHref={(row) => objectPath({ clusterId: cluster.id, ...workloadAddress(row) })}
      rowAddress={workloadAddress}
      kubectlResources={workloadResources}
      hasLabels
      {...(isGrouped && {
        groupOf: (row: WorkloadRow) => row.health.state,
        groupHeading: (state: string) => {
          const known = oneOf(healthStates, state) ?? 'unknown'
          return healthHeading(known, list.data?.counts[known])
        },
      })}
      listLocation={listLocation}
      atRest={list.data ? <HealthCounts counts={list.data.counts} listLocation={listLocation} /> : null}
      defaultSort={{ key: 'health', direction: 'asc' }}
      emptyText="A deployment, for example, keeps a number of equal pods running. Create one, or apply a sample application; it appears here at once."
      emptyAction={<SampleApplications cluster={cluster} />}
      filters={
        <>
          {namespace === undefined ? <NamespaceSelect cluster={cluster} listLocation={listLocation} /> : null}
          <HealthSelect listLocation={listLocation} />
          <FilterSelect
            label="Kind"
            all="All kinds"
            value={oneOf(workloadKinds, listLocation.search.type)}
            options={workloadKinds}
            onChange={(type) => listLocation.change({ type })}
          />
        </>
      }
    />
  )
}

const columns = workloadColumns<WorkloadRow>([
  'name',
  'health',
  'since',
  'ready',
  'namespace',
  'images',
  'createdAt',
])

const columnsWithin = columns.filter(({ key }) => key !== 'namespace')

function queryOf(listLocation: ListLocation): WorkloadQuery {
  const { search } = listLocation
  const query: WorkloadQuery = { sort: 'health', ...listQuery(search, sorts) }
  const health = healthOf(listLocation)
  const kind = oneOf(workloadKinds, search.type)
  if (search.label) query.labels = search.label
  if (search.namespace) query.namespace = search.namespace
  if (health) query.health = health
  if (kind) query.kind = kind
  return query
}
