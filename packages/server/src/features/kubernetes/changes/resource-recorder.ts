import type { Clock } from '../../../platform/clock.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import type { Connect } from '../connection/ports.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError, listPath } from '../watch/kube-client.ts'
import { objectFormat } from '../watch/list-format.ts'
import { keptObject, maxKeptBytes } from './kept-object.ts'
import type { ObservedCluster, RowSource, WatchedRow } from './row-sources.ts'
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
const timeoutMs = 15_000
/** More changed objects than this are read as a list. */
const maxSingleReads = 20
/** So much of one resource may be written before the bytes of the cluster are looked at again. */
const trimEveryBytes = 1024 * 1024

type Known = { uid: string; hash: string; version: string | null; at: Date }

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
  const { database, clock, log } = deps
  const { resource, gatherMs } = source
  const { id: clusterId, organizationId } = cluster
  /** By `namespace/name`; undefined until the database was asked. */
  let known: Map<string, Known> | undefined
  /** Objects of the first look at a cluster are found, not created. */
  let isFirstLook = false
  let untrimmedBytes = 0
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
      await compareOnce()
    } catch (error) {
      log.debug(
        { err: error, clusterId, resource: resource.name },
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

  async function compareOnce(): Promise<void> {
    const current = await source.read()
    // Of a kind with more objects none is recorded: the oldest versions of all others would go for it.
    if (!current.isLive || current.rows.length > source.maxObjects) return
    if (!known) {
      const hashes = await database.readTenant(organizationId, (db) =>
        latestHashes(db, clusterId, resource.name),
      )
      known = new Map([...hashes].map(([key, each]) => [key, { ...each, version: null }]))
      isFirstLook = known.size === 0
    }
    const rows = new Map(current.rows.map((row) => [`${row.namespace}/${row.name}`, row]))
    const differing = [...rows].filter(([key, row]) => {
      const before = known?.get(key)
      return !before || before.version !== row.version || before.uid !== row.uid
    })
    const gone = [...known].filter(([key]) => !rows.has(key))
    if (differing.length > 0 || gone.length > 0) await recordDifferences(differing, gone)
    isFirstLook = false
  }

  async function recordDifferences(
    differing: readonly [string, WatchedRow][],
    gone: readonly [string, Known][],
  ): Promise<void> {
    const objects = await readObjects(differing.map(([, row]) => row))
    await record(differing, objects, gone)
  }

  async function readObjects(rows: readonly WatchedRow[]): Promise<Map<string, Record<string, unknown>>> {
    if (rows.length === 0) return new Map()
    const connection = await deps.connect(organizationId, clusterId)
    const found = new Map<string, Record<string, unknown>>()
    const read = async (path: string) =>
      deps.client.get(connection, path, AbortSignal.timeout(timeoutMs), { timeoutMs })
    if (rows.length > maxSingleReads) {
      let token: string | undefined
      do {
        const page = objectFormat.page(await read(listPath(resource.path, token)))
        for (const object of page?.objects ?? []) found.set(keyOf(object), typed(object))
        token = page?.continueToken
      } while (token)
      return found
    }
    for (const row of rows) {
      try {
        found.set(`${row.namespace}/${row.name}`, (await read(pathOf(row))) as Record<string, unknown>)
      } catch (error) {
        // Deleted meanwhile: the watch says so next.
        if (!(error instanceof KubeError && error.status === 404)) throw error
      }
    }
    return found
  }

  function pathOf({ namespace, name }: WatchedRow): string {
    if (namespace === '') return `${resource.path}/${encodeURIComponent(name)}`
    const at = resource.path.lastIndexOf('/')
    const [api, plural] = [resource.path.slice(0, at), resource.path.slice(at)]
    return `${api}/namespaces/${namespace}${plural}/${encodeURIComponent(name)}`
  }

  /** Lists leave out what each object would say of itself. */
  function typed(object: object): Record<string, unknown> {
    return { kind: resource.kind, ...object }
  }

  async function record(
    differing: readonly [string, WatchedRow][],
    objects: ReadonlyMap<string, Record<string, unknown>>,
    gone: readonly [string, Known][],
  ): Promise<void> {
    const versions: VersionRow[] = []
    const next = new Map<string, Known>()
    const base = { organizationId, clusterId, resource: resource.name, kind: resource.kind }
    for (const [key, row] of differing) {
      const whole = objects.get(key)
      if (!whole) continue
      const kept = keptObject(whole)
      const before = known?.get(key)
      const isSame = before?.uid === row.uid && before.hash === kept.hash
      const change = isFirstLook ? 'found' : before ? 'updated' : 'created'
      const at = isSame ? before.at : timeOf(change, row, kept.writtenAt, before?.at)
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
      const at = timeOf('deleted', undefined, null, before)
      const rest = { namespace, name, uid, at, manager: null, hash: '', bytes: 0, object: null }
      versions.push({ ...base, ...rest, id: uuidv7(), change: 'deleted' })
    }
    for (let from = 0; from < versions.length; from += 200) {
      const part = versions.slice(from, from + 200)
      await database.withTenant(organizationId, (db) => insertVersions(db, part))
    }
    if (versions.length > 0) await trim(versions)
    for (const [key, each] of next) known?.set(key, each)
    for (const [key] of gone) known?.delete(key)
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

  /**
   * When it was written, as the object says, in whole seconds; a found object was not written now. Always later than the
   * version before, so that versions stand in the order in which they were seen.
   */
  function timeOf(
    change: string,
    row: WatchedRow | undefined,
    writtenAt: string | null,
    before: Date | undefined,
  ): Date {
    const nowMs = clock.now().getTime()
    const saidMs = Date.parse((change === 'created' ? row?.createdAt : writtenAt) ?? '')
    const isKnown = change !== 'found' && saidMs <= nowMs
    const atMs = isKnown ? saidMs : nowMs
    if (before === undefined || atMs > before.getTime()) return new Date(atMs)
    return new Date(Math.max(nowMs, before.getTime() + 1))
  }

  return {
    changed,
    stop() {
      isStopped = true
      cancel?.()
    },
  }
}

function keyOf(object: { metadata?: { namespace?: string; name?: string } }): string {
  return `${object.metadata?.namespace ?? ''}/${object.metadata?.name ?? ''}`
}
