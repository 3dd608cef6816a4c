import type { ResourceMark, ResourceTerm } from '@bey/contract'
import type { Resource } from '../../platform/inventory.ts'

/** What members wrote about a resource. */
export type Tagging = { tags: readonly string[]; owner: { id: number; name: string; email: string } | null }

/** By the id of the resource. */
export type Taggings = ReadonlyMap<string, Tagging>

export type Matcher = (resource: Resource, tagging: Tagging | undefined) => boolean

/** Who asks, and when: for `owner:me` and ages. */
export type MatchContext = { userId: number; now: Date }

const maxTimeMs = 253_402_300_799_000

/** Whether a resource matches all words of a query. */
export function matcherOf(terms: readonly ResourceTerm[], context: MatchContext): Matcher {
  const all = terms.map((term) => {
    const isMatch = ofTerm(term, context)
    return term.isNegated
      ? (resource: Resource, tagging: Tagging | undefined) => !isMatch(resource, tagging)
      : isMatch
  })
  return (resource, tagging) => all.every((isMatch) => isMatch(resource, tagging))
}

function ofTerm(term: ResourceTerm, { userId, now }: MatchContext): Matcher {
  switch (term.key) {
    case 'text':
      return ({ name }) => {
        const text = name.toLowerCase()
        return term.values.some((value) => text.includes(value))
      }
    case 'name':
      return ofPatterns(term.values, ({ name }) => name)
    case 'cluster':
      return ofPatterns(term.values, ({ cluster }) => cluster?.title)
    case 'namespace':
      return ofPatterns(term.values, ({ namespace }) => namespace)
    case 'kind': {
      const kinds = new Set(term.values)
      return ({ kind }) => kinds.has(kind)
    }
    case 'health': {
      const states = new Set<string>(term.values)
      return ({ health }) => states.has(health?.state ?? 'none')
    }
    case 'is':
      return (resource, tagging) => term.values.some((mark) => hasMark(mark, resource, tagging))
    case 'owner':
      return (_resource, tagging) => term.values.some((value) => isOwner(value, tagging?.owner, userId))
    case 'expires': {
      const nowMs = now.getTime()
      const ends = term.values.map(({ isSooner, withinMs }) => ({
        isSooner,
        // Far enough for everything; later is no time of JavaScript.
        bound: new Date(Math.min(maxTimeMs, nowMs + withinMs)).toISOString(),
      }))
      return ({ expiresAt }) =>
        expiresAt !== undefined &&
        ends.some(({ isSooner, bound }) => (isSooner ? expiresAt < bound : expiresAt > bound))
    }
    case 'created': {
      const nowMs = now.getTime()
      const ages = term.values.map(({ isYounger, thanMs }) => ({
        isYounger,
        // Far back enough for everything; further back is no time of JavaScript.
        bound: new Date(Math.max(0, nowMs - thanMs)).toISOString(),
      }))
      return ({ createdAt }) =>
        createdAt !== null &&
        ages.some(({ isYounger, bound }) => (isYounger ? createdAt > bound : createdAt < bound))
    }
    case 'label': {
      const wanted = term.values.map(({ name, value }) => ({
        name: patternOf(name),
        value: value === undefined ? undefined : patternOf(value),
      }))
      // Replicas share their labels, so that each set is compared once.
      const known = new WeakMap<object, boolean>()
      const hasOne = (pairs: readonly (readonly [string, string])[]) =>
        wanted.some(({ name, value }) =>
          pairs.some((pair) => name(pair[0]) && (value === undefined || value(pair[1]))),
        )
      return ({ labels }, tagging) => {
        let found = known.get(labels)
        if (found === undefined) {
          found = hasOne(Object.entries(labels))
          known.set(labels, found)
        }
        return found || (tagging !== undefined && hasOne(tagging.tags.map(pairOf)))
      }
    }
  }
}

/** Whether something holds of a resource: decided by its feature, or by its health, labels, tags and owner. */
export function hasMark(mark: ResourceMark, resource: Resource, tagging: Tagging | undefined): boolean {
  switch (mark) {
    case 'failing':
      return resource.health?.state === 'failing'
    case 'untagged':
      return !hasLabels(resource.labels) && (tagging === undefined || tagging.tags.length === 0)
    case 'unowned':
      return !tagging?.owner
    default:
      return resource.marks.includes(mark)
  }
}

function hasLabels(labels: Readonly<Record<string, string>>): boolean {
  for (const _ in labels) return true
  return false
}

function isOwner(value: string, owner: Tagging['owner'] | undefined, userId: number): boolean {
  if (value === 'none') return !owner
  if (!owner) return false
  if (value === 'me') return owner.id === userId
  return owner.name.toLowerCase().includes(value) || owner.email.toLowerCase().includes(value)
}

function ofPatterns(
  patterns: readonly string[],
  textOf: (resource: Resource) => string | null | undefined,
): Matcher {
  const all = patterns.map(patternOf)
  return (resource) => {
    const text = textOf(resource)
    return text != null && all.some((isMatch) => isMatch(text))
  }
}

/** Compares whole texts in any case; `*` stands for any characters. Linear in the length of the text. */
function patternOf(pattern: string): (text: string) => boolean {
  const parts = pattern.split('*')
  const [first = ''] = parts
  if (parts.length === 1) return (text) => text.toLowerCase() === first
  const last = parts.at(-1) ?? ''
  const middle = parts.slice(1, -1).filter((part) => part !== '')
  return (given) => {
    const text = given.toLowerCase()
    if (!text.startsWith(first)) return false
    let at = first.length
    for (const part of middle) {
      const found = text.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return text.length - last.length >= at && text.endsWith(last)
  }
}

/** Name and value of a tag; the value is empty where it has none. */
export function pairOf(tag: string): readonly [string, string] {
  const at = tag.indexOf('=')
  return at === -1 ? [tag, ''] : [tag.slice(0, at), tag.slice(at + 1)]
}
