import { stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import { apiServices, definitions } from '../types.ts'
import type { Controller } from './controller.ts'
import { withCondition } from './conditions.ts'

const metrics = { name: 'metrics-server', namespace: 'kube-system' }
const metricsGroup = 'metrics.k8s.io'

/** Keeps an APIService for every group and version that is served, as a real control plane does. */
export function runApiServices(cluster: Cluster): Controller {
  const { store, registry, resources, clock } = cluster

  function keep(group: string, version: string): string {
    const name = `${version}.${group}`
    if (store.get(apiServices, undefined, name)) return name
    const isMetrics = group === metricsGroup
    const spec = {
      group,
      version,
      groupPriorityMinimum: isMetrics ? 100 : group === '' ? 18_000 : 17_000,
      versionPriority: isMetrics ? 100 : version === 'v1' || version === 'v2' ? 15 : 9,
      ...(isMetrics ? { service: { ...metrics, port: 443 }, insecureSkipTLSVerify: true } : {}),
    }
    const made = resources.make<{ metadata: { name: string; uid: string } }>(
      { key: apiServices.key },
      undefined,
      {
        metadata: {
          name,
          ...(isMetrics ? {} : { labels: { 'kube-aggregator.kubernetes.io/automanaged': 'onstart' } }),
        },
        spec,
      },
    )
    resources.changeStatus(
      apiServices,
      { metadata: { ...made.metadata, resourceVersion: '', creationTimestamp: '' } },
      (draft) => {
        const condition = isMetrics
          ? { reason: 'Passed', message: 'all checks passed' }
          : { reason: 'Local', message: 'Local APIServices are always available' }
        const lastTransitionTime = stamp(clock.now())
        draft['status'] = {
          conditions: withCondition(
            [],
            { type: 'Available', status: 'True', ...condition, lastTransitionTime },
            clock.now(),
          ),
        }
      },
    )
    return name
  }

  function keepAll(): void {
    const wanted = new Set([keep(metricsGroup, 'v1beta1')])
    for (const { group, version } of registry.all()) wanted.add(keep(group, version))
    for (const { metadata } of store.list(apiServices)) {
      const isOurs = metadata.labels?.['kube-aggregator.kubernetes.io/automanaged'] !== undefined
      if (isOurs && !wanted.has(metadata.name)) store.remove(apiServices.key, undefined, metadata.name)
    }
  }

  let seen = -1
  const check = () => {
    if (registry.version === seen) return
    seen = registry.version
    keepAll()
  }
  check()
  // Definitions make and unmake groups; their controller has the first look.
  const stop = store.subscribe(definitions.key, () => clock.soon(check))
  return { stop }
}
