import { type Impact, type ImpactRow, relationLimits } from '@bey/contract'
import { type ImpactAct, impactOf } from './graph/impact.ts'
import { consequenceOf, impactText } from './impact-text.ts'
import { countsOfKinds, presentGroup, presentReading, presentResource } from './present.ts'
import { resourceOf, type Snapshot } from './snapshot.ts'

/** What a failure or deletion of a resource reaches. Throws AppError `not_found`. */
export function presentImpact(snapshot: Snapshot, id: string, act: ImpactAct): Impact {
  const resource = resourceOf(snapshot, id)
  const { resources, index } = snapshot
  const { reached, unused, kept } = impactOf(index, id, act)
  const rows = reached.flatMap((each): ImpactRow[] => {
    const found = resources.get(each.id)
    if (!found || each.effect === 'goes_with') return []
    const { effect, when, step } = each
    const by = resources.get(each.by)?.name ?? each.by
    return [{ ...presentResource(found), effect, when, step, text: consequenceOf(each), by }]
  })
  const goesWith = presentGroup(
    snapshot,
    reached.flatMap(({ id: each, effect }) => (effect === 'goes_with' ? each : [])),
  )
  return {
    resource: presentResource(resource),
    act,
    text: impactText(resource.name, act, { rows, goesWith: goesWith.total }, resources.size),
    total: reached.length,
    of: resources.size,
    rows: rows.slice(0, relationLimits.rows),
    rowTotal: rows.length,
    steps: stepsOf(rows),
    reached: reached.slice(0, relationLimits.drawn).map(({ id: each, step }) => ({ id: each, step })),
    goesWith,
    unused: presentGroup(snapshot, unused),
    kept: presentGroup(snapshot, kept),
    ...presentReading(snapshot),
  }
}

/** The resources of each step together, with the earliest time among them. */
function stepsOf(rows: readonly ImpactRow[]): Impact['steps'] {
  const steps = new Map<number, ImpactRow[]>()
  for (const row of rows) {
    const found = steps.get(row.step)
    if (found) found.push(row)
    else steps.set(row.step, [row])
  }
  return [...steps]
    .toSorted(([a], [b]) => a - b)
    .slice(0, relationLimits.rows)
    .map(([step, all]) => ({
      step,
      when: all[0]?.when ?? 'at_once',
      total: all.length,
      text: countsOfKinds(all.map(({ kind }) => kind)),
    }))
}
