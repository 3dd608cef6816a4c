import type { AttentionItem } from '@bey/contract'
import { objectPath, resourceOfKind } from '@bey/contract'
import { tabOfKey } from '../kubernetes/row-tab-keys.ts'

/** The logs of what needs attention; undefined where it has none. */
export function logsHref({
  kind,
  name,
  namespace,
  cluster,
}: Pick<AttentionItem, 'kind' | 'name' | 'namespace' | 'cluster'>): string | undefined {
  const resource = resourceOfKind(kind)
  if (!resource || !cluster || namespace === null || tabOfKey('l', resource) === undefined) return undefined
  return objectPath({ clusterId: cluster.id, resource, namespace, name }, 'logs')
}
