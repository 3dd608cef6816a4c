import { formsOf } from './secret-forms.ts'
import { createTextSearch } from './text-search.ts'

/** Replaces every known secret value of a text. */
export type Mask = (text: string) => string

export const maskedText = '•••'

/** The beginning of a value at the end of a text that was cut is masked from this length on. */
const shortestCut = 8

/**
 * A mask for these values as they are, in base64 (also within a longer text, as in `Authorization: Basic`), URL-encoded
 * and as they stand within JSON; each line of a value of several lines as well, and what is left of a value that was cut
 * at the end of the text.
 */
export function createMask(values: Iterable<string>): Mask {
  const forms = new Set<string>()
  for (const value of new Set(values)) for (const form of formsOf(value)) forms.add(form)
  if (forms.size === 0) return (text) => text
  const search = createTextSearch(forms, shortestCut)
  return (text) => {
    const spans = search(text)
    if (spans.length === 0) return text
    let shown = ''
    let from = 0
    for (const { start, end } of spans) {
      shown += text.slice(from, start) + maskedText
      from = end
    }
    return shown + text.slice(from)
  }
}

/** A copy of JSON in which every text and every name of a field is masked. */
export function maskJson<T>(value: T, mask: Mask): T {
  // The shape is kept, only texts within it change.
  return masked(value, mask) as T
}

function masked(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value)
  // A secret of digits may have become a number.
  if (typeof value === 'number') return mask(String(value)) === String(value) ? value : maskedText
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => masked(item, mask))
  const copy: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(value)) {
    Object.defineProperty(copy, mask(name), {
      value: masked(member, mask),
      enumerable: true,
      configurable: true,
      writable: true,
    })
  }
  return copy
}
