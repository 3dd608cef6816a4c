import { type ImpactTime, impactTimes } from '@bey/contract'
import type { Impact, ImpactRow } from '../../data/relations.ts'

/** One line of what breaks: a resource, or the pods of a workload together. */
export interface ImpactLine {
  key: string
  name: string
  text: string
  when: ImpactTime
  isDanger: boolean
  /** Pods that it stands for; 0 for a resource of another kind. */
  pods: number
}

/** Pods that stop for the same reason at the same time are one line: their workload has a line of its own. */
export function impactLines(rows: readonly ImpactRow[]): ImpactLine[] {
  const lines = new Map<string, ImpactLine>()
  for (const row of rows) {
    const { id, kind, name, text, when, effect, by } = row
    const key = kind === 'pod' ? `pods ${when} ${by} ${text}` : id
    const found = lines.get(key)
    if (found) {
      found.pods += 1
      found.name = `${found.pods} pods`
    } else {
      const isDanger = effect === 'stops' && when === 'at_once'
      lines.set(key, { key, name, text, when, isDanger, pods: kind === 'pod' ? 1 : 0 })
    }
  }
  return [...lines.values()].toSorted((a, b) => impactTimes.indexOf(a.when) - impactTimes.indexOf(b.when))
}

/** How many resources a newer reading reaches that the one on screen does not. */
export function newlyReached(shown: Impact, now: Impact): number {
  const known = new Set(shown.reached.map(({ id }) => id))
  const found = now.reached.filter(({ id }) => !known.has(id)).length
  // Beyond the listed ones only their number tells.
  return Math.max(found, now.total - shown.total, 0)
}
