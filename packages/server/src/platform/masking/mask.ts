import { createCutSearch } from './cut-search.ts'
import { leavesOf } from './leaves.ts'
import { createPassageSearch } from './passage-search.ts'
import { createTextSearch, type Span } from './text-search.ts'
import { formsOf } from './value-forms.ts'

/** Replaces every known secret value of a text. */
export type Mask = (text: string) => string

export const maskedText = '•••'

/** What a text has in common with a value is masked from this length on, whatever stands around it. */
const passageLength = 12
/** The same for structured values: shorter passages consist of names such as `certificate-authority-data`. */
const structuredPassageLength = 48
/** Characters of values and leaves that one mask knows: it takes about 100 bytes for each. */
export const maxMaskedChars = 524_288

/** The values have more text than one mask takes. */
export class TooMuchToMask extends Error {}

/**
 * A mask for these values as a whole, by their lines, and by every leaf of those that are JSON, YAML, dotenv, properties,
 * an address or base64 of such: each as it is and in the encodings of programs (base64, also within a longer text;
 * URL-encoded; hexadecimal; as it stands within JSON, HTML and quotes), and what is left of it where a message cut it.
 * Values and leaves of fewer than four characters are not masked. Throws TooMuchToMask.
 */
export function createMask(values: Iterable<string>): Mask {
  const searches = searchesFor(values)
  if (searches.length === 0) return (text) => text
  return (text) => {
    const spans = searches.flatMap((search) => search(text))
    return spans.length === 0 ? text : replaced(text, spans)
  }
}

function searchesFor(values: Iterable<string>): ((text: string) => Span[])[] {
  const exact = new Set<string>()
  const passages = new Set<string>()
  const structuredPassages = new Set<string>()
  const cut = new Set<string>()
  const seen = new Set<string>()
  let room = maxMaskedChars
  for (const value of new Set(values)) {
    for (const { content, isStructured } of leavesOf(value)) {
      const id = `${isStructured}${typeof content === 'string' ? content : content.toString('base64')}`
      if (seen.has(id)) continue
      seen.add(id)
      room -= content.length
      if (room < 0) throw new TooMuchToMask(`The values have more than ${maxMaskedChars} characters.`)
      const long = isStructured ? structuredPassages : passages
      const shortest = isStructured ? structuredPassageLength : passageLength
      for (const form of formsOf(content)) (form.length < shortest ? exact : long).add(form)
      if (typeof content !== 'string' || isStructured) continue
      cut.add(content)
      cut.add(JSON.stringify(content).slice(1, -1))
    }
  }
  return [
    exact.size > 0 ? createTextSearch(exact) : undefined,
    createPassageSearch(passages, passageLength),
    createPassageSearch(structuredPassages, structuredPassageLength),
    cut.size > 0 ? createCutSearch(cut, passageLength - 1) : undefined,
  ].filter((search) => search !== undefined)
}

function replaced(text: string, spans: readonly Span[]): string {
  let shown = ''
  let from = 0
  let isOpen = false
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (!isOpen || start > from) shown += text.slice(from, start) + maskedText
    isOpen = true
    from = Math.max(from, end)
  }
  return shown + text.slice(from)
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
