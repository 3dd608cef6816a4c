import { isFree } from './text-problem.ts'
import type { Free } from './text-problem.ts'

/** A step into an object: the key of a map, or the index in a list. */
export type FieldPath = readonly (string | number)[]

/** Who set a field last, by the managedFields of its object. */
export interface FieldOwner {
  /** As the program calls itself: `kubectl-edit`, `argocd-controller`, `bey`. */
  manager: string
  /** `Apply`: it applies the field again and again. `Update`: it wrote the field once. */
  operation: 'Apply' | 'Update'
  /** RFC 3339; undefined where the server does not say. */
  at: string | undefined
}

/** The owners of a field, the latest first. A field inside an atomic value belongs to the owners of the value. */
export function ownersOf(object: Free, path: FieldPath): FieldOwner[] {
  return managedFields(object)
    .filter(({ fields }) => covers(fields, object, path))
    .map(({ owner }) => owner)
    .toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))
}

/** Who wrote the object last, whatever it was; status writers do not count. */
export function lastWriter(object: Free): FieldOwner | undefined {
  return managedFields(object)
    .map(({ owner }) => owner)
    .toSorted((a, b) => (b.at ?? '').localeCompare(a.at ?? ''))[0]
}

function managedFields(object: Free): { owner: FieldOwner; fields: Free }[] {
  const metadata = isFree(object['metadata']) ? object['metadata'] : {}
  const entries = Array.isArray(metadata['managedFields']) ? metadata['managedFields'] : []
  return entries.flatMap((entry: unknown) => {
    if (!isFree(entry) || !isFree(entry['fieldsV1']) || entry['subresource'] === 'status') return []
    const { manager, operation, time } = entry
    const owner: FieldOwner = {
      manager: typeof manager === 'string' ? manager : 'unknown',
      operation: operation === 'Apply' ? 'Apply' : 'Update',
      at: typeof time === 'string' ? time : undefined,
    }
    return [{ owner, fields: entry['fieldsV1'] }]
  })
}

/** Follows a path through `fieldsV1` (structured-merge-diff: `f:` a key, `k:` an item by its keys, `v:` a value). */
function covers(fields: Free, value: unknown, path: FieldPath): boolean {
  const [step, ...rest] = path
  if (step === undefined) return true
  const inner = Object.entries(fields).filter(([key]) => key !== '.')
  if (inner.length === 0) return true
  const next = Array.isArray(value) ? value[Number(step)] : isFree(value) ? value[step] : undefined
  const found = inner.find(([key]) => isStep(key, step, next))
  return found !== undefined && isFree(found[1]) && covers(found[1], next, rest)
}

function isStep(key: string, step: string | number, item: unknown): boolean {
  const said = key.slice(2)
  if (key.startsWith('f:')) return said === step
  if (key.startsWith('v:')) return said === JSON.stringify(item)
  if (key.startsWith('i:')) return said === String(step)
  if (!key.startsWith('k:') || !isFree(item)) return false
  const keys: unknown = JSON.parse(said)
  return (
    isFree(keys) && Object.entries(keys).every(([name, value]) => (item[name] ?? defaults[name]) === value)
  )
}

/** Keys of list items that the server fills in. */
const defaults: Readonly<Record<string, unknown>> = { protocol: 'TCP' }
