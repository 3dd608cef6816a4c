import type { Cluster } from '../api/context.ts'
import { textAt } from '../json.ts'
import { quantity } from '../quantity.ts'
import { forbidden } from '../status-error.ts'
import { claims, storageClasses, type KubeObject } from '../types.ts'

const text =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'

const sizeOf = (claim: KubeObject) => quantity(textAt(claim, 'spec', 'resources', 'requests', 'storage'))

/** Lets claims grow only where their storage class allows it (`PersistentVolumeClaimResize`). */
export function runClaimGrowth({ store, resources }: Cluster): void {
  resources.admit((operation, kind, claim, old) => {
    if (operation !== 'update' || kind.key !== claims.key || !old) return
    if (sizeOf(claim) <= sizeOf(old)) return
    const storageClass = store.get(storageClasses, undefined, textAt(claim, 'spec', 'storageClassName') ?? '')
    if (storageClass?.allowVolumeExpansion !== true) throw forbidden(kind, claim.metadata.name, text)
  })
}
