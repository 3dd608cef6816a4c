import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Connect } from '../connection/ports.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { readChangedObjects } from './changed-objects.ts'
import type { RecordedObject } from './object-changes.ts'
import { versionsOf } from './object-changes.ts'
import type { ObservedCluster, RowSource } from './row-sources.ts'
import type { VersionRow } from './version-store.ts'
import { insertVersions, latestHashes, trimCluster, trimClusterBytes } from './version-store.ts'

export type RecorderDeps = {
  database: Database
  client: KubeClient
  connect: Connect
  clock: Clock
  log: Log
}

/** After a failure, for the cluster or the database may be away. */
const retryMs = 10_000
/** So much of one resource may be written before the bytes of the cluster are looked at again. */
const trimEveryBytes = 1024 * 1024

export type ResourceRecorder = {
  /** Compares after what changes together was gathered, or after `delayMs`. */
  changed(delayMs?: number): void
  stop(): void
}

/** Records one resource: `changed` says that its rows may differ from what is recorded. */
export function recordResource(
  cluster: ObservedCluster,
  source: RowSource,
  deps: RecorderDeps,
): ResourceRecorder {
  const { clock, log } = deps
  const { resource, gatherMs } = source
  const comparison = createComparison(cluster, source, deps)
  let isStopped = false
  let isBusy = false
  let isStale = false
  let cancel: (() => void) | undefined

  function changed(delayMs = gatherMs): void {
    if (isStopped) return
    if (isBusy) isStale = true
    else cancel ??= clock.setTimeout(() => void compare(), delayMs)
  }

  async function compare(): Promise<void> {
    cancel = undefined
    isBusy = true
    let delayMs = gatherMs
    try {
      await comparison.compare()
    } catch (error) {
      log.debug(
        { err: error, clusterId: cluster.id, resource: resource.name },
        'Changes were not recorded; it will be retried',
      )
      isStale = true
      delayMs = retryMs
    }
    isBusy = false
    if (!isStale) return
    isStale = false
    changed(delayMs)
  }

  return {
    changed,
    stop() {
      isStopped = true
      cancel?.()
    },
  }
}

/** Compares the rows of one resource with what is recorded of it, and records what differs. */
function createComparison(
  cluster: ObservedCluster,
  source: RowSource,
  deps: RecorderDeps,
): { compare(): Promise<void> } {
  const { database, clock } = deps
  const { resource } = source
  const { id: clusterId, organizationId } = cluster
  /** By `namespace/name`; undefined until the database was asked. */
  let known: Map<string, RecordedObject> | undefined
  let isFirstLook = false
  let untrimmedBytes = 0

  async function recorded(): Promise<Map<string, RecordedObject>> {
    const hashes = await database.readTenant(organizationId, (db) =>
      latestHashes(db, clusterId, resource.name),
    )
    return new Map([...hashes].map(([key, each]) => [key, { ...each, version: null }]))
  }

  async function write(versions: readonly VersionRow[]): Promise<void> {
    for (let from = 0; from < versions.length; from += 200) {
      const part = versions.slice(from, from + 200)
      await database.withTenant(organizationId, (db) => insertVersions(db, part))
    }
    if (versions.length > 0) await trim(versions)
  }

  /** Bytes are summed over the whole cluster, so not at every change. */
  async function trim(versions: readonly VersionRow[]): Promise<void> {
    untrimmedBytes += versions.reduce((sum, { bytes }) => sum + bytes, 0)
    const isMuch = untrimmedBytes > trimEveryBytes
    await database.withTenant(organizationId, async (db) => {
      await trimCluster(db, clusterId)
      if (isMuch) await trimClusterBytes(db, clusterId)
    })
    if (isMuch) untrimmedBytes = 0
  }

  return {
    async compare() {
      const current = await source.read()
      // Of a kind with more objects none is recorded: the oldest versions of all others would go for it.
      if (!current.isLive || current.rows.length > source.maxObjects) return
      if (!known) {
        known = await recorded()
        isFirstLook = known.size === 0
      }
      const before = known
      const rows = new Map(current.rows.map((row) => [`${row.namespace}/${row.name}`, row]))
      const changed = [...rows].filter(([key, row]) => {
        const each = before.get(key)
        return !each || each.version !== row.version || each.uid !== row.uid
      })
      const gone = [...before].filter(([key]) => !rows.has(key))
      const objects = await readChangedObjects(
        deps,
        cluster,
        resource,
        changed.map(([, row]) => row),
      )
      const difference = { changed, objects, gone, isFirstLook, clock }
      const { versions, next } = versionsOf(cluster, resource, before, difference)
      await write(versions)
      for (const [key, each] of next) before.set(key, each)
      for (const [key] of gone) before.delete(key)
      isFirstLook = false
    },
  }
}
