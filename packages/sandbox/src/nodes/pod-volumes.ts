import type { Cluster } from '../api/context.ts'
import { isBound, isReachable, selectedNode, smallestFit } from '../controllers/volume-match.ts'
import type { Store } from '../store/store.ts'
import {
  claims,
  nodes,
  storageClasses,
  volumes,
  type Node,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type Pod,
} from '../types.ts'

/** What a pod's volumes mean for where it can run. */
export type PodVolumes = {
  /** Claims that wait for the pod to get a node. */
  waiting: PersistentVolumeClaim[]
  bound: PersistentVolume[]
}

function waitsForConsumer(store: Store, claim: PersistentVolumeClaim): boolean {
  const storage = store.get(storageClasses, undefined, claim.spec.storageClassName ?? '')
  return storage?.volumeBindingMode === 'WaitForFirstConsumer'
}

/** The volumes of a pod, or, in the scheduler's words, why they keep it waiting. */
export function volumesOf(store: Store, { metadata, spec }: Pod): PodVolumes | string {
  const found: PodVolumes = { waiting: [], bound: [] }
  for (const volume of spec.volumes ?? []) {
    const name =
      volume.persistentVolumeClaim?.claimName ??
      (volume.ephemeral ? `${metadata.name}-${volume.name}` : undefined)
    if (name === undefined) continue
    const claim = store.get(claims, metadata.namespace, name)
    if (!claim && volume.ephemeral)
      return `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
    if (!claim) return `persistentvolumeclaim "${name}" not found`
    if (claim.status?.phase === 'Lost')
      return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec.volumeName}"`
    if (claim.metadata.deletionTimestamp) return `persistentvolumeclaim "${name}" is being deleted`
    if (isBound(claim)) {
      const its = store.get(volumes, undefined, claim.spec.volumeName ?? '')
      if (its) found.bound.push(its)
    } else if (claim.spec.volumeName === undefined && waitsForConsumer(store, claim))
      found.waiting.push(claim)
    else return 'pod has unbound immediate PersistentVolumeClaims'
  }
  return found
}

/** Why a pod with these volumes cannot run on a node, in the scheduler's words. */
export function volumeMisfit(store: Store, { waiting, bound }: PodVolumes, node: Node): string | undefined {
  if (bound.some((volume) => !isReachable(volume, node))) return 'node(s) had volume node affinity conflict'
  const isHopeless = (claim: PersistentVolumeClaim) => {
    const storage = store.get(storageClasses, undefined, claim.spec.storageClassName ?? '')
    const isMade = storage !== undefined && storage.provisioner !== 'kubernetes.io/no-provisioner'
    return !isMade && !smallestFit(store, claim, node)
  }
  // Where the first consumer of a claim runs, its volume is being made.
  const isElsewhere = ({ metadata }: PersistentVolumeClaim) => {
    const chosen = metadata.annotations?.[selectedNode]
    return chosen !== undefined && chosen !== node.metadata.name && store.get(nodes, undefined, chosen)
  }
  return waiting.some((claim) => isElsewhere(claim) || isHopeless(claim))
    ? "node(s) didn't find available persistent volumes to bind"
    : undefined
}

/** Tells the storage controller where the first consumer of waiting claims will run. */
export function selectNode(
  resources: Cluster['resources'],
  waiting: readonly PersistentVolumeClaim[],
  node: string,
): void {
  for (const claim of waiting) {
    if (claim.metadata.annotations?.[selectedNode] === node) continue
    resources.change(claims, claim, (draft) => {
      draft.metadata.annotations = { ...draft.metadata.annotations, [selectedNode]: node }
    })
  }
}
