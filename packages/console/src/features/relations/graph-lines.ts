import { relationRules } from '@bey/contract'
import type { RelationGraph } from '../../data/relations.ts'

export interface Line {
  from: string
  to: string
  label: string
}

/** What is in a cluster or network is drawn as a line; what is in a namespace would be everything. */
const drawnPlaces = new Set(['cluster', 'network'])

/** One line between two kinds, named after the relation that there are most of. */
export function linesOf(edges: RelationGraph['edges']): Line[] {
  const lines = new Map<string, Line>()
  for (const { from, to, verb, count } of edges) {
    // Where things are and who made them is said of each; as lines they would cover all others.
    if (from === to || verb === 'created_by' || (verb === 'belongs_to' && !drawnPlaces.has(to))) continue
    const key = `${from} ${to}`
    if (!lines.has(key)) lines.set(key, { from, to, label: `${relationRules[verb].text} ${count}` })
  }
  return [...lines.values()]
}
