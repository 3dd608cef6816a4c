import type { CallInput } from '@bey/contract'
import { isMeasuredStorage, noNamespace } from '@bey/contract'
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query'
import { apiKey, apiPath, apiQuery, refetch, refetchBelow } from './api-query.ts'
import { refetchAtMost, refetchSoon } from './refetch-later.ts'
import type { LiveReducers } from './live.ts'
import { useOrganizationId } from './session.ts'

/** Read of namespaces with what is in them, as opposed to their names alone. */
const namespaceFigures = 'figures of namespaces'

type QueryOf<
  N extends 'kubernetes.nodes' | 'kubernetes.pods' | 'kubernetes.workloads' | 'kubernetes.events',
> = NonNullable<CallInput<N>['query']>

export type NodeQuery = QueryOf<'kubernetes.nodes'>
export type PodQuery = QueryOf<'kubernetes.pods'>
export type WorkloadQuery = QueryOf<'kubernetes.workloads'>
export type EventQuery = QueryOf<'kubernetes.events'>

/** An event says when the rest of a list has been read; should it be missed, the list does not stay cut. */
const untilWhole = {
  refetchInterval: ({ state }: { state: { data?: { isPartial: boolean } | undefined } }) =>
    state.data?.isPartial ? 1_000 : (false as const),
}

/** Figures of one cluster; not asked while `isEnabled` is false, for a cluster that does not run has none. */
export function useClusterOverview(id: number, isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.overview', { params: { id } }),
    enabled: isEnabled,
  })
}

export function useNodes(id: number, query: NodeQuery, isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.nodes', { params: { id }, query }),
    enabled: isEnabled,
    ...untilWhole,
    placeholderData: keepPreviousData,
  })
}

/** The namespaces of a cluster by name, at most 200: enough to choose from, the filter finds the rest. */
export function useNamespaces(id: number, isEnabled = true) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.namespaces', { params: { id }, query: namesQuery }),
    enabled: isEnabled,
    ...untilWhole,
  })
}

/** The same with the health of each and its count of pods, which change with what is in them. */
export function useNamespaceFigures(id: number) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.namespaces', { params: { id }, query: figuresQuery }),
    ...untilWhole,
  })
}

const namesQuery = { limit: 200 }
const figuresQuery = { limit: 200, sort: 'name' } as const

export function usePods(id: number, query: PodQuery, isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.pods', { params: { id }, query }),
    enabled: isEnabled,
    ...untilWhole,
    placeholderData: keepPreviousData,
  })
}

export function useWorkloads(id: number, query: WorkloadQuery, isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.workloads', { params: { id }, query }),
    enabled: isEnabled,
    ...untilWhole,
    placeholderData: keepPreviousData,
  })
}

export function useKubernetesEvents(id: number, query: EventQuery, isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.events', { params: { id }, query }),
    enabled: isEnabled,
    ...untilWhole,
    placeholderData: keepPreviousData,
  })
}

const workloadReads = ['workloads', 'overview', namespaceFigures]

/** What a cluster serves; custom resources come and go. */
export function useResources(id: number, isEnabled = true) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.resources', { params: { id } }),
    enabled: isEnabled,
  })
}

const measuredEveryMs = 60_000
/** What volumes hold changes without an event; the server measures it once a minute for everybody. */
const measuredAgain = {
  refetchInterval: (query: Parameters<typeof untilWhole.refetchInterval>[0]) =>
    untilWhole.refetchInterval(query) || measuredEveryMs,
}

export type ObjectQuery = NonNullable<CallInput<'kubernetes.objects'>['query']>

export function useObjects(id: number, resource: string, query: ObjectQuery, isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.objects', { params: { id, resource }, query }),
    enabled: isEnabled && resource !== '',
    ...(isMeasuredStorage(resource) ? measuredAgain : untilWhole),
    placeholderData: (before) => (before?.resource.resource === resource ? before : undefined),
  })
}

export function useObject(params: { id: number; resource: string; namespace: string; name: string }) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.object', { params }),
    ...(isMeasuredStorage(params.resource) ? { refetchInterval: measuredEveryMs } : {}),
  })
}

/** One node with its pods and what they use; use changes without an event. */
export function useNode(id: number, name: string) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.node', { params: { id, name } }),
    refetchInterval: measuredEveryMs / 4,
  })
}

