import type { Cluster } from '../api/context.ts'
import { equal } from '../json.ts'
import { podRequests } from '../nodes/requests.ts'
import { formatQuantity, quantity } from '../quantity.ts'
import { forbidden } from '../status-error.ts'
import {
  claims,
  limitRanges,
  pods,
  quotas,
  services,
  type Container,
  type KubeObject,
  type PersistentVolumeClaim,
  type Pod,
  type ResourceQuota,
  type Service,
} from '../types.ts'
import { runController, type Controller } from './controller.ts'

type Amounts = Record<string, number>

function podCost(pod: Pod): Amounts {
  if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return {}
  const cost: Amounts = { pods: 1 }
  for (const [name, value] of Object.entries(podRequests(pod.spec))) {
    cost[`requests.${name}`] = value
    cost[name] = value
  }
  for (const { resources } of pod.spec.containers) {
    for (const [name, value] of Object.entries(resources?.limits ?? {})) {
      cost[`limits.${name}`] = (cost[`limits.${name}`] ?? 0) + quantity(value)
    }
  }
  return cost
}

/** What an object counts for in a quota, by the names that quotas use. */
function costOf(kind: string, object: unknown): Amounts {
  const [resource = '', ...group] = kind.split('.')
  const counted: Amounts = { [group.length > 0 ? `count/${kind}` : `count/${resource}`]: 1 }
  // The kind says which type its objects have.
  if (kind === pods.key) return { ...counted, ...podCost(object as Pod) }
  if (kind === services.key) {
    const { spec } = object as Service
    const ports = spec.type === 'NodePort' || spec.type === 'LoadBalancer' ? (spec.ports?.length ?? 0) : 0
    return {
      ...counted,
      services: 1,
      'services.nodeports': ports,
      'services.loadbalancers': spec.type === 'LoadBalancer' ? 1 : 0,
    }
  }
  if (kind === claims.key) {
    const { spec } = object as PersistentVolumeClaim
    return {
      ...counted,
      persistentvolumeclaims: 1,
      'requests.storage': quantity(spec.resources?.requests?.['storage']),
    }
  }
  if (['configmaps', 'secrets', 'replicationcontrollers', 'resourcequotas'].includes(kind))
    return { ...counted, [resource]: 1 }
  return counted
}

function kindsFor(name: string): string[] {
  if (name.startsWith('count/')) return [name.slice('count/'.length)]
  if (name.startsWith('services')) return [services.key]
  if (name === 'persistentvolumeclaims' || name === 'requests.storage') return [claims.key]
  if (['configmaps', 'secrets', 'replicationcontrollers', 'resourcequotas'].includes(name)) return [name]
  return [pods.key]
}

function usedBy({ store }: Cluster, quota: ResourceQuota): Record<string, string> {
  const used: Record<string, string> = {}
  for (const name of Object.keys(quota.spec.hard ?? {})) {
    let sum = 0
    for (const kind of kindsFor(name)) {
      for (const object of store.all(kind, quota.metadata.namespace)) sum += costOf(kind, object)[name] ?? 0
    }
    used[name] = formatQuantity(name, sum)
  }
  return used
}

function applyLimits(cluster: Cluster, pod: Pod): void {
  for (const range of cluster.store.list(limitRanges, pod.metadata.namespace)) {
    for (const item of range.spec.limits) {
      if (item.type !== 'Container') continue
      for (const container of [...(pod.spec.initContainers ?? []), ...pod.spec.containers])
        limitContainer(container, item)
    }
  }
}

type LimitItem = { default?: Record<string, string>; defaultRequest?: Record<string, string> }

function limitContainer(container: Container, item: LimitItem): void {
  const resources = (container.resources ??= {})
  const { limits = {}, requests = {} } = resources
  for (const [name, value] of Object.entries(item.default ?? {})) limits[name] ??= value
  for (const [name, value] of Object.entries(item.defaultRequest ?? {})) requests[name] ??= value
  for (const [name, value] of Object.entries(item.default ?? {})) requests[name] ??= value
  if (Object.keys(limits).length > 0) resources.limits = limits
  if (Object.keys(requests).length > 0) resources.requests = requests
}

