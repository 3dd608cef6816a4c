import type { Cluster, ObjectRow } from '@bey/contract'
import { objectPath } from '@bey/contract'
import { useObject, useObjects } from '../../data/kubernetes.ts'
import { panelParts } from '../../entities/kubernetes/panels/panel-registry.ts'
import { PanelPartView } from '../../entities/kubernetes/panels/panel-view.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { quotaMeters } from './quota-text.ts'

interface Props {
  cluster: Cluster
  namespace: string
}

const maxQuotas = 10

/** What the quotas of a namespace allow, and what is used of it. */
export function NamespaceQuotas({ cluster, namespace }: Props) {
  const list = useObjects(cluster.id, 'resourcequotas', { namespace, limit: maxQuotas }, true)
  const failure = failureOf('Failed to read the quotas', list)
  const quotas = list.data?.objects
  if (failure && !quotas) {
    return (
      <Section title="Quota">
        <ErrorState {...failure} isCompact />
      </Section>
    )
  }
  if (!quotas) {
    return (
      <Section title="Quota">
        <MeterSkeleton />
      </Section>
    )
  }
  if (quotas.length === 0) {
    return (
      <Section title="Quota">
        <p className="text-text-2">
          No quota: what this namespace may take is bounded by the cluster alone. A ResourceQuota limits it.
        </p>
      </Section>
    )
  }
  return quotas.map((quota) => <NamespaceQuota key={quota.uid} cluster={cluster} quota={quota} />)
}

function NamespaceQuota({ cluster, quota }: { cluster: Cluster; quota: ObjectRow }) {
  const address = { resource: 'resourcequotas', namespace: quota.namespace, name: quota.name }
  const query = useObject({ id: cluster.id, ...address })
  const failure = failureOf('Failed to read the quota', query)
  return (
    <Section
      title="Quota"
      aside={
        <Link href={objectPath({ clusterId: cluster.id, ...address })} className="hover:underline">
          {quota.name}
        </Link>
      }
    >
      {failure && !query.data ? (
        <ErrorState {...failure} isCompact />
      ) : query.data ? (
        <div className="flex flex-col gap-4">
          {quotaMeters(query.data.object).map(({ name, label, used, hard, format }) => (
            <Meter key={name} label={label} used={used} total={hard} format={format} />
          ))}
        </div>
      ) : (
        <MeterSkeleton />
      )}
    </Section>
  )
}

function MeterSkeleton() {
  return (
    <DelayedSkeleton>
      <Skeleton className="h-24" />
    </DelayedSkeleton>
  )
}

/** Quotas, and what containers of a namespace get where they ask for nothing. */
export function NamespaceQuotaTab({ cluster, namespace }: Props) {
  const ranges = useObjects(cluster.id, 'limitranges', { namespace, limit: maxQuotas }, true)
  return (
    <div className="grid max-w-3xl gap-8 px-(--gutter) py-6">
      <NamespaceQuotas cluster={cluster} namespace={namespace} />
      {ranges.data?.objects.map((range) => (
        <LimitRange key={range.uid} cluster={cluster} range={range} />
      ))}
    </div>
  )
}

function LimitRange({ cluster, range: { namespace, name } }: { cluster: Cluster; range: ObjectRow }) {
  const { data } = useObject({ id: cluster.id, resource: 'limitranges', namespace, name })
  if (!data) return null
  return panelParts('limitranges', data.object).map((part) => (
    <PanelPartView key={part.title} part={part} subject={{ cluster, namespace, name }} />
  ))
}
