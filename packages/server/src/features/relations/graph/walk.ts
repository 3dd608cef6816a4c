import type { Relation, RelationVerb } from '@bey/contract'
import type { RelationIndex } from './index-relations.ts'

/** `needs`: what it needs; `needed_by`: what needs it. */
type WalkDirection = 'needs' | 'needed_by' | 'both'

type WalkOptions = {
  direction: WalkDirection
  /** Relations to the farthest resource. */
  depth: number
  /** False for verbs that are not followed. */
  follows?: (verb: RelationVerb) => boolean
}

/** A relation of a resource, and the resource at its other end. */
type Move = { relation: Relation; next: string }

function movesOf(index: RelationIndex, id: string, { direction, follows }: WalkOptions): Move[] {
  const moves: Move[] = []
  if (direction !== 'needed_by')
    for (const relation of index.needs(id))
      if (!follows || follows(relation.verb)) moves.push({ relation, next: relation.to })
  if (direction !== 'needs')
    for (const relation of index.neededBy(id))
      if (!follows || follows(relation.verb)) moves.push({ relation, next: relation.from })
  return moves
}

/** Every resource within `depth` relations, with the number of relations to it; the start has 0. Safe in cycles. */
export function neighbours(index: RelationIndex, start: string, options: WalkOptions): Map<string, number> {
  const steps = new Map([[start, 0]])
  let edge = [start]
  for (let step = 1; step <= options.depth && edge.length > 0; step += 1) {
    const next: string[] = []
    for (const id of edge) {
      for (const move of movesOf(index, id, options)) {
        if (steps.has(move.next)) continue
        steps.set(move.next, step)
        next.push(move.next)
      }
    }
    edge = next
  }
  return steps
}

/** One resource of a path, and the relation by which it is reached; null for the first. */
export type PathStep = { id: string; relation: Relation | null }

/** A shortest path; undefined where none has at most `depth` relations. */
export function shortestPath(
  index: RelationIndex,
  from: string,
  to: string,
  options: WalkOptions,
): PathStep[] | undefined {
  const cameBy = new Map<string, { relation: Relation; previous: string } | null>([[from, null]])
  let edge = [from]
  for (let step = 0; step < options.depth && edge.length > 0 && !cameBy.has(to); step += 1) {
    const next: string[] = []
    for (const id of edge) {
      for (const { relation, next: reached } of movesOf(index, id, options)) {
        if (cameBy.has(reached)) continue
        cameBy.set(reached, { relation, previous: id })
        next.push(reached)
      }
    }
    edge = next
  }
  if (!cameBy.has(to)) return undefined
  const path: PathStep[] = []
  for (let id: string | undefined = to; id !== undefined;) {
    const came = cameBy.get(id)
    path.push({ id, relation: came?.relation ?? null })
    id = came?.previous
  }
  return path.toReversed()
}
