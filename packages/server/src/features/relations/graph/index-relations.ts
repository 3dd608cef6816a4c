import type { Relation } from '@bey/contract'

/** Relations by both of their ends. */
export type RelationIndex = {
  /** What a resource needs. */
  needs(id: string): readonly Relation[]
  /** What needs a resource. */
  neededBy(id: string): readonly Relation[]
  all: readonly Relation[]
}

const none: readonly Relation[] = []

/** Leaves out what leads to itself and what is there twice. */
export function indexRelations(relations: readonly Relation[]): RelationIndex {
  const needs = new Map<string, Relation[]>()
  const neededBy = new Map<string, Relation[]>()
  const seen = new Set<string>()
  const all: Relation[] = []
  for (const relation of relations) {
    const { from, to, verb } = relation
    if (from === to) continue
    const key = `${from}\n${to}\n${verb}`
    if (seen.has(key)) continue
    seen.add(key)
    all.push(relation)
    append(needs, from, relation)
    append(neededBy, to, relation)
  }
  return {
    needs: (id) => needs.get(id) ?? none,
    neededBy: (id) => neededBy.get(id) ?? none,
    all,
  }
}

function append(map: Map<string, Relation[]>, key: string, relation: Relation): void {
  const found = map.get(key)
  if (found) found.push(relation)
  else map.set(key, [relation])
}
