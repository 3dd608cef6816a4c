import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { keptObject, maxKeptBytes } from './kept-object.ts'
import { recordedResources } from './recorded-resources.ts'
import { insertVersions, recordedSince, type VersionRow } from './version-store.ts'

type PastVersion = { atMs: number; object: Record<string, unknown> }

/**
 * Records what objects of a cluster said in an unwatched past, as the recorder would have: the first version of
 * an object as created, later ones as updated.
 */
export async function recordPast(
  db: Db,
  { organizationId, clusterId }: { organizationId: number; clusterId: number },
  versions: readonly PastVersion[],
): Promise<void> {
  // Kept before, by a process that ended before it could say so.
  const since = await recordedSince(db, clusterId)
  const first = versions[0]?.atMs
  if (first === undefined || (since !== null && since.getTime() <= first)) return
  const seen = new Set<string>()
  const rows = new Map<string, VersionRow[]>()
  for (const { atMs, object } of versions) {
    const resource = recordedResources.find(({ kind }) => kind === object['kind'])
    // What the sandbox wrote has the metadata of every Kubernetes object.
    const metadata = object['metadata'] as { name: string; namespace?: string; uid: string }
    if (!resource) continue
    const kept = keptObject(object)
    const key = `${resource.name} ${metadata.namespace ?? ''}/${metadata.name}`
    const row: VersionRow = {
      id: uuidv7(),
      organizationId,
      clusterId,
      resource: resource.name,
      kind: resource.kind,
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      uid: metadata.uid,
      at: new Date(atMs),
      change: seen.has(key) ? 'updated' : 'created',
      manager: kept.manager,
      hash: kept.hash,
      bytes: kept.bytes,
      object: kept.bytes > maxKeptBytes ? null : kept.object,
    }
    seen.add(key)
    rows.set(resource.name, [...(rows.get(resource.name) ?? []), row])
  }
  for (const each of rows.values()) await insertVersions(db, each)
}
