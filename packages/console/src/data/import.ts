import type { CallInput, CallOutput, ClusterConnectionFacts } from '@bey/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, apiPath, apiQuery, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export type ReadKubeconfig = CallOutput<'kubeconfig.read'>
export type TestedContext = CallOutput<'kubeconfig.test'>
export type ContextToTest = NonNullable<CallInput<'kubeconfig.test'>['body']>
export type ClustersToImport = NonNullable<CallInput<'kubeconfig.import'>['body']>
export type NewCredentials = NonNullable<CallInput<'clusters.replaceCredentials'>['body']>

/** What stands in a kubeconfig; nothing is kept of it. */
export function useReadKubeconfig() {
  return useMutation({
    mutationFn: (kubeconfig: string) => api.call('kubeconfig.read', { body: { kubeconfig } }),
  })
}

/** Connects as one context says. Not cached: the question holds credentials. */
export function testContext(body: ContextToTest): Promise<TestedContext> {
  return api.call('kubeconfig.test', { body })
}

/** Imports clusters, all or none. */
export function useImportClusters() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: (body: ClustersToImport) => api.call('kubeconfig.import', { body }),
    onSuccess: () => refetchBelow(cache, organizationId, apiPath('clusters.list')),
  })
}

/** How the server reaches a cluster, and what its last test found. */
export function useClusterConnection(id: number) {
  return useQuery(apiQuery(useOrganizationId(), 'clusters.connection', { params: { id } }))
}

export function useTestConnection(id: number) {
  const onSuccess = useConnectionChange(id)
  return useMutation({
    mutationFn: () => api.call('clusters.testConnection', { params: { id } }),
    onSuccess,
  })
}

export function useReplaceCredentials(id: number) {
  const onSuccess = useConnectionChange(id)
  return useMutation({
    mutationFn: (body: NewCredentials) => api.call('clusters.replaceCredentials', { params: { id }, body }),
    onSuccess,
  })
}

export function useChooseNamespaces(id: number) {
  const onSuccess = useConnectionChange(id)
  return useMutation({
    mutationFn: (namespaces: string[] | null) =>
      api.call('clusters.chooseNamespaces', { params: { id }, body: { namespaces } }),
    onSuccess,
  })
}

// What is read of the cluster may be other objects now, or be read under another name.
function useConnectionChange(id: number) {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return (facts: ClusterConnectionFacts) => {
    refetchBelow(cache, organizationId, apiPath('clusters.get', { id }))
    cache.setQueryData(apiKey(organizationId, 'clusters.connection', { params: { id } }), facts)
  }
}
