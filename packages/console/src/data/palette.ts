import type { Cluster, FoundObject, IngressHost, LiveEvents, PaletteEntity } from '@bey/contract'
import { applyProvisioning, clusterStatuses, entities } from '@bey/contract'
import type { QueryClient } from '@tanstack/react-query'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { useOrganizationId } from './session.ts'
import { workflowAfter } from './workflows.ts'

type Entities = readonly PaletteEntity[]

/** The number of entities held in the browser and searched while typing; beyond it the server searches too. */
const maxHeld = 2_000
/** Who types faster than this is still typing. */
const typingPauseMs = 150
/** Matches that the server is asked for. */
const foundAtMost = 50

/** Opening the palette again sooner shows the cached entities, updated by the events since. */
const freshMs = 5_000

const entitiesKey = (organizationId: number) => [...apiKey(organizationId, 'palette.list'), 'all']

/** What the organization has, type by type and newest first, up to `maxHeld`. */
export function usePaletteEntities() {
  const organizationId = useOrganizationId()
  return useQuery({
    queryKey: entitiesKey(organizationId),
    queryFn: ({ signal }) => readAll(signal),
    staleTime: freshMs,
    structuralSharing: (last, next) => keepKnown(last as Entities | undefined, next as Entities),
    enabled: organizationId !== 0,
  })
}

/**
 * The list that was read with the entities that are known already, or the known list if nothing has changed: what is
 * made of them is kept. They are flat, so this takes a tenth of the time of the cache's own comparison.
 */
export function keepKnown(last: Entities | undefined, next: Entities): Entities {
  if (last === undefined) return next
  const known = new Map(last.map((entity) => [`${entity.type}:${entity.id}`, entity]))
  const kept = next.map((entity) => {
    const one = known.get(`${entity.type}:${entity.id}`)
    return one && isSame(one, entity) ? one : entity
  })
  const isUnchanged = kept.length === last.length && kept.every((entity, at) => entity === last[at])
  return isUnchanged ? last : kept
}

function isSame(one: PaletteEntity, other: PaletteEntity): boolean {
  for (const key in other) {
    if (one[key as keyof PaletteEntity] !== other[key as keyof PaletteEntity]) return false
  }
  return true
}

async function readAll(signal: AbortSignal): Promise<Entities> {
  const all: PaletteEntity[] = []
  let cursor: string | null = null
  do {
    const query: { cursor?: string } = cursor === null ? {} : { cursor }
    // oxlint-disable-next-line no-await-in-loop -- each page names the next
    const page: { items: PaletteEntity[]; nextCursor: string | null } = await api.call(
      'palette.list',
      { query },
      { signal },
    )
    all.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null && all.length < maxHeld)
  return all
}

const nothing: Entities = []

/** Matches that are not held, found by the server once typing pauses. Asks nothing where everything is held. */
export function useFoundEntities(held: Entities, query: string): { found: Entities; isSearching: boolean } {
  const organizationId = useOrganizationId()
  const isAsked = held.length >= maxHeld && query !== ''
  const { data, isFetching } = useQuery({
    queryKey: [...apiKey(organizationId, 'palette.list'), 'found', query],
    queryFn: async ({ signal }) => {
      await pause(typingPauseMs, signal)
      const { items } = await api.call(
        'palette.list',
        { query: { search: query, limit: foundAtMost } },
        { signal },
      )
      return items
    },
    staleTime: freshMs,
    placeholderData: keepPreviousData,
    enabled: isAsked && organizationId !== 0,
  })
  return { found: isAsked ? (data ?? nothing) : nothing, isSearching: isAsked && isFetching }
}

const noObjects: readonly FoundObject[] = []

/** Objects of all running clusters that the server finds by name and kind, once typing pauses. */
export function useFoundObjects(query: string): { found: readonly FoundObject[]; isSearching: boolean } {
  const organizationId = useOrganizationId()
  const isAsked = query.length >= 2 && query.length <= 100 && organizationId !== 0
  const { data, isFetching } = useQuery({
    queryKey: [...apiKey(organizationId, 'kubernetes.search'), query],
    queryFn: async ({ signal }) => {
      await pause(typingPauseMs, signal)
      const { objects } = await api.call('kubernetes.search', { query: { search: query } }, { signal })
      return objects
    },
    staleTime: freshMs,
    // The palette works without them; what the page of a cluster shows says why it cannot be read.
    retry: false,
    enabled: isAsked,
  })
  return { found: isAsked ? (data ?? noObjects) : noObjects, isSearching: isAsked && isFetching }
}

const noHosts: readonly IngressHost[] = []
/** Hosts that the palette lists at most. */
const hostsAtMost = 8

