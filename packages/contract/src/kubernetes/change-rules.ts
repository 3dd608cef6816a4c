import type { ChangeEntry } from './changes.ts'

/** `web-6b7d9c8f5d-x2v4q` of the pods of a Deployment, `db-0` of a StatefulSet: what their names differ in. */
const podSuffix = /-(?:[a-z0-9]{6,10}-[a-z0-9]{5}|[a-z0-9]{5}|\d+)$/

/** The name that all pods of a workload begin with. */
export const podPrefix = (pod: string) => pod.replace(podSuffix, '') || pod

/**
 * Changes, newest first: warnings of one reason about one object, or about pods of one workload, are one entry at the time
 * of the newest, called "BackOff: receipts-mailer × 3"; its object is that of the newest.
 */
export function foldWarnings(changes: readonly ChangeEntry[]): ChangeEntry[] {
  const folded = new Map<string, ChangeEntry>()
  for (const change of changes) {
    const key = foldKey(change)
    const known = folded.get(key)
    folded.set(key, known ? { ...known, count: known.count + change.count } : change)
  }
  return [...folded.values()].map(titled)
}

function foldKey({ key, kind, title, object }: ChangeEntry): string {
  if (kind !== 'event' || object === null) return key
  return [reasonOf(title), object.kind, object.namespace, nameOf(object)].join('/')
}

function titled(change: ChangeEntry): ChangeEntry {
  const { kind, title, object, count } = change
  if (kind !== 'event' || object === null) return change
  return { ...change, title: `${reasonOf(title)}: ${nameOf(object)}${count > 1 ? ` × ${count}` : ''}` }
}

const nameOf = ({ kind, name }: NonNullable<ChangeEntry['object']>) =>
  kind === 'Pod' ? podPrefix(name) : name

const reasonOf = (title: string) => title.slice(0, title.indexOf(':'))
