import { plain, type Json, type JsonObject } from '../json.ts'
import type { Kind } from '../registry/kind.ts'
import { compareVersions } from '../registry/versions.ts'
import type { Registry } from '../registry/registry.ts'

type GroupVersion = { group: string; version: string; kinds: Kind[] }

// metrics.k8s.io is computed, not stored, so it is not in the registry.
const metricsKinds: JsonObject[] = [
  { name: 'nodes', singularName: '', namespaced: false, kind: 'NodeMetrics', verbs: ['get', 'list'] },
  { name: 'pods', singularName: '', namespaced: true, kind: 'PodMetrics', verbs: ['get', 'list'] },
]

function groupVersions(registry: Registry): GroupVersion[] {
  const found = new Map<string, GroupVersion>()
  for (const kind of registry.all()) {
    const id = `${kind.group}/${kind.version}`
    const entry = found.get(id) ?? { group: kind.group, version: kind.version, kinds: [] }
    entry.kinds.push(kind)
    found.set(id, entry)
  }
  return [...found.values()]
}

function groups(registry: Registry): Map<string, GroupVersion[]> {
  const result = new Map<string, GroupVersion[]>()
  for (const entry of groupVersions(registry)) {
    if (entry.group === '') continue
    result.set(entry.group, [...(result.get(entry.group) ?? []), entry])
  }
  for (const list of result.values()) {
    list.sort((a, b) => compareVersions(a.version, b.version))
  }
  return result
}

type Subresource = { name: string; kind: string; group?: string; version?: string; verbs: readonly string[] }

function subresourcesOf(kind: Kind): Subresource[] {
  const list: Subresource[] = [...(kind.subresources ?? [])]
  const verbs = ['get', 'patch', 'update']
  if (kind.hasStatus) list.push({ name: 'status', kind: kind.kind, verbs })
  if (kind.scale) list.push({ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs })
  return list.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function legacyResources(kind: Kind): JsonObject[] {
  return [
    {
      name: kind.resource,
      singularName: kind.singular,
      namespaced: kind.namespaced,
      kind: kind.kind,
      verbs: [...kind.verbs],
      ...(kind.shortNames.length > 0 ? { shortNames: [...kind.shortNames] } : {}),
      ...(kind.categories.length > 0 ? { categories: [...kind.categories] } : {}),
    },
    ...subresourcesOf(kind).map((sub) => ({
      name: `${kind.resource}/${sub.name}`,
      singularName: '',
      namespaced: kind.namespaced,
      ...(sub.group === undefined ? {} : { group: sub.group, version: sub.version }),
      kind: sub.kind,
      verbs: [...sub.verbs],
    })),
  ]
}

function responseKind(group: string, version: string, kind: string): JsonObject {
  return { group, version, kind }
}

function aggregatedResource(kind: Kind): JsonObject {
  return {
    resource: kind.resource,
    responseKind: responseKind(kind.group, kind.version, kind.kind),
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: [...kind.verbs],
    ...(kind.shortNames.length > 0 ? { shortNames: [...kind.shortNames] } : {}),
    ...(kind.categories.length > 0 ? { categories: [...kind.categories] } : {}),
    subresources: subresourcesOf(kind).map((sub) => ({
      subresource: sub.name,
      responseKind: responseKind(sub.group ?? kind.group, sub.version ?? kind.version, sub.kind),
      verbs: [...sub.verbs],
    })),
  }
}

function aggregatedVersion({ version, kinds }: GroupVersion): JsonObject {
  return { version, freshness: 'Current', resources: kinds.map(aggregatedResource) }
}

function metricsVersion(): JsonObject {
  const resources = metricsKinds.map((one) => ({
    resource: one['name'],
    responseKind: responseKind('metrics.k8s.io', 'v1beta1', plain(one['kind'])),
    scope: one['namespaced'] === true ? 'Namespaced' : 'Cluster',
    singularResource: '',
    verbs: one['verbs'],
  }))
  return { version: 'v1beta1', freshness: 'Current', resources }
}

/** The content type of aggregated discovery, which clients want echoed to the letter. */
export function aggregatedType(accept: string | undefined): string | undefined {
  for (const version of ['v2', 'v2beta1']) {
    const type = `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
    if (accept?.replaceAll(' ', '').includes(type)) return type
  }
  return undefined
}

export function aggregatedDiscovery(registry: Registry, path: '/api' | '/apis', type: string): JsonObject {
  const items: Json[] = []
  if (path === '/api') {
    const core = groupVersions(registry).find((entry) => entry.group === '')
    items.push({
      metadata: { name: '', creationTimestamp: null },
      versions: core ? [aggregatedVersion(core)] : [],
    })
  } else {
    for (const [group, versions] of groups(registry)) {
      items.push({
        metadata: { name: group, creationTimestamp: null },
        versions: versions.map(aggregatedVersion),
      })
    }
    items.push({
      metadata: { name: 'metrics.k8s.io', creationTimestamp: null },
      versions: [metricsVersion()],
    })
  }
  const version = type.includes('v2beta1') ? 'v2beta1' : 'v2'
  return { kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${version}`, metadata: {}, items }
}

function groupObject(name: string, versions: readonly string[]): JsonObject {
  const list = versions.map((version) => ({ groupVersion: `${name}/${version}`, version }))
  return { name, versions: list, preferredVersion: list[0] }
}

export function apiVersions(): JsonObject {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] }
}

export function apiGroups(registry: Registry): JsonObject {
  const list = [...groups(registry)].map(([name, versions]) =>
    groupObject(
      name,
      versions.map((one) => one.version),
    ),
  )
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [...list, groupObject('metrics.k8s.io', ['v1beta1'])],
  }
}

export function apiGroup(registry: Registry, name: string): JsonObject | undefined {
  const head = { kind: 'APIGroup', apiVersion: 'v1' }
  if (name === 'metrics.k8s.io') return { ...head, ...groupObject(name, ['v1beta1']) }
  const versions = groups(registry).get(name)
  return (
    versions && {
      ...head,
      ...groupObject(
        name,
        versions.map((one) => one.version),
      ),
    }
  )
}

export function apiResources(registry: Registry, group: string, version: string): JsonObject | undefined {
  const head = {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: group ? `${group}/${version}` : version,
  }
  if (group === 'metrics.k8s.io' && version === 'v1beta1') return { ...head, resources: metricsKinds }
  const found = groupVersions(registry).find((entry) => entry.group === group && entry.version === version)
  return found && { ...head, resources: found.kinds.flatMap(legacyResources) }
}