function limitProblems(cluster: Cluster, pod: Pod): string[] {
  const problems: string[] = []
  for (const range of cluster.store.list(limitRanges, pod.metadata.namespace)) {
    for (const item of range.spec.limits) {
      if (item.type !== 'Container') continue
      for (const { resources } of pod.spec.containers) {
        for (const [name, most] of Object.entries(item.max ?? {})) {
          const limit = resources?.limits?.[name]
          if (limit === undefined)
            problems.push(`maximum ${name} usage per Container is ${most}.  No limit is specified`)
          else if (quantity(limit) > quantity(most))
            problems.push(`maximum ${name} usage per Container is ${most}, but limit is ${limit}`)
        }
        for (const [name, least] of Object.entries(item.min ?? {})) {
          const request = resources?.requests?.[name]
          if (request === undefined)
            problems.push(`minimum ${name} usage per Container is ${least}.  No request is specified`)
          else if (quantity(request) < quantity(least))
            problems.push(`minimum ${name} usage per Container is ${least}, but request is ${request}`)
        }
      }
    }
  }
  return problems
}

function checkQuotas(
  cluster: Cluster,
  kind: string,
  object: KubeObject,
  named: { group: string; resource: string; kind: string },
): void {
  const cost = costOf(kind, object)
  for (const quota of cluster.store.list(quotas, object.metadata.namespace)) {
    const hard = quota.spec.hard ?? {}
    const over = Object.keys(hard).filter((name) => kindsFor(name).includes(kind))
    if (over.length === 0) continue
    const missing = over.filter(
      (name) =>
        kind === pods.key && /^(limits\.|requests\.|cpu$|memory$)/.test(name) && cost[name] === undefined,
    )
    if (missing.length > 0) {
      throw forbidden(
        named,
        object.metadata.name,
        `failed quota: ${quota.metadata.name}: must specify ${missing.toSorted().join(',')} for: ${containerNames(object)}`,
      )
    }
    const used = usedBy(cluster, quota)
    const full = over.filter(
      (name) =>
        (cost[name] ?? 0) > 0 && quantity(used[name]) + (cost[name] ?? 0) > quantity(hard[name]) + 1e-9,
    )
    if (full.length === 0) continue
    const text = (of: (name: string) => string) => full.map((name) => `${name}=${of(name)}`).join(',')
    const requested = text((name) => formatQuantity(name, cost[name] ?? 0))
    throw forbidden(
      named,
      object.metadata.name,
      `exceeded quota: ${quota.metadata.name}, requested: ${requested}, used: ${text((name) => used[name] ?? '0')}, limited: ${text((name) => hard[name] ?? '0')}`,
    )
  }
}

function containerNames(object: unknown): string {
  return (object as Pod).spec.containers.map((one) => one.name).join(',')
}

/** Refuses what goes over a namespace's quota or limits, and keeps count of what is used. */
export function runQuotas(cluster: Cluster): Controller {
  const { store, resources } = cluster
  resources.admit((operation, kind, object, _old, { subresource }) => {
    if (operation !== 'create' || subresource !== undefined || !kind.namespaced) return
    if (kind.key === pods.key) {
      const pod = object as unknown as Pod
      applyLimits(cluster, pod)
      const [problem] = limitProblems(cluster, pod)
      if (problem !== undefined) throw forbidden(kind, object.metadata.name, problem)
    }
    if (store.count(quotas.key) > 0) checkQuotas(cluster, kind.key, object, kind)
  })
  return runController(cluster, {
    kind: quotas,
    watches: [
      {
        kind: { key: '*' },
        keys({ type, kind, object }) {
          const isCounted =
            type !== 'MODIFIED' || kind === pods.key || kind === claims.key || kind === services.key
          if (!isCounted || kind === quotas.key || store.count(quotas.key) === 0) return []
          const own = store.list(quotas, object.metadata.namespace ?? '')
          return own.map((quota) => `${quota.metadata.namespace}/${quota.metadata.name}`)
        },
      },
    ],
    sync(quota) {
      const used = usedBy(cluster, quota)
      if (equal(quota.status?.used, used) && equal(quota.status?.hard, quota.spec.hard)) return
      resources.changeStatus(quotas, quota, (draft) => {
        draft.status = { hard: quota.spec.hard, used }
      })
    },
  })
}
