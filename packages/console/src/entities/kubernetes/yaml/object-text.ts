import { stringify } from 'yaml'
import { isFree } from './text-problem.ts'
import type { Free } from './text-problem.ts'

/** Stands for a value of a Secret that the console never had. Left as it is, the value stays. */
export const hiddenValue = '(hidden)'

const firstKeys = ['apiVersion', 'kind', 'metadata']

/** Written by the server at each change: they say nothing about what somebody wants. */
const bookkeeping = ['resourceVersion', 'generation', 'managedFields', 'selfLink']

/** The object as YAML: the fields that somebody may want, or with `isWhole` also those that the cluster alone writes. */
export function objectText(object: Free, isWhole = false): string {
  const shown = isWhole ? object : desiredFields(object)
  return stringify(inOrder(withHiddenValues(shown)), { lineWidth: 0, aliasDuplicateObjects: false })
}

/** Without the status and without the bookkeeping of the server, managedFields first of all. */
export function desiredFields({ status: _status, ...object }: Free): Free {
  const { metadata } = object
  if (!isFree(metadata)) return object
  const kept = Object.entries(metadata).filter(([key]) => !bookkeeping.includes(key))
  return { ...object, metadata: Object.fromEntries(kept) }
}

/** As people write objects: what it is first, what the cluster says about it last. */
function inOrder(object: Free): Free {
  const rank = (key: string) => {
    const first = firstKeys.indexOf(key)
    if (first >= 0) return first
    return key === 'status' ? firstKeys.length + 1 : firstKeys.length
  }
  return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => rank(a) - rank(b)))
}

/** Bey's API answers null for each value of a Secret; the text says that there is one. */
export function withHiddenValues(object: Free): Free {
  return withSecretValues(object, (value) => value ?? hiddenValue)
}

/** For screens that only compare: a value that somebody typed into a Secret is not repeated beside the editor. */
export function withMaskedValues(object: Free): Free {
  return withSecretValues(object, (value) =>
    value === hiddenValue || value === null ? hiddenValue : '(new value)',
  )
}

function withSecretValues(object: Free, change: (value: unknown) => unknown): Free {
  if (object['kind'] !== 'Secret') return object
  const changed: Free = { ...object }
  for (const part of ['data', 'stringData']) {
    const values = object[part]
    if (!isFree(values)) continue
    changed[part] = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value)]))
  }
  return changed
}
