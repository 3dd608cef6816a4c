import type { FieldError } from '@bey/contract/base/errors'

/** JSON that is nested deeper is refused: what reads it by recursion would run out of stack. */
const maxDepth = 100
/** Names of a path beyond these are left out of the message. */
const maxPath = 8

/**
 * Makes what a client sent fit to be stored, in place: half a surrogate pair, which is what a text that was cut within
 * an emoji ends with, becomes U+FFFD, for PostgreSQL takes it neither as text nor within JSON. Answers what cannot be
 * mended: U+0000, and JSON that is nested too deep.
 */
export function makeStorable(part: unknown): FieldError | undefined {
  // Without recursion, for it may be nested as deep as its length allows.
  const open: { value: unknown; path: string[]; depth: number }[] = [{ value: part, path: [], depth: 0 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, depth } = next
    if (typeof value !== 'object' || value === null) continue
    if (depth > maxDepth) return refused(path, `This is nested deeper than ${maxDepth} levels.`)
    for (const [key, each] of Object.entries(value)) {
      const here = path.length < maxPath ? [...path, key.slice(0, 100)] : path
      if (key.includes('\0')) return refused(path, 'The character U+0000 cannot be stored.')
      if (!key.isWellFormed()) return refused(path, 'A name in it ends within a character.')
      if (typeof each === 'object') open.push({ value: each, path: here, depth: depth + 1 })
      if (typeof each !== 'string') continue
      if (each.includes('\0')) return refused(here, 'The character U+0000 cannot be stored.')
      if (!each.isWellFormed()) Reflect.set(value, key, each.toWellFormed())
    }
  }
  return undefined
}

function refused(path: readonly string[], message: string): FieldError {
  return { path: path.join('.'), message }
}
