import { endpointName } from '@bey/contract/reachability/endpoint-name'
import type { Endpoint } from '@bey/contract/reachability/endpoint'

const workloads: readonly string[] = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'ReplicaSet',
]

/** The page that says who reaches an object; undefined for kinds that nobody can reach. */
export function reachHref(
  clusterId: number,
  { kind, namespace, name }: { kind: string; namespace: string; name: string },
): string | undefined {
  const endpoint = endpointOf(kind, namespace, name)
  if (endpoint === undefined) return undefined
  const search = new URLSearchParams({ cluster: String(clusterId), to: endpointName(endpoint) })
  return `/networking/reachability?${search.toString()}`
}

function endpointOf(kind: string, namespace: string, name: string): Endpoint | undefined {
  if (kind === 'Pod') return { kind: 'pod', namespace, name }
  if (kind === 'Service') return { kind: 'service', namespace, name }
  if (kind === 'Namespace') return { kind: 'namespace', name }
  return workloads.includes(kind) ? { kind: 'workload', workloadKind: kind, namespace, name } : undefined
}
