import { kubernetesPath } from '@bey/contract'
import type { KubernetesRequest } from '../../../data/kubernetes-proxy.ts'

interface Kept {
  apiVersion?: string
  metadata?: { name?: string; namespace?: string }
}

/**
 * The request that brings an object back to a kept version. With the object as it is now, it is replaced, and the
 * cluster refuses if it changed since; without one it is created.
 */
export function revertRequest(
  kept: Record<string, unknown>,
  /** As kubectl names it: `deployments.apps`. */
  resource: string,
  live?: unknown,
): KubernetesRequest {
  const { apiVersion = 'v1', metadata = {} }: Kept = kept
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const [plural = ''] = resource.split('.')
  const at = { group: group ?? '', version: version ?? '', plural }
  const { namespace = '', name = '' } = metadata
  if (live === undefined) {
    return { method: 'POST', path: kubernetesPath(at, namespace), body: withoutOwnAddress(kept) }
  }
  const { resourceVersion } = (live as { metadata?: { resourceVersion?: string } }).metadata ?? {}
  return {
    method: 'PUT',
    path: kubernetesPath(at, namespace, name),
    body: { ...kept, metadata: { ...metadata, resourceVersion } },
  }
}

/** Of a service, the address that it had: the cluster may have given it to another one. */
function withoutOwnAddress(kept: Record<string, unknown>): Record<string, unknown> {
  if (kept['kind'] !== 'Service') return kept
  const { clusterIP: _ip, clusterIPs: _ips, ...spec } = (kept['spec'] ?? {}) as Record<string, unknown>
  return { ...kept, spec }
}
