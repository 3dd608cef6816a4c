import type { CallInput, CallOutput, Cluster, HealthState, LiveEvents } from '@bey/contract'
import { applyProvisioning, healthRank } from '@bey/contract'
import type { QueryKey } from '@tanstack/react-query'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { log } from '../lib/log.ts'
import { apiKey, apiPath, apiQuery, refetchBelow } from './api-query.ts'
import { changeHeld } from './change-held.ts'
import type { LiveReducers } from './live.ts'
import { refetchSoon } from './refetch-later.ts'
import { setOrganizationHealth } from './organization-health.ts'
import { useOrganizationId } from './session.ts'

export type ClusterList = CallOutput<'clusters.list'>
export type ClusterListQuery = NonNullable<CallInput<'clusters.list'>['query']>
export type ClusterChange = NonNullable<CallInput<'clusters.update'>['body']>
export type NewCluster = NonNullable<CallInput<'clusters.create'>['body']>

const clustersPath = apiPath('clusters.list')
const clusterPath = (id: number) => apiPath('clusters.get', { id })

export function useClusters(query: ClusterListQuery) {
  const organizationId = useOrganizationId()
  return useQuery({
    ...apiQuery(organizationId, 'clusters.list', { query }),
    placeholderData: keepPreviousData,
  })
}

export function useCluster(id: number | undefined) {
  const organizationId = useOrganizationId()
  return useQuery({
    ...apiQuery(organizationId, 'clusters.get', { params: { id: id ?? 0 } }),
    enabled: id !== undefined,
  })
}

/** Creates a cluster; its provisioning starts at once. */
export function useCreateCluster() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: (body: NewCluster) => api.call('clusters.create', { body }),
    onSuccess: (cluster) => {
      cache.setQueryData(apiKey(organizationId, 'clusters.get', { params: { id: cluster.id } }), cluster)
      void cache.invalidateQueries({ queryKey: [clustersPath, organizationId] })
    },
  })
}

/** Changes what a cluster is called, its description or its labels. */
export function useUpdateCluster(id: number) {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: (body: ClusterChange) => api.call('clusters.update', { params: { id }, body }),
    onSuccess: (cluster) => {
      cache.setQueryData(apiKey(organizationId, 'clusters.get', { params: { id } }), cluster)
      void cache.invalidateQueries({ queryKey: [clustersPath, organizationId] })
    },
  })
}

/** Starts the deletion of a cluster and shows at once that an operation is under way. */
export function useDeleteCluster() {
  const settle = useClusterOperation()
  return useMutation({
    mutationFn: (id: number) => api.call('clusters.delete', { params: { id } }),
    onSettled: (_run, _error, id) => settle(id),
  })
}

/** Provisions a pending or failed cluster again. */
export function useProvisionCluster() {
  const settle = useClusterOperation()
  return useMutation({
    mutationFn: ({ id, mode }: { id: number; mode: 'from_start' | 'from_failed' }) =>
      api.call('clusters.provision', { params: { id }, query: { mode } }),
    onSettled: (_run, _error, { id }) => settle(id),
  })
}

// Whatever an operation answered, what it did to the cluster is the server's to say.
function useClusterOperation() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return async (id: number) => {
    void cache.invalidateQueries({ queryKey: [clustersPath, organizationId] })
    await cache.invalidateQueries({ queryKey: [clusterPath(id), organizationId] })
  }
}

/** A kubeconfig with a new token; `hours` is 1 to 168. Answers YAML. */
export function useKubeconfig() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: ({ id, hours }: { id: number; hours: number }) =>
      api.call('clusters.kubeconfig', { params: { id }, query: { expires_in_hours: hours } }),
    onSuccess: (_yaml, { id }) =>
      void cache.invalidateQueries({ queryKey: [apiPath('clusters.tokens', { id }), organizationId] }),
  })
}

export function useRevokeToken(id: number) {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: (tokenId: string) => api.call('clusters.revokeToken', { params: { id, tokenId } }),
    onSettled: () =>
      cache.invalidateQueries({ queryKey: [apiPath('clusters.tokens', { id }), organizationId] }),
  })
}

