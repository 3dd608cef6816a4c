import {
  type CallOutput,
  placeVerbs,
  type Relation,
  relationLimits,
  relationRules,
  type RelationVerb,
} from '@bey/contract'
import { neighbours, type PathStep, shortestPath } from './graph/walk.ts'
import { countsOfKinds, presentReading, presentResource } from './present.ts'
import { resourceOf, type Snapshot } from './snapshot.ts'

type Of = CallOutput<'relations.of'>

/** What a resource needs, and what needs it within `depth` relations. Throws AppError `not_found`. */
export function presentRelationsOf(snapshot: Snapshot, id: string, depth: number): Of {
  const { index } = snapshot
  const resource = resourceOf(snapshot, id)
  const needs = index
    .needs(id)
    .filter(isNeed)
    .flatMap((relation) => rowOf(snapshot, relation, relation.to, 1))
  const steps = neighbours(index, id, {
    direction: 'needed_by',
    depth,
    follows: (verb) => isNeed({ verb }),
  })
  const neededBy = [...steps].flatMap(([each, step]) => {
    if (each === id) return []
    const relation = index.needs(each).find((found) => isNeed(found) && steps.get(found.to) === step - 1)
    return relation ? rowOf(snapshot, relation, each, step) : []
  })
  const direct = neededBy.filter(({ step }) => step === 1).length
  return {
    resource: presentResource(resource),
    needs: needs.slice(0, relationLimits.rows),
    needsTotal: needs.length,
    neededBy: neededBy.slice(0, relationLimits.rows),
    neededByTotal: neededBy.length,
    directTotal: direct,
    text: textOf(needs.length, neededBy.length, direct),
    ...presentReading(snapshot),
  }
}

/** Who made something is not needed by it. */
const isNeed = ({ verb }: { verb: RelationVerb }) => verb !== 'created_by'

function rowOf(snapshot: Snapshot, relation: Relation, id: string, step: number): Of['needs'] {
  const found = snapshot.resources.get(id)
  if (!found) return []
  const { verb } = relation
  const isNeeded = relation.to === id
  return [
    {
      ...presentResource(found),
      verb,
      text: relationRules[verb].text,
      step,
      by: isNeeded ? relation.from : relation.to,
    },
  ]
}

function textOf(needs: number, neededBy: number, direct: number): string {
  if (needs === 0 && neededBy === 0) return 'Nothing needs it, and it needs nothing.'
  const count = (total: number) => (total === 1 ? '1 resource' : `${total} resources`)
  const by =
    neededBy === 0
      ? 'Nothing needs it'
      : `${count(neededBy)} ${neededBy === 1 ? 'needs' : 'need'} it${direct === neededBy ? '' : `, ${direct} of them directly`}`
  return `${by}. It needs ${needs === 0 ? 'nothing' : needs}.`
}

/**
 * The shortest way: along needs where there is one, else against them, else in any direction. Ways through a shared
 * namespace or creator say little, and are taken only where there is no other.
 */
export function presentPath(snapshot: Snapshot, from: string, to: string): CallOutput<'relations.path'> {
  const ends = {
    from: presentResource(resourceOf(snapshot, from)),
    to: presentResource(resourceOf(snapshot, to)),
  }
  const path =
    wayBetween(snapshot, from, to, (verb) => !placeVerbs.has(verb)) ?? wayBetween(snapshot, from, to)
  const steps = (path ?? []).flatMap(({ id, relation }): CallOutput<'relations.path'>['steps'] => {
    const found = snapshot.resources.get(id)
    if (!found) return []
    const words = relation ? wordsOf(relation.verb, relation.to === id) : null
    return [{ ...presentResource(found), verb: relation?.verb ?? null, text: words }]
  })
  return { ...ends, steps, text: pathText(ends, steps), ...presentReading(snapshot) }
}

function wayBetween(
  { index }: Snapshot,
  from: string,
  to: string,
  follows?: (verb: RelationVerb) => boolean,
): PathStep[] | undefined {
  for (const direction of ['needs', 'needed_by', 'both'] as const) {
    const options = { direction, depth: relationLimits.depth, ...(follows && { follows }) }
    const path = shortestPath(index, from, to, options)
    if (path) return path
  }
  return undefined
}

const wordsOf = (verb: RelationVerb, isForward: boolean) =>
  isForward ? relationRules[verb].text : relationRules[verb].reverse

function pathText(
  { from, to }: { from: { name: string }; to: { name: string } },
  steps: readonly { kind: string }[],
): string {
  if (steps.length === 0)
    return `No way of at most ${relationLimits.depth} steps leads from ${from.name} to ${to.name}.`
  if (steps.length === 1) return `${from.name} is both ends of the way.`
  const count = steps.length - 1
  const between = countsOfKinds(steps.slice(1, -1).map(({ kind }) => kind))
  const way = `${from.name} leads to ${to.name} in ${count === 1 ? '1 step' : `${count} steps`}`
  return `${way}${between === '' ? '' : `, by ${between}`}.`
}
