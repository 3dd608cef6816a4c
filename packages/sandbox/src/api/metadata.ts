import { equal } from '../json.ts'
import type { Kind } from '../registry/kind.ts'
import { checkAnnotations, checkKey, checkLabels, checkName, type NameRule } from '../registry/names.ts'
import { field, type Cause } from '../status-error.ts'
import type { KubeObject, Metadata, OwnerReference } from '../types.ts'

function checkOwners(owners: OwnerReference[] | undefined): Cause[] {
  const causes: Cause[] = []
  for (const [i, owner] of (owners ?? []).entries()) {
    const path = `metadata.ownerReferences[${i}]`
    for (const name of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      if (!owner[name]) causes.push(field.invalid(`${path}.${name}`, '', `${name} must not be empty`))
    }
  }
  const controllers = (owners ?? []).filter((owner) => owner.controller)
  if (controllers.length > 1) {
    const text = 'Only one reference can have Controller set to true'
    causes.push(field.invalid('metadata.ownerReferences', controllers.length, text))
  }
  return causes
}

const ownFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion']

/** Finalizers have domains; of custom kinds those without are borne. */
function checkFinalizers(kind: Kind, { finalizers = [] }: Metadata, old: KubeObject | undefined): Cause[] {
  return finalizers.flatMap((name, i) => {
    if (old?.metadata.finalizers?.includes(name)) return []
    const causes = checkKey(name, 'metadata.finalizers')
    if (kind.definition || name.includes('/') || ownFinalizers.includes(name)) return causes
    const text = 'name is neither a standard finalizer name nor is it fully qualified'
    return [...causes, field.invalid(`metadata.finalizers[${i}]`, name, text)]
  })
}

/** What is wrong with the metadata of a new (or, with `old`, changed) object. Only what changed is looked at again. */
export function checkMetadata(
  { metadata }: KubeObject,
  kind: Kind,
  rule: NameRule,
  old?: KubeObject,
): Cause[] {
  const causes: Cause[] = []
  if (!old) causes.push(...checkName(metadata.name, rule))
  if (!old && kind.namespaced && metadata.namespace) {
    causes.push(...checkName(metadata.namespace, 'label', 'metadata.namespace'))
  }
  if (metadata.labels !== old?.metadata.labels)
    causes.push(...checkLabels(metadata.labels, 'metadata.labels'))
  if (metadata.annotations !== old?.metadata.annotations) {
    causes.push(...checkAnnotations(metadata.annotations, 'metadata.annotations'))
  }
  causes.push(...checkOwners(metadata.ownerReferences), ...checkFinalizers(kind, metadata, old))
  const before = old?.metadata.finalizers ?? []
  const added = (metadata.finalizers ?? []).filter((name) => !before.includes(name))
  if (old?.metadata.deletionTimestamp && added.length > 0 && !equal(before, metadata.finalizers)) {
    const text = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${added.map((name) => JSON.stringify(name)).join(', ')}}`
    causes.push(field.forbidden('metadata.finalizers', text))
  }
  return causes
}