/** Events about an object and everything that belongs to it, by reason. */
export function useObjectEvents(params: { id: number; resource: string; namespace: string; name: string }) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.objectEvents', { params }),
    ...untilWhole,
    placeholderData: keepPreviousData,
  })
}

/** Why an object fails. Read again when `version` changes, while the last explanation stays. */
export function useDiagnosis(
  id: number,
  { resource, namespace, name }: { resource: string; namespace: string; name: string },
  version: string,
) {
  const params = { id, resource, namespace: namespace || noNamespace, name }
  const { queryKey, queryFn } = apiQuery(useOrganizationId(), 'kubernetes.diagnosis', { params })
  return useQuery({ queryKey: [...queryKey, version], queryFn, placeholderData: keepPreviousData })
}

export type AllWorkloadsQuery = NonNullable<CallInput<'kubernetes.allWorkloads'>['query']>

/** Workloads of all running clusters. */
export function useAllWorkloads(query: AllWorkloadsQuery) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'kubernetes.allWorkloads', { query }),
    ...untilWhole,
    placeholderData: keepPreviousData,
  })
}

export type AllObjectsQuery = NonNullable<CallInput<'kubernetes.allObjects'>['query']>

/** Objects of one resource of all running clusters. */
export function useAllObjects(resource: string, query: AllObjectsQuery) {
  const options = apiQuery(useOrganizationId(), 'kubernetes.allObjects', { params: { resource }, query })
  return useQuery({
    ...options,
    ...(isMeasuredStorage(resource) ? measuredAgain : untilWhole),
    // Another resource has other columns.
    placeholderData: (before, asked) => (asked?.queryKey[0] === options.queryKey[0] ? before : undefined),
  })
}

/** What an object refers to and what refers to it. */
export function useRelated(params: { id: number; resource: string; namespace: string; name: string }) {
  return useQuery(apiQuery(useOrganizationId(), 'kubernetes.related', { params }))
}

/**
 * Which reads of a cluster a changed kind makes old, by the name that `kind` has in the event. The names of namespaces
 * change with namespaces alone: what is chosen from them is not read again at every change of a pod.
 */
const readsOfKind: Readonly<Record<string, readonly string[]>> = {
  nodes: ['nodes', 'overview', 'pods', 'workloads', namespaceFigures],
  namespaces: ['namespaces', 'overview'],
  pods: ['pods', 'overview', 'nodes', namespaceFigures, 'workloads'],
  deployments: workloadReads,
  statefulsets: workloadReads,
  daemonsets: workloadReads,
  replicasets: workloadReads,
  jobs: workloadReads,
  cronjobs: workloadReads,
  claims: ['overview', namespaceFigures],
  events: ['events'],
}

/** The last parts of the paths that are old after these kinds changed; an unknown kind counts in the overview alone. */
export function readsAfter(kinds: readonly string[]): ReadonlySet<string> {
  return new Set(kinds.flatMap((kind) => readsOfKind[kind.toLowerCase()] ?? ['overview']))
}

type ResourceUpdate = { kinds: readonly string[]; objects: Readonly<Record<string, readonly string[]>> }

/** Kinds whose changes show on the pages of what owns them. */
const ownedKinds = new Set(['pods', 'replicasets', 'jobs'])

/**
 * Whether a read below `/objects` is old after an update. `path` is the rest behind `objects/`: a resource, or a
 * resource with namespace and name.
 */
export function isObjectReadOld(path: string, { kinds, objects }: ResourceUpdate): boolean {
  const [resource = '', namespace = '', name = '', part] = path.split('/').map(decodeURIComponent)
  const own = kinds.find((kind) => kind === resource || kindOf(resource) === kind)
  if (name === '') return own !== undefined
  const within = namespace === '-' ? '' : namespace
  if (own !== undefined) {
    const named = objects[own]
    if (!named || named.includes(`${within}/${name}`)) return true
  }
  // Lists of other kinds are behind it: too dear to read again at every change of a pod or an event.
  if (part === 'related') return false
  // What belongs to the object has names of its own.
  if (part === 'events') return kinds.includes('events')
  return kinds.some((kind) => {
    const named = objects[kind]
    // The name of an event begins with the name of its object.
    if (kind === 'events') return !named || named.some((each) => each.split('/')[1]?.startsWith(`${name}.`))
    if (!ownedKinds.has(kind)) return false
    return !named || named.some((each) => each.startsWith(`${within}/${name}-`))
  })
}

