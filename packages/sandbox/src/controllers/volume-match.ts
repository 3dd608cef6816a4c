import { matchesTerm } from '../nodes/node-fit.ts'
import { quantity } from '../quantity.ts'
import { labelSelector } from '../selectors.ts'
import type { Store } from '../store/store.ts'
import { volumes, type Node, type PersistentVolume, type PersistentVolumeClaim } from '../types.ts'

/** Where a claim says which node its first consumer will run on. */
export const selectedNode = 'volume.kubernetes.io/selected-node'

/** Whether a claim has its volume, and both know of it. */
export function isBound({ spec, metadata }: PersistentVolumeClaim): boolean {
  return spec.volumeName !== undefined && metadata.annotations?.['pv.kubernetes.io/bind-completed'] === 'yes'
}

/** Whether a volume can become, or is already meant for, this claim's. */
export function fits(volume: PersistentVolume, claim: PersistentVolumeClaim): boolean {
  const { spec } = volume
  if (
    volume.metadata.deletionTimestamp ||
    (volume.status?.phase !== 'Available' && volume.status?.phase !== 'Pending')
  )
    return false
  if (spec.claimRef)
    return spec.claimRef.name === claim.metadata.name && spec.claimRef.namespace === claim.metadata.namespace
  return (
    (spec.storageClassName ?? '') === (claim.spec.storageClassName ?? '') &&
    (claim.spec.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode)) &&
    quantity(spec.capacity?.['storage']) >= quantity(claim.spec.resources?.requests?.['storage']) &&
    (!claim.spec.selector || labelSelector(claim.spec.selector)(volume.metadata.labels))
  )
}

/** Whether a volume can be used on a node. */
export function isReachable({ spec }: PersistentVolume, node: Node): boolean {
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms
  return !terms || terms.some((term) => matchesTerm(node, term))
}

/** The smallest volume that a claim could have, on a node where one is given. */
export function smallestFit(
  store: Store,
  claim: PersistentVolumeClaim,
  node?: Node,
): PersistentVolume | undefined {
  return store
    .list(volumes)
    .filter((volume) => fits(volume, claim) && (!node || isReachable(volume, node)))
    .toSorted((a, b) => quantity(a.spec.capacity?.['storage']) - quantity(b.spec.capacity?.['storage']))[0]
}
