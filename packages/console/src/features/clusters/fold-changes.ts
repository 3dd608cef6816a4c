import type { ChangeEntry } from '@bey/contract'

export interface FoldedChange {
  change: ChangeEntry
  /** How many equal ones it stands for, of all pods of one workload. */
  count: number
}

/** Warnings may take so much of the room while there is more that somebody did. */
const warningShare = 0.4

/** `web-6b7d9c8f5d-x2v4q` of the pods of a Deployment, `db-0` of a StatefulSet: what their names differ in. */
const podSuffix = /-(?:[a-z0-9]{6,10}-[a-z0-9]{5}|[a-z0-9]{5}|\d+)$/

/** The name that all pods of a workload begin with. */
export const workloadOf = (pod: string) => pod.replace(podSuffix, '') || pod

/**
 * Changes, newest first: warnings with the same reason about pods of the same workload are one, at the time of the newest. Of more
 * than `room` the newest are kept; warnings take a share of it at most, so that what somebody did is not lost among them.
 */
export function foldChanges(changes: readonly ChangeEntry[], room = Infinity): FoldedChange[] {
  const folded = new Map<string, FoldedChange>()
  for (const change of changes) {
    const key = foldKey(change)
    const known = folded.get(key)
    if (known) known.count += 1
    else folded.set(key, { change, count: 1 })
  }
  const all = [...folded.values()]
  if (all.length <= room) return all
  const isWarning = ({ change }: FoldedChange) => change.kind === 'event'
  const warnings = all.filter(isWarning)
  const others = all.filter((each) => !isWarning(each))
  const warningCount = Math.max(
    room - others.length,
    Math.min(warnings.length, Math.floor(room * warningShare)),
  )
  const kept = new Set([...warnings.slice(0, warningCount), ...others.slice(0, room - warningCount)])
  return all.filter((each) => kept.has(each))
}

function foldKey({ key, kind, title, object }: ChangeEntry): string {
  if (kind !== 'event' || object === null) return key
  const reason = title.slice(0, title.indexOf(':'))
  const name = object.kind === 'Pod' ? workloadOf(object.name) : object.name
  return [reason, object.kind, object.namespace, name].join('/')
}

/** "BackOff: receipts-mailer × 3"; the address of the entry has the name of the pod. */
export function foldedTitle({ change, count }: FoldedChange): string {
  const { kind, title, object } = change
  if (kind !== 'event' || object === null) return title
  const reason = title.slice(0, title.indexOf(':'))
  const name = object.kind === 'Pod' ? workloadOf(object.name) : object.name
  return `${reason}: ${name}${count > 1 ? ` × ${count}` : ''}`
}
