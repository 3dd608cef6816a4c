import { isSecretName, redactText as redactCredentials, redacted, secretWord } from '@bey/contract'

const maxDepth = 8
const maxEntries = 200
const maxCharacters = 20_000

/**
 * A plain copy of anything, fit for JSON, without the values of telling keys: nested, in arrays, maps and errors, and
 * inside texts that hold JSON or addresses. Bounded in depth and breadth; never throws.
 */
export function redactValue(value: unknown, depth = 0, above: readonly object[] = []): unknown {
  if (typeof value === 'string') return redactText(value, depth)
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  if (typeof value === 'function') return `[function ${value.name}]`
  if (typeof value !== 'object' || value === null) return value
  if (above.includes(value)) return '[circular]'
  if (depth >= maxDepth) return '[deep]'
  try {
    return redactObject(value, depth + 1, [...above, value])
  } catch (error) {
    // A getter that throws must not cost the line.
    return `[unreadable: ${error instanceof Error ? error.name : 'error'}]`
  }
}

function redactObject(value: object, depth: number, above: readonly object[]): unknown {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof URL) return redactText(value.href, depth)
  if (value instanceof Node) return `[${value.nodeName.toLowerCase()}]`
  if (value instanceof Error) return redactError(value, depth, above)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
  if (Array.isArray(value) || value instanceof Set) {
    return Array.from(value)
      .slice(0, maxEntries)
      .map((each) => redactValue(each, depth, above))
  }
  const pairs: Iterable<[unknown, unknown]> = isPairs(value) ? value : Object.entries(value)
  const copy: Record<string, unknown> = Object.create(null)
  let count = 0
  for (const [name, each] of pairs) {
    if (++count > maxEntries) break
    const key = String(name)
    copy[key] = isSecretName(key) && each != null ? redacted : redactValue(each, depth, above)
  }
  return copy
}

function isPairs(value: object): value is Iterable<[unknown, unknown]> {
  return (
    value instanceof Map ||
    value instanceof Headers ||
    value instanceof URLSearchParams ||
    value instanceof FormData
  )
}

function redactError(error: Error, depth: number, above: readonly object[]): Record<string, unknown> {
  const own = Object.entries(error).filter(([key]) => !['name', 'message', 'stack', 'cause'].includes(key))
  return {
    name: error.name,
    message: redactText(error.message, depth),
    ...(error.stack ? { stack: redactText(error.stack, depth) } : {}),
    ...Object.fromEntries(
      own.map(([key, each]) => [key, isSecretName(key) ? redacted : redactValue(each, depth, above)]),
    ),
    ...(error.cause === undefined ? {} : { cause: redactValue(error.cause, depth, above) }),
  }
}

// Bounded, so that no text makes the search slow.
const name = String.raw`[\w.-]{0,40}?${secretWord}[\w.-]{0,40}`

const namedPatterns: readonly [RegExp, (match: string, ...groups: string[]) => string][] = [
  // "password": "…" in JSON that is cut off or part of a longer text, however often it is escaped.
  [
    new RegExp(
      String.raw`(\\*["'])(${name})\1(\s*:\s*)(?:(\\*["'])(?:.*?[^\\])??(?:\4|$)|[^\s,}\]"']+)`,
      'gis',
    ),
    (match, quote = '', key = '', colon = '') =>
      isSecretName(key) ? `${quote}${key}${quote}${colon}${quote}${redacted}${quote}` : match,
  ],
  // ?token=… in an address or form, password=… and password: … in prose.
  [
    new RegExp(String.raw`\b(${name})(=|:\s+)(?!\[redacted\])[^\s&#;,"'<>]+`, 'gi'),
    (match, key = '', sign = '') => (isSecretName(key) ? `${key}${sign}${redacted}` : match),
  ],
]

/** A text without what looks like a credential, at most 20,000 characters of it; JSON is redacted as what it represents. */
export function redactText(text: string, depth = 0): string {
  const json = depth < maxDepth ? parsed(text) : undefined
  if (json !== undefined) return JSON.stringify(redactValue(json, depth + 1))
  // A credential goes first: of "Authorization: Bearer …" its name would take the first word alone.
  let result = redactCredentials(text.slice(0, maxCharacters))
  for (const [pattern, replacement] of namedPatterns) result = result.replace(pattern, replacement)
  return result
}

function parsed(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text) || text.length > maxCharacters) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
