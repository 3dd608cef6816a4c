import {
  type CallOutput,
  healthStates,
  type ParsedInput,
  parseResourceQuery,
  queryValue,
  resourceKinds,
  resourceLimits,
  resourceMarks,
  resourceMarkTexts,
  resourceQueryKeys,
} from '@bey/contract'

import type { Clock } from '../../platform/clock.ts'
import type { InventoryAsk, Resource } from '../../platform/inventory.ts'
import type { ReadInventory } from './inventory.ts'
import { hasMark, type Tagging } from './match.ts'
import { matchesOf } from './search.ts'

type Completion = CallOutput<'resources.complete'>['completions'][number]

/** Continues the word at a position: keys, then values that the matches of the other words have, with counts. */
export function createCompletion(read: ReadInventory, clock: Clock) {
  return async (
    ask: InventoryAsk,
    { query, position }: ParsedInput<'resources.complete'>['query'],
  ): Promise<CallOutput<'resources.complete'>> => {
    const at = Math.min(position, query.length)
    const start = query.slice(0, at).search(/\S*$/)
    const end = at + query.slice(at).search(/\s|$/)
    const word = query.slice(start, at)
    const minus = word.startsWith('-') ? '-' : ''
    const colon = word.indexOf(':')
    const typed = word.slice(Math.max(colon + 1, minus.length), word.length).replaceAll('"', '')
    if (colon === -1) return { start, end, completions: keysFor(minus, typed.toLowerCase()) }
    const key = word.slice(minus.length, colon).toLowerCase()
    const comma = typed.lastIndexOf(',') + 1
    const [before, part] = [typed.slice(0, comma), typed.slice(comma).toLowerCase()]
    const rest = parseResourceQuery(`${query.slice(0, start)} ${query.slice(end)}`)
    const inventory = await read(ask)
    const terms = 'terms' in rest ? rest.terms : []
    const matches = matchesOf(inventory, terms, { userId: ask.userId, now: clock.now() })
    const counts = new Map<string, number>()
    for (const each of matches) {
      for (const value of valuesOf(key, each, inventory.taggings.get(each.id))) {
        counts.set(value, (counts.get(value) ?? 0) + 1)
      }
    }
    for (const value of fixedValues[key] ?? []) if (!counts.has(value)) counts.set(value, 0)
    const completions = [...counts]
      .filter(([value]) => value.toLowerCase().includes(part))
      .toSorted(
        ([a, countOfA], [b, countOfB]) =>
          Number(b.toLowerCase().startsWith(part)) - Number(a.toLowerCase().startsWith(part)) ||
          countOfB - countOfA ||
          (a < b ? -1 : 1),
      )
      .slice(0, resourceLimits.completions)
      .map(([value, count]): Completion => ({
        text: `${minus}${key}:${before}${queryValue(value)}`,
        about: aboutOf(key, value),
        count,
      }))
    return { start, end, completions }
  }
}

function keysFor(minus: string, typed: string): Completion[] {
  return resourceQueryKeys
    .filter(({ key }) => key.startsWith(typed))
    .map(({ key, about }) => ({ text: `${minus}${key}:`, about, count: null }))
}

const fixedValues: Readonly<Record<string, readonly string[]>> = {
  kind: resourceKinds.map(({ kind }) => kind),
  health: [...healthStates, 'none'],
  is: resourceMarks,
  owner: ['me', 'none'],
}

function aboutOf(key: string, value: string): string {
  if (key === 'kind') return resourceKinds.find(({ kind }) => kind === value)?.plural ?? ''
  if (key === 'is')
    return resourceMarks.flatMap((mark) => (mark === value ? resourceMarkTexts[mark] : []))[0] ?? ''
  return ''
}

function valuesOf(key: string, resource: Resource, tagging: Tagging | undefined): readonly string[] {
  switch (key) {
    case 'kind':
      return [resource.kind]
    case 'health':
      return [resource.health?.state ?? 'none']
    case 'is':
      return resourceMarks.filter((mark) => hasMark(mark, resource, tagging))
    case 'cluster':
      return resource.cluster ? [resource.cluster.title] : []
    case 'namespace':
      return resource.namespace === null ? [] : [resource.namespace]
    case 'owner':
      return tagging?.owner ? [tagging.owner.name] : ['none']
    case 'label':
    case 'tag':
      return [
        ...Object.entries(resource.labels).map(([name, value]) => (value === '' ? name : `${name}=${value}`)),
        ...(tagging?.tags ?? []),
      ]
    default:
      return []
  }
}
