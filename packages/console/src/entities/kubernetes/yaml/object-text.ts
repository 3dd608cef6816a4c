import { stringify } from 'yaml'
import { isFree } from './text-problem.ts'
import type { Free } from './text-problem.ts'

/** Stands for a value of a Secret that the console never had. Left as it is, the value stays. */
export const hiddenValue = '(hidden)'

const firstKeys = ['apiVersion', 'kind', 'metadata']

/** Written by the server at each change: they say nothing about what somebody wants. */
const bookkeeping = ['resourceVersion', 'generation', 'managedFields', 'selfLink']

/** The object as YAML. Without `isWhole` the bookkeeping of the server is left out, managedFields first of all. */
export function objectText(object: Free, isWhole = false): string {
  const shown = isWhole ? object : withoutBookkeeping(object)
  return stringify(inOrder(withHiddenValues(shown)), { lineWidth: 0, aliasDuplicateObjects: false })
}

export function withoutBookkeeping(object: Free): Free {
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

/**
 * The same object with another status. Texts of two versions that are compared or merged have the status of one of
 * them, for nobody edits a status.
 */
export function withStatusOf(object: Free, other: Free): Free {
  const { status: _own, ...rest } = object
  return 'status' in other ? { ...rest, status: other['status'] } : rest
}

/** Where the block of a top-level key stands: from the end of its line to the end of the block; for folding. */
export function blockRange(text: string, key: string): { from: number; to: number } | undefined {
  const match = new RegExp(`^${key}:[^\\n]*\\n`, 'm').exec(text)
  if (!match) return undefined
  const from = match.index + match[0].length - 1
  const rest = text.slice(from + 1)
  const next = rest.search(/^\S/m)
  const to = next === -1 ? text.replace(/\n$/, '').length : from + next
  return to > from ? { from, to } : undefined
}