type ProvisioningUpdate = LiveEvents['CLUSTER_PROVISIONING_UPDATE']

/** A cluster after a provisioning update of its own or of another one, which leaves it as it is. */
export function clusterAfter(cluster: Cluster, update: ProvisioningUpdate): Cluster {
  if (cluster.id !== update.clusterId) return cluster
  const isOver = update.status === 'COMPLETED' || update.status === 'DELETED'
  return {
    ...applyProvisioning(cluster, update),
    error: isOver ? null : (update.error ?? (update.status === 'FAILED' ? cluster.error : null)),
    lastRun: update.runId ? { workflowId: update.workflowId, runId: update.runId } : cluster.lastRun,
  }
}

/** A list after a provisioning update: a deleted cluster leaves it, unless it lists the deleted ones. */
export function clustersAfter(
  list: ClusterList,
  query: ClusterListQuery | undefined,
  update: ProvisioningUpdate,
): ClusterList {
  if (!list.clusters.some((cluster) => cluster.id === update.clusterId)) return list
  if (update.status === 'DELETED' && query?.status !== 'DELETED') {
    const clusters = list.clusters.filter((cluster) => cluster.id !== update.clusterId)
    return { ...list, clusters, total: Math.max(0, list.total - 1) }
  }
  return { ...list, clusters: list.clusters.map((cluster) => clusterAfter(cluster, update)) }
}

/** Whether a list is what CLUSTERS_UPDATE carries: the first page, unfiltered, newest first. */
export function isFirstPage(query: ClusterListQuery | undefined): boolean {
  const { page = 1, limit = 50, search, status, health, sort = 'createdAt', order = 'desc' } = query ?? {}
  return (
    Number(page) === 1 &&
    Number(limit) === 50 &&
    !search &&
    !status &&
    !health &&
    sort === 'createdAt' &&
    order === 'desc'
  )
}

/** Of the clusters that run; one that is being made or deleted is no trouble. */
function worstHealth(clusters: readonly Cluster[]): HealthState {
  return clusters
    .filter(({ status }) => status === 'RUNNING')
    .map(({ health }) => health.state)
    .reduce<HealthState>((worst, state) => (healthRank(state) < healthRank(worst) ? state : worst), 'healthy')
}

const queryOf = (key: QueryKey) => key[2] as ClusterListQuery | undefined

export const clusterReducers: Pick<LiveReducers, 'CLUSTER_PROVISIONING_UPDATE' | 'CLUSTERS_UPDATE'> = {
  CLUSTER_PROVISIONING_UPDATE: (cache, { data, organizationId }) => {
    if (data.status === 'FAILED' && data.error) {
      log('warning', `Provisioning of cluster ${data.clusterId} failed`, {
        error: data.error,
        runId: data.runId,
      })
    }
    changeHeld<ClusterList>(cache, [clustersPath, organizationId], (list, key) =>
      clustersAfter(list, queryOf(key), data),
    )
    changeHeld<Cluster>(cache, [clusterPath(data.clusterId), organizationId], (cluster) =>
      clusterAfter(cluster, data),
    )
    // A step in between changes only what the event says; at the end of an operation everything may be different.
    if (data.status === 'COMPLETED' || data.status === 'FAILED' || data.status === 'DELETED') {
      refetchBelow(cache, organizationId, clusterPath(data.clusterId))
      refetchSoon(cache, apiKey(organizationId, 'analytics.dashboard'))
    }
  },
  // Published when the health of a cluster changes, too.
  CLUSTERS_UPDATE: (cache, { data, organizationId }) => {
    setOrganizationHealth(organizationId, worstHealth(data.clusters))
    refetchSoon(cache, apiKey(organizationId, 'analytics.dashboard'))
    changeHeld<ClusterList>(cache, [clustersPath, organizationId], (list, key, readAgain) => {
      if (isFirstPage(queryOf(key))) return { ...list, ...data }
      readAgain()
      return list
    })
    for (const cluster of data.clusters) {
      changeHeld<Cluster>(cache, [clusterPath(cluster.id), organizationId], () => cluster)
    }
  },
}
