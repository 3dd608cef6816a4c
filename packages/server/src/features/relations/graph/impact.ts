import {
  type ImpactTime,
  impactTimes,
  neededKinds,
  placeVerbs,
  type Relation,
  type RelationEffect,
  relationRules,
  type RelationVerb,
} from '@bey/contract'
import type { RelationIndex } from './index-relations.ts'

export type ImpactAct = 'fails' | 'deleted'

/** What happens to one resource, and by which relation it is reached. */
export type Reached = {
  id: string
  /**
   * `partly`: it loses some of what it needs and goes on with the rest. `rules_end`: it goes on without network rules.
   */
  effect: 'goes_with' | 'stops' | 'partly' | 'rules_end'
  when: ImpactTime
  /** Relations from the resource that fails or is deleted. */
  step: number
  /** The resource before it on the way. */
  by: string
  verb: RelationVerb
  /** Of several resources that it needs: how many stop, and how many there are. */
  lost?: { count: number; of: number }
}

export type Impact = {
  /** In the order of time, then of steps. */
  reached: Reached[]
  /** Ids of what nothing uses any more. Empty where nothing is deleted. */
  unused: string[]
  /** Ids of what was created by a deleted member and stays. */
  kept: string[]
}

type Place = { isGone: boolean; when: number; step: number }

/**
 * What a failure or a deletion reaches. What is deleted along comes first; then each resource stops at the earliest time
 * at which something that it needs has stopped. A resource is settled once, so that cycles end, and every relation is
 * looked at a bounded number of times.
 */
export function impactOf(index: RelationIndex, start: string, act: ImpactAct): Impact {
  const settled = new Map<string, Place>([[start, { isGone: act === 'deleted', when: 0, step: 0 }]])
  const reached = new Map<string, Reached>()
  if (act === 'deleted') deleteAlong(index, start, settled, reached)
  const stops = createStops(index, settled, reached)
  for (const id of settled.keys()) stops.follow(id)
  stops.run()
  const gone = new Set([...settled].flatMap(([id, { isGone }]) => (isGone ? id : [])))
  return {
    reached: [...reached.values()].toSorted(byTime),
    unused: act === 'deleted' ? unusedBeside(index, gone, settled) : [],
    kept:
      act === 'deleted'
        ? index.neededBy(start).flatMap(({ verb, from }) => (verb === 'created_by' ? from : []))
        : [],
  }
}

const timeOf = (when: number): ImpactTime => impactTimes[when] ?? 'at_once'

function byTime(a: Reached, b: Reached): number {
  return impactTimes.indexOf(a.when) - impactTimes.indexOf(b.when) || a.step - b.step
}

function deleteAlong(
  index: RelationIndex,
  start: string,
  settled: Map<string, Place>,
  reached: Map<string, Reached>,
): void {
  let edge = [start]
  for (let step = 1; edge.length > 0; step += 1) {
    const next: string[] = []
    for (const id of edge) {
      for (const { from, verb } of index.neededBy(id)) {
        if (settled.has(from) || relationRules[verb].whenDeleted !== 'goes_with') continue
        settled.set(from, { isGone: true, when: 0, step })
        reached.set(from, { id: from, effect: 'goes_with', when: 'at_once', step, by: id, verb })
        next.push(from)
      }
    }
    edge = next
  }
}

/** Resources that stop, in the order of time and then of steps. */
function createStops(index: RelationIndex, settled: Map<string, Place>, reached: Map<string, Reached>) {
  type Stop = {
    id: string
    when: number
    step: number
    by: string
    verb: RelationVerb
    lost?: Reached['lost']
  }
  /** By time, then by step. */
  const queue: Stop[][][] = impactTimes.map(() => [])
  /** Of resources that need several: how many of them have stopped, and how many there are. */
  const losses = new Map<string, { count: number; of: number }>()

  function add(stop: Stop): void {
    const steps = queue[stop.when]
    if (steps) (steps[stop.step] ??= []).push(stop)
  }

  function loseOne(
    key: string,
    all: () => readonly Relation[],
    verb: RelationVerb,
  ): { count: number; of: number } {
    const before = losses.get(key)
    const of = before?.of ?? all().filter((each) => each.verb === verb).length
    const lost = { count: (before?.count ?? 0) + 1, of }
    losses.set(key, lost)
    return lost
  }

  function reach(id: string, place: Place, relation: Relation, effect: RelationEffect): void {
    const { verb, from } = relation
    if (settled.has(from)) return
    const step = place.step + 1
    if (effect === 'none' || effect === 'goes_with') return
    if (effect === 'rules_end') {
      if (!reached.has(from))
        reached.set(from, { id: from, effect, when: timeOf(place.when), step, by: id, verb })
      return
    }
    const when = Math.max(place.when, impactTimes.indexOf(effect))
    if (!relationRules[verb].needsAll) return add({ id: from, when, step, by: id, verb })
    const lost = loseOne(`${from} needs ${verb}`, () => index.needs(from), verb)
    partlyOrWhole(from, { when, step, by: id, verb }, lost)
  }

  function partlyOrWhole(
    id: string,
    stop: Omit<Stop, 'id' | 'lost'>,
    lost: { count: number; of: number },
  ): void {
    if (lost.count >= lost.of) return add({ id, ...stop, lost })
    const { when, ...rest } = stop
    const before = reached.get(id)
    if (!before || before.effect === 'partly')
      reached.set(id, { id, effect: 'partly', when: before?.when ?? timeOf(when), ...rest, lost })
  }

  function follow(id: string): void {
    const place = settled.get(id)
    if (!place) return
    for (const relation of index.neededBy(id)) {
      const { whenDeleted, whenFails } = relationRules[relation.verb]
      reach(id, place, relation, place.isGone ? whenDeleted : whenFails)
    }
    for (const { to, verb } of index.needs(id)) {
      if (!relationRules[verb].livesByThem || settled.has(to)) continue
      const lost = loseOne(`${to} lives by ${verb}`, () => index.neededBy(to), verb)
      partlyOrWhole(to, { when: place.when, step: place.step + 1, by: id, verb }, lost)
    }
  }

  return {
    follow,
    run() {
      for (const [when, steps] of queue.entries()) {
        // Grows while it is gone through: what follows from a step is at the same time or later.
        for (let step = 0; step < steps.length; step += 1) {
          for (const { id, by, verb, lost } of steps[step] ?? []) {
            if (settled.has(id)) continue
            settled.set(id, { isGone: false, when, step })
            reached.set(id, {
              id,
              effect: 'stops',
              when: timeOf(when),
              step,
              by,
              verb,
              ...(lost && { lost }),
            })
            follow(id)
          }
        }
      }
    },
  }
}

/** What the deleted resources used and nothing else does. */
function unusedBeside(
  index: RelationIndex,
  gone: ReadonlySet<string>,
  settled: ReadonlyMap<string, Place>,
): string[] {
  const candidates = new Set<string>()
  for (const id of gone)
    for (const { to, verb } of index.needs(id))
      if (!placeVerbs.has(verb) && !settled.has(to) && neededKinds.has(kindOf(to))) candidates.add(to)
  return [...candidates].filter((id) =>
    index.neededBy(id).every(({ from, verb }) => placeVerbs.has(verb) || gone.has(from)),
  )
}

/** The kind that an id begins with. */
export function kindOf(id: string): string {
  return id.slice(0, id.indexOf(':'))
}
