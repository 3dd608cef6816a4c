import type { ResourceInfo } from '@bey/contract'
import { kubernetesPath } from '@bey/contract'
import { sendToCluster } from '../../../data/kubernetes-proxy.ts'
import { isFree } from './text-problem.ts'
import type { Free } from './text-problem.ts'

/** Under which the API server records what was written through this console. */
export const fieldManager = 'bey'

export interface ObjectPlace {
  clusterId: number
  resource: Pick<ResourceInfo, 'group' | 'version' | 'plural'>
  /** Empty for what belongs to none. */
  namespace: string
  name: string
}

/**
 * Changes only what the patch names, and only while the object still has `resourceVersion` (docs/decisions/015). With
 * `isDryRun` the server checks it whole, admission included, and stores nothing. Throws KubernetesError.
 */
export async function patchObject(
  place: ObjectPlace,
  change: { patch: Free; resourceVersion: string; isDryRun: boolean },
): Promise<Free> {
  const metadata = isFree(change.patch['metadata']) ? change.patch['metadata'] : {}
  const answer = await sendToCluster(place.clusterId, {
    method: 'PATCH',
    path: pathOf(place, change.isDryRun),
    contentType: 'application/merge-patch+json',
    body: { ...change.patch, metadata: { ...metadata, resourceVersion: change.resourceVersion } },
    isMetadataOnly: isSecret(place),
  })
  return isFree(answer) ? answer : {}
}

/**
 * Server-side apply (Kubernetes: "Server-Side Apply"): makes the object if there is none, else sets the fields that
 * `object` names. Without `isForced` a field that another manager applies is refused. Throws KubernetesError.
 */
export async function applyObject(
  place: ObjectPlace,
  change: { object: Free; isDryRun: boolean; isForced: boolean },
): Promise<Free> {
  const answer = await sendToCluster(place.clusterId, {
    method: 'PATCH',
    path: `${pathOf(place, change.isDryRun)}&force=${String(change.isForced)}`,
    contentType: 'application/apply-patch+yaml',
    // JSON is YAML.
    body: change.object,
    isMetadataOnly: isSecret(place),
  })
  return isFree(answer) ? answer : {}
}

/** The answer to a changed Secret would hold its values, also those that were never shown. */
function isSecret({ resource }: ObjectPlace): boolean {
  return resource.plural === 'secrets'
}

function pathOf({ resource, namespace, name }: ObjectPlace, isDryRun: boolean): string {
  const query = new URLSearchParams({ fieldManager, fieldValidation: 'Strict' })
  if (isDryRun) query.set('dryRun', 'All')
  return `${kubernetesPath(resource, namespace, name)}?${query.toString()}`
}