/** The name that the server's watch has for a resource of which it keeps more than rows. */
function kindOf(resource: string): string {
  if (resource === 'persistentvolumeclaims') return 'claims'
  if (resource === 'networkpolicies.networking.k8s.io') return 'policies'
  return /^[^.]+\.(apps|batch)$/.test(resource) ? (resource.split('.')[0] ?? '') : resource
}

/** The lists over all clusters that a changed kind makes old: pods decide which claims are used. */
function allObjectsAfter(kind: string): readonly string[] {
  if (kind === 'pods' || kind === 'claims') return ['persistentvolumeclaims']
  if (kind === 'policies') return ['networkpolicies.networking.k8s.io']
  return [kind]
}

/** What the lists of all resources over all clusters are below. */
const allObjectsPath = apiPath('kubernetes.allObjects', { resource: '' }).replace(/\/$/, '')

/** What the lists of hosts, certificates, load balancers and gateways are below, and what they are derived from. */
const ingressLists = apiPath('ingress.hosts').replace(/\/hosts$/, '')
const ingressKinds: ReadonlySet<string> = new Set([
  'ingresses.networking.k8s.io',
  'services',
  'endpointslices.discovery.k8s.io',
  'gateways.gateway.networking.k8s.io',
  'httproutes.gateway.networking.k8s.io',
  'secrets',
])

/** What answers about who reaches whom depend on. They are dear to compute, so that a busy cluster does not set their pace. */
const reachabilityKinds: ReadonlySet<string> = new Set([
  'policies',
  'namespaces',
  'pods',
  'services',
  'nodes',
])
const reachabilityEveryMs = 5_000

function refetchReachability(cache: QueryClient, organizationId: number, path: string): void {
  for (const { queryKey } of cache.getQueryCache().findAll({ type: 'active' })) {
    const [keyPath, keyOrganization] = queryKey
    if (keyOrganization !== organizationId || typeof keyPath !== 'string') continue
    if (keyPath.startsWith(`${path}/`)) refetchAtMost(cache, queryKey, reachabilityEveryMs)
  }
}

const figuresKey = (organizationId: number, id: number) =>
  apiKey(organizationId, 'kubernetes.namespaces', { params: { id }, query: figuresQuery })

export const kubernetesReducers: Pick<LiveReducers, 'CLUSTER_RESOURCE_UPDATE'> = {
  CLUSTER_RESOURCE_UPDATE: (cache, { data, organizationId }) => {
    refetchSoon(cache, apiKey(organizationId, 'resources.list'))
    const cluster = apiPath('clusters.get', { id: data.clusterId })
    // It stopped answering or answers again: nothing that is shown of it says so yet.
    if (data.kinds.length === 0) {
      refetchBelow(cache, organizationId, cluster)
      refetchBelow(cache, organizationId, apiPath('kubernetes.allWorkloads'))
      refetchBelow(cache, organizationId, allObjectsPath)
      refetchBelow(cache, organizationId, ingressLists)
      return
    }
    for (const read of readsAfter(data.kinds)) {
      if (read === namespaceFigures) refetch(cache, { queryKey: figuresKey(organizationId, data.clusterId) })
      else refetchBelow(cache, organizationId, `${cluster}/${read}`)
    }
    const objects = `${cluster}/objects/`
    void cache.invalidateQueries({
      predicate: ({ queryKey: [path, keyOrganization] }) =>
        keyOrganization === organizationId &&
        typeof path === 'string' &&
        path.startsWith(objects) &&
        isObjectReadOld(path.slice(objects.length), data),
    })
    const isOfWorkloads = data.kinds.some((kind) => readsOfKind[kind]?.includes('workloads'))
    if (isOfWorkloads) refetchBelow(cache, organizationId, apiPath('kubernetes.allWorkloads'))
    if (data.kinds.some((kind) => reachabilityKinds.has(kind)))
      refetchReachability(cache, organizationId, `${cluster}/reachability`)
    if (data.kinds.some((kind) => ingressKinds.has(kind))) refetchBelow(cache, organizationId, ingressLists)
    for (const kind of data.kinds) {
      for (const resource of allObjectsAfter(kind))
        refetchBelow(cache, organizationId, apiPath('kubernetes.allObjects', { resource }))
    }
  },
}
