import { noNamespace, objectPath } from '@bey/contract'
import { useObject } from '../../data/kubernetes.ts'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { PreviewSkeleton } from '../../ui/preview-skeleton.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { PaletteItems } from './item.ts'
import type { ActionsProps } from './kinds.tsx'

type Item = PaletteItems['object']

/** What an object of a cluster is and how it is, as it is now. */
export function ObjectDetails({ item: { object } }: { item: Item }) {
  const { clusterId, cluster, resource, kind, name } = object
  const namespace = object.namespace || noNamespace
  const query = useObject({ id: clusterId, resource, namespace, name })
  const failure = failureOf('Failed to fetch the object', query)
  if (!query.data) return failure ? <ErrorState {...failure} isCompact /> : <PreviewSkeleton />
  const { health, ownedTotal, events, object: whole } = query.data
  const metadata = whole['metadata'] as { creationTimestamp?: string } | undefined
  return (
    <>
      {health ? <HealthStatus health={health} variant="badge" /> : null}
      {health?.detail ? <p className="text-text-2">{health.detail}</p> : null}
      <Facts
        facts={[
          { label: 'Kind', value: kind },
          ...(object.namespace ? [{ label: 'Namespace', value: object.namespace }] : []),
          { label: 'Cluster', value: cluster },
          { label: 'Created', value: <RelativeTime at={metadata?.creationTimestamp ?? null} /> },
          ...(ownedTotal > 0 ? [{ label: 'Owns', value: formatCount(ownedTotal, 'object') }] : []),
          { label: 'Events', value: events.length === 0 ? 'none' : String(events.length) },
        ]}
      />
    </>
  )
}

export function ObjectActions({ item: { object }, onChoose, onOpen }: ActionsProps<Item>) {
  return (
    <>
      <Button variant="primary" onClick={onChoose}>
        Open {object.kind}
      </Button>
      <Button onClick={() => onOpen(objectPath(object, 'yaml'))}>YAML</Button>
      <Button onClick={() => onOpen(clusterHref(object.clusterId))}>Open cluster</Button>
    </>
  )
}