/** Hosts of ingresses and gateways that the server finds by name, once typing pauses. */
export function useFoundHosts(query: string): { found: readonly IngressHost[]; isSearching: boolean } {
  const organizationId = useOrganizationId()
  const isAsked = query.length >= 2 && query.length <= 100 && organizationId !== 0
  const { data, isFetching } = useQuery({
    queryKey: [...apiKey(organizationId, 'ingress.hosts'), 'found', query],
    queryFn: async ({ signal }) => {
      await pause(typingPauseMs, signal)
      const { hosts } = await api.call(
        'ingress.hosts',
        { query: { search: query, limit: hostsAtMost } },
        { signal },
      )
      // A path for every host has no name by which it could be found.
      return hosts.filter(({ host }) => host !== '')
    },
    staleTime: freshMs,
    // The palette works without them; the page of hosts says why they cannot be read.
    retry: false,
    enabled: isAsked,
  })
  return { found: isAsked ? (data ?? noHosts) : noHosts, isSearching: isAsked && isFetching }
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, durationMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}

/** What is held, and after it what was found beside it. */
export function withFound(held: Entities, found: Entities): Entities {
  if (found.length === 0) return held
  const known = new Set(held.map(({ type, id }) => `${type}:${id}`))
  const others = found.filter(({ type, id }) => !known.has(`${type}:${id}`))
  return others.length === 0 ? held : [...held, ...others]
}

type Touching = 'CLUSTER_PROVISIONING_UPDATE' | 'CLUSTERS_UPDATE' | 'WORKFLOW_UPDATE'

/** Keeps what the palette lists in step, without reading thousands of rows again for each event. */
export const paletteReducers: Pick<LiveReducers, Touching> = {
  CLUSTER_PROVISIONING_UPDATE: (cache, { data, organizationId }) =>
    change(cache, organizationId, (entities) => afterProvisioning(entities, data)),
  CLUSTERS_UPDATE: (cache, { data, organizationId }) =>
    change(cache, organizationId, (entities) => afterClusters(entities, data.clusters)),
  WORKFLOW_UPDATE: (cache, { data, organizationId }) =>
    change(cache, organizationId, (entities) =>
      replace(entities, 'workflow', data.workflowId, (workflow) => {
        const { status, lastRunAt } = workflowAfter({ ...workflow, lastRunAt: workflow.lastUsedAt }, data)
        return { ...workflow, status, lastUsedAt: lastRunAt }
      }),
    ),
}

function change(cache: QueryClient, organizationId: number, next: (entities: Entities) => Entities) {
  cache.setQueryData<Entities>(entitiesKey(organizationId), (entities) => entities && next(entities))
}

function replace(
  entities: Entities,
  type: PaletteEntity['type'],
  id: string,
  next: (entity: PaletteEntity) => PaletteEntity,
): Entities {
  return entities.map((entity) => (entity.type === type && entity.id === id ? next(entity) : entity))
}

function afterProvisioning(
  entities: Entities,
  { clusterId, status }: LiveEvents['CLUSTER_PROVISIONING_UPDATE'],
): Entities {
  const id = String(clusterId)
  if (status === 'DELETED') {
    return entities.filter((entity) => entity.type !== 'cluster' || entity.id !== id)
  }
  return replace(entities, 'cluster', id, (cluster) => {
    const known = clusterStatuses.find((each) => each === cluster.status) ?? 'PENDING'
    const { status: next } = applyProvisioning({ status: known, pending_operations: 0 }, { status })
    return { ...cluster, status: next }
  })
}

/** The newest clusters as the event carries them: known ones are renewed, new ones come first. */
function afterClusters(entities: Entities, clusters: readonly Cluster[]): Entities {
  const updated = new Map(
    clusters
      .filter(({ status }) => status !== 'DELETED')
      .map((cluster) => [String(cluster.id), clusterEntity(cluster)]),
  )
  const renewed = entities.map((entity) => {
    const newer = entity.type === 'cluster' ? updated.get(entity.id) : undefined
    if (newer) updated.delete(entity.id)
    return newer ?? entity
  })
  return [...updated.values(), ...renewed]
}

function clusterEntity(cluster: Cluster): PaletteEntity {
  return {
    id: String(cluster.id),
    type: 'cluster',
    title: entities.cluster.label(cluster),
    subtitle: entities.cluster.subtitle({ ...cluster, nodeCount: cluster.metadata.nodeCount }),
    status: cluster.status,
    health: cluster.health,
    createdAt: cluster.createdAt,
    isReadOnly: false,
    lastUsedAt: null,
  }
}
