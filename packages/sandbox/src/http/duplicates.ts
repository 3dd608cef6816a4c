import type { JsonObject } from '../json.ts'

const found = new WeakMap<JsonObject, readonly string[]>()

/** Remembers what a body says twice, which its parsed form no longer shows. */
export function rememberDuplicates(body: JsonObject, problems: readonly string[]): void {
  if (problems.length > 0) found.set(body, problems)
}

/** What a body said twice, in the words of a strict decoder. */
export function duplicatesOf(body: JsonObject): readonly string[] {
  return found.get(body) ?? []
}

type Level = { path: string; keys: Set<string> | undefined; index: number; key: string }

/** The members that valid JSON gives twice in one object: `duplicate field "spec.replicas"`. */
export function duplicateMembers(text: string): string[] {
  const problems = new Set<string>()
  const levels: Level[] = []
  const place = () => {
    const level = levels.at(-1)
    if (!level) return ''
    return level.keys ? join(level.path, level.key) : `${level.path}[${level.index}]`
  }
  // Strings, brackets and commas are all that matters for where something stands.
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[[\]{},]/g)) {
    const level = levels.at(-1)
    if (token === '{' || token === '[') {
      levels.push({ path: place(), keys: token === '{' ? new Set() : undefined, index: 0, key: '' })
    } else if (token === '}' || token === ']') levels.pop()
    else if (token === ',') {
      if (level) level.index += 1
    } else if (token.endsWith(':') && level?.keys) {
      const key: unknown = JSON.parse(token.slice(0, -1).trimEnd())
      level.key = String(key)
      if (level.keys.has(level.key)) problems.add(`duplicate field ${JSON.stringify(place())}`)
      level.keys.add(level.key)
    }
  }
  return [...problems]
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}
