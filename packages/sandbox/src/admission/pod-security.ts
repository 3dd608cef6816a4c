import type { Cluster } from '../api/context.ts'
import type { WriteOptions } from '../api/resources.ts'
import { equal, objectAt, type JsonObject } from '../json.ts'
import { field, forbidden, invalid } from '../status-error.ts'
import { namespaces, pods, type KubeObject } from '../types.ts'
import { violationsOf, type Violation } from './pod-security-checks.ts'

const prefix = 'pod-security.kubernetes.io/'
const levels = ['privileged', 'baseline', 'restricted']

const templates: Record<string, string[]> = {
  'deployments.apps': ['spec', 'template', 'spec'],
  'replicasets.apps': ['spec', 'template', 'spec'],
  'statefulsets.apps': ['spec', 'template', 'spec'],
  'daemonsets.apps': ['spec', 'template', 'spec'],
  'jobs.batch': ['spec', 'template', 'spec'],
  'cronjobs.batch': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
  replicationcontrollers: ['spec', 'template', 'spec'],
  podtemplates: ['template', 'spec'],
}

type Mode = 'enforce' | 'warn'

function label(namespace: KubeObject | undefined, mode: Mode): { level: string; version: string } {
  const labels = namespace?.metadata.labels ?? {}
  return {
    level: labels[prefix + mode] ?? 'privileged',
    version: labels[`${prefix}${mode}-version`] ?? 'latest',
  }
}

function sentence(violations: readonly Violation[]): string {
  return violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ')
}

/** Judges pods by the labels of their namespace, as the Pod Security Standards have it. */
export function runPodSecurity(cluster: Cluster): void {
  const { store, resources } = cluster
  resources.admit((operation, kind, object, old, by) => {
    if (operation !== 'create' && operation !== 'update') return
    if (kind.key === namespaces.key) return checkNamespace(cluster, object, old, by)
    const isPod = kind.key === pods.key
    const path = isPod ? ['spec'] : templates[kind.key]
    const isOther = by.subresource !== undefined && by.subresource !== 'ephemeralcontainers'
    if (!path || isOther) return
    const spec = objectAt(object, ...path)
    if (!spec || (old && equal(spec, objectAt(old, ...path)))) return
    const namespace = store.find(namespaces.key, undefined, object.metadata.namespace ?? '')
    const enforced = label(namespace, 'enforce')
    const broken = isPod ? violationsOf(enforced.level, spec) : []
    if (broken.length > 0)
      throw forbidden(
        kind,
        object.metadata.name,
        `violates PodSecurity "${enforced.level}:${enforced.version}": ${sentence(broken)}`,
      )
    const warned = label(namespace, 'warn')
    const doubtful = violationsOf(warned.level, spec)
    if (doubtful.length > 0)
      by.warn?.(`would violate PodSecurity "${warned.level}:${warned.version}": ${sentence(doubtful)}`)
  })
}

function checkNamespace(
  { store, registry }: Cluster,
  namespace: KubeObject,
  old: KubeObject | undefined,
  by: WriteOptions,
): void {
  const { labels = {}, name } = namespace.metadata
  const causes = ['enforce', 'audit', 'warn'].flatMap((mode) => {
    const level = labels[prefix + mode]
    const version = labels[`${prefix}${mode}-version`]
    const path = `metadata.labels[${prefix}${mode}`
    return [
      ...(level === undefined || levels.includes(level)
        ? []
        : [field.invalid(`${path}]`, level, `must be one of ${levels.join(', ')}`)]),
      ...(version === undefined || /^(latest|v1\.(0|[1-9]\d*))$/.test(version)
        ? []
        : [field.invalid(`${path}-version]`, version, 'must be "latest" or "v1.x"')]),
    ]
  })
  if (causes.length > 0) throw invalid(registry.stored(namespaces.key), name, causes)
  const { level, version } = label(namespace, 'enforce')
  if (!old || level === label(old, 'enforce').level) return
  const groups = new Map<string, string[]>()
  for (const pod of store.all(pods.key, name)) {
    const spec: JsonObject = objectAt(pod, 'spec') ?? {}
    const reasons = violationsOf(level, spec)
      .map(({ reason }) => reason)
      .join(', ')
    if (reasons !== '') groups.set(reasons, [...(groups.get(reasons) ?? []), pod.metadata.name])
  }
  if (groups.size === 0) return
  by.warn?.(
    `existing pods in namespace "${name}" violate the new PodSecurity enforce level "${level}:${version}"`,
  )
  for (const [reasons, [first = '', ...others]] of groups) {
    const more = others.length === 1 ? ' (and 1 other pod)' : ` (and ${others.length} other pods)`
    by.warn?.(`${first}${others.length > 0 ? more : ''}: ${reasons}`)
  }
}
