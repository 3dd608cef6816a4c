import type { Cluster, ObjectRow } from '@bey/contract'
import { clusterCan, deniedReason, objectPath } from '@bey/contract'
import { useMemo } from 'react'
import { useObjects } from '../../data/kubernetes.ts'
import { useRole } from '../../data/session.ts'
import { useRead } from '../../data/use-read.ts'
import { objectColumns } from '../../entities/kubernetes/object-columns.tsx'
import { resourceListHref } from '../../entities/kubernetes/tab-resources.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatBytes, formatCount, formatNumber } from '../../lib/format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Table } from '../../ui/table.tsx'
import { TableCard } from '../../ui/table-card.tsx'

const shownQuotas = 10

/** What a sandbox takes of its own limits, and the quotas of the namespaces as the cluster counts them. */
export function ClusterQuotas({ cluster }: { cluster: Cluster }) {
  return (
    <div className="flex flex-col gap-6">
      {cluster.provider === 'sandbox' ? <SandboxLimits cluster={cluster} /> : null}
      <NamespaceQuotas cluster={cluster} />
    </div>
  )
}

function SandboxLimits({ cluster }: { cluster: Cluster }) {
  const denied = deniedReason(useRole(), 'sandboxes.read')
  const list = useRead('sandboxes.list', {}, { isEnabled: denied === undefined, refreshMs: 30_000 })
  const usage = list.data?.sandboxes.find(({ clusterId }) => clusterId === cluster.id)?.usage
  if (denied)
    return <p className="text-text-2">What this sandbox takes of its machine is not shown: {denied}</p>
  const failure = failureOf('Failed to fetch the limits', list)
  if (failure && !list.data) return <ErrorState {...failure} isCompact />
  // As high as the meters.
  if (!list.data) return <div className="h-[7.625rem]" />
  if (!usage) return <p className="text-text-2">What this sandbox takes is counted while it runs.</p>
  const { machine } = list.data
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <Meter label="Memory" used={usage.memoryBytes} total={machine.sandboxBytes} format={formatBytes} />
      <Meter
        label="Objects"
        used={usage.objects}
        total={usage.maxObjects ?? machine.maxObjects}
        format={formatNumber}
      />
      <Meter label="Disk" used={usage.diskBytes} total={machine.maxDiskBytes} format={formatBytes} />
    </div>
  )
}

/** The first quotas of the namespaces of a cluster that can be reached. */
export function useNamespaceQuotas(cluster: Cluster) {
  const isReachable = clusterCan.connect(cluster) === undefined
  return useObjects(cluster.id, 'resourcequotas', { sort: 'namespace', limit: shownQuotas }, isReachable)
}

function NamespaceQuotas({ cluster }: { cluster: Cluster }) {
  const reason = clusterCan.connect(cluster)
  const list = useNamespaceQuotas(cluster)
  const columns = useMemo(
    () => objectColumns(list.data?.columns ?? [], { isNamespaced: true, hasUsage: false, hasHealth: false }),
    [list.data?.columns],
  )
  if (reason) return <p className="text-text-2">Quotas of namespaces are not read: {reason}</p>
  const failure = failureOf('Failed to read the quotas of namespaces', list)
  if (failure && !list.data) return <ErrorState {...failure} isCompact />
  const total = list.data?.total ?? 0
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <TableCard>
        <Table
          label="Quotas of namespaces"
          columns={columns}
          rows={list.data?.objects}
          rowKey={(row: ObjectRow) => row.uid}
          rowLabel={(row: ObjectRow) => row.name}
          rowHref={({ namespace, name }: ObjectRow) =>
            objectPath({ clusterId: cluster.id, resource: 'resourcequotas', namespace, name })
          }
          skeletonRows={2}
          empty={
            <EmptyState
              title="No namespace has a quota"
              description="A ResourceQuota bounds what a namespace may take. Those of this cluster are listed here with what is used."
            />
          }
        />
      </TableCard>
      {total > shownQuotas ? (
        <Link
          href={resourceListHref(cluster.id, { resource: 'resourcequotas', kind: 'ResourceQuota' })}
          className="text-small text-text-2 underline hover:text-accent-text"
        >
          All {formatCount(total, 'quota')}
        </Link>
      ) : null}
    </div>
  )
}
