import type { QueryClient } from '@tanstack/react-query'
import { sendToCluster } from './kubernetes-proxy.ts'

/** Custom resources come and go; what stands under one hash never changes. */
const indexKeptMs = 30_000
const documentKeptMs = 30 * 60_000

/**
 * The OpenAPI v3 document of one group and version as the cluster serves it now, cached by its hash; undefined where the
 * cluster does not serve that version. Throws KubernetesError.
 */
export async function readOpenApi(
  cache: QueryClient,
  {
    organizationId,
    clusterId,
    apiVersion,
  }: { organizationId: number; clusterId: number; apiVersion: string },
): Promise<unknown> {
  const index = await cache.query({
    queryKey: ['open-api', organizationId, clusterId],
    queryFn: ({ signal }) => sendToCluster(clusterId, { method: 'GET', path: '/openapi/v3' }, signal),
    staleTime: indexKeptMs,
    retry: false,
  })
  const { paths = {} } = asIndex(index)
  const path = paths[apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`]?.serverRelativeURL
  if (path === undefined) return undefined
  return cache.query({
    queryKey: ['open-api', organizationId, clusterId, path],
    queryFn: ({ signal }) => sendToCluster(clusterId, { method: 'GET', path }, signal),
    staleTime: documentKeptMs,
    gcTime: documentKeptMs,
    retry: false,
    // Comparing it with the one before would take longer than reading it.
    structuralSharing: false,
  })
}

/** Its shape is Kubernetes': `/openapi/v3` lists a path for each group and version. */
function asIndex(index: unknown) {
  return index as { paths?: Record<string, { serverRelativeURL?: string }> }
}
