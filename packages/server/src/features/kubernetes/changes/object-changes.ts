import type { Clock } from '../../../platform/clock.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import { keptObject, maxKeptBytes } from './kept-object.ts'
import type { RecordedResource } from './recorded-resources.ts'
import type { ObservedCluster, WatchedRow } from './row-sources.ts'
import type { VersionRow } from './version-store.ts'

/** What is recorded of an object: its newest version. `version` is that of its row, null where none was seen. */
export type RecordedObject = { uid: string; hash: string; version: string | null; at: Date }

/** By `namespace/name`. */
export type RecordedObjects = ReadonlyMap<string, RecordedObject>

export type Difference = {
  /** Rows that are not as they were recorded. */
  changed: readonly [string, WatchedRow][]
  /** Of those, the whole objects. */
  objects: ReadonlyMap<string, Record<string, unknown>>
  /** Recorded objects that are there no more. */
  gone: readonly [string, RecordedObject][]
  /** Objects of the first look at a cluster are found, not created. */
  isFirstLook: boolean
  clock: Clock
}

/** The versions to write, and what is recorded of the changed objects once they are written. */
export function versionsOf(
  { id: clusterId, organizationId }: ObservedCluster,
  resource: RecordedResource,
  known: RecordedObjects,
  { changed, objects, gone, isFirstLook, clock }: Difference,
): { versions: VersionRow[]; next: Map<string, RecordedObject> } {
  const versions: VersionRow[] = []
  const next = new Map<string, RecordedObject>()
  const base = { organizationId, clusterId, resource: resource.name, kind: resource.kind }
  for (const [key, row] of changed) {
    const whole = objects.get(key)
    if (!whole) continue
    const kept = keptObject(whole)
    const before = known.get(key)
    const isSame = before?.uid === row.uid && before.hash === kept.hash
    const change = isFirstLook ? 'found' : before ? 'updated' : 'created'
    const at = isSame ? before.at : timeOf(change, row, kept.writtenAt, before?.at, clock)
    next.set(key, { uid: row.uid, hash: kept.hash, version: row.version, at })
    if (isSame) continue
    versions.push({
      ...base,
      id: uuidv7(),
      namespace: row.namespace,
      name: row.name,
      uid: row.uid,
      at,
      change,
      manager: kept.manager?.slice(0, 128) ?? null,
      hash: kept.hash,
      bytes: kept.bytes,
      object: kept.bytes > maxKeptBytes ? null : kept.object,
    })
  }
  for (const [key, { uid, at: before }] of gone) {
    const [namespace = '', name = ''] = key.split('/')
    const at = timeOf('deleted', undefined, null, before, clock)
    const rest = { namespace, name, uid, at, manager: null, hash: '', bytes: 0, object: null }
    versions.push({ ...base, ...rest, id: uuidv7(), change: 'deleted' })
  }
  return { versions, next }
}

/** Objects say in whole seconds when they were written. */
const secondMs = 1_000

/**
 * When it was written, as the object says; a found object was not written now. Always later than the version before, so that
 * versions stand in the order in which they were seen: of two in one second, the second one is a millisecond later.
 */
function timeOf(
  change: string,
  row: WatchedRow | undefined,
  writtenAt: string | null,
  before: Date | undefined,
  clock: Clock,
): Date {
  const nowMs = clock.now().getTime()
  const saidMs = Date.parse((change === 'created' ? row?.createdAt : writtenAt) ?? '')
  const isKnown = change !== 'found' && saidMs <= nowMs
  const atMs = isKnown ? saidMs : nowMs
  if (before === undefined || atMs > before.getTime()) return new Date(atMs)
  const nextMs = before.getTime() + 1
  const isSameSecond = isKnown && nextMs < saidMs + secondMs
  // The time of the comparison would be later than what the change broke.
  return new Date(isSameSecond ? nextMs : Math.max(nowMs, nextMs))
}
