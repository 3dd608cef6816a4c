import { posix } from 'node:path'
import { namesIn, type Files } from './container-files.ts'

type Part = '*' | ((mark: string) => boolean)

function setOf(inner: string): (mark: string) => boolean {
  const isNegated = inner[0] === '!' || inner[0] === '^'
  const body = isNegated ? inner.slice(1) : inner
  const classes: ((mark: string) => boolean)[] = []
  for (let i = 0; i < body.length; i += 1) {
    const named = /^\[:(\w+):\]/.exec(body.slice(i))
    const [from = '', to = ''] = [body[i], body[i + 2]]
    if (named) {
      const known = characterClasses[named[1] ?? '']
      classes.push((mark) => known?.test(mark) === true)
      i += named[0].length - 1
    } else if (body[i + 1] === '-' && to !== '') {
      classes.push((mark) => mark >= from && mark <= to)
      i += 2
    } else classes.push((mark) => mark === from)
  }
  return (mark) => classes.some((has) => has(mark)) !== isNegated
}

const characterClasses: Readonly<Record<string, RegExp>> = {
  alpha: /^[A-Za-z]$/,
  digit: /^\d$/,
  alnum: /^[A-Za-z\d]$/,
  upper: /^[A-Z]$/,
  lower: /^[a-z]$/,
  space: /^\s$/,
  punct: /^[!-/:-@[-`{-~]$/,
  xdigit: /^[\dA-Fa-f]$/,
}

/** The end of a set such as `[a-z]` that begins at `at`, or undefined where the bracket is taken literally. */
function setEnd(pattern: string, at: number): number | undefined {
  const [found] = /^\[[!^]?\]?(\[:\w+:\]|[^\]])*\]/.exec(pattern.slice(at)) ?? []
  return found === undefined ? undefined : at + found.length
}

function partsOf(pattern: string): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < pattern.length; i += 1) {
    let mark = pattern[i] ?? ''
    const end = mark === '[' ? setEnd(pattern, i) : undefined
    if (mark === '*') parts.push('*')
    else if (mark === '?') parts.push(() => true)
    else if (end !== undefined) {
      parts.push(setOf(pattern.slice(i + 1, end - 1)))
      i = end - 1
    } else {
      if (mark === '\\') mark = pattern[(i += 1)] ?? '\\'
      parts.push((other) => other === mark)
    }
  }
  return parts
}

/** Whether a text is as a pattern of the shell says; a character after a backslash is taken literally. */
export function matches(pattern: string, text: string): boolean {
  const parts = partsOf(pattern)
  let [at, part] = [0, 0]
  // Where the last star stood, and how much it has swallowed: one step back is all that is ever needed.
  let star = -1
  let swallowed = 0
  while (at < text.length) {
    const wanted = parts[part]
    if (wanted === '*') {
      star = part++
      swallowed = at
    } else if (wanted?.(text[at] ?? '')) {
      at += 1
      part += 1
    } else if (star >= 0) {
      part = star + 1
      at = swallowed += 1
    } else return false
  }
  return parts.slice(part).every((one) => one === '*')
}

/** Whether something in a pattern is a wildcard. */
export function isPattern(text: string): boolean {
  return /(?<!\\)(?:\\\\)*[*?[]/.test(text)
}

export function quoted(text: string): string {
  return text.replaceAll(/[\\*?[\]]/g, '\\$&')
}

/** The paths that a pattern means, sorted; none where there are no such files. */
export function glob(files: Files, directory: string, pattern: string): string[] {
  const isAbsolute = pattern.startsWith('/')
  let found = [isAbsolute ? '/' : '']
  for (const segment of pattern.split('/').filter((one) => one !== '')) {
    found = found.flatMap((base) => {
      if (segment === '.' || segment === '..') return [posix.join(base, segment)]
      const names = namesIn(files, posix.resolve(directory, base)) ?? []
      return names
        .filter((name) => (segment.startsWith('.') || !name.startsWith('.')) && matches(segment, name))
        .map((name) => (base === '' ? name : posix.join(base, name)))
    })
  }
  return found.toSorted()
}
