import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { ResourceInfo } from '@bey/contract'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log.ts'
import { clusterLists } from '../../../tables/cluster-lists.ts'
import type { KeptTable } from '../watch/kept-tables.ts'
import type { LastKnown } from '../watch/kind-cache.ts'

type ClusterRef = { id: number; organizationId: number }

export type ListSnapshots = {
  /** Keeps what is live of a cluster, each list at most once a minute and only where it changed. Never throws. */
  take(cluster: ClusterRef, tables: readonly KeptTable[]): void
  /** A list as it was kept last; undefined where none was. */
  last(cluster: ClusterRef, key: string): Promise<LastKnown | undefined>
  /** Keeps what a cluster serves, where that changed: lists of resources need it. Never throws. */
  takeServed(cluster: ClusterRef, served: Served): void
  lastServed(cluster: ClusterRef): Promise<Served | undefined>
}

/** What a cluster serves. */
type Served = { resources: ResourceInfo[]; unavailableGroups: string[]; asOf: Date }

const leastPauseMs = 60_000
/** Lists with more rows than this cost time to write, and are kept less often. */
const manyRows = 2_000
const manyRowsPauseMs = 10 * 60_000
/** An unchanged list is as old as the last look at it; said so often. */
const touchPauseMs = 5 * 60_000
/** A list that would take more is not kept: half of one would lie. */
const maxRows = 20_000
const maxBytes = 4 * 1024 * 1024
/** About 36 are read of every cluster; the others are those that somebody looks at. */
const maxLists = 100

/** Under which what a cluster serves stands between its lists. */
const servedKey = 'discovery'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** Lists in the database: the last known state of a cluster that is away when this server starts. */
export function createListSnapshots(deps: {
  database: Pick<Database, 'readTenant' | 'withTenant'>
  clock: Clock
  log: Log
}): ListSnapshots {
  const { database, clock, log } = deps
  const taken = new Map<number, Map<string, { version: number; atMs: number }>>()
  const touchedAtMs = new Map<number, number>()
  const busy = new Set<number>()
  const servedDigests = new Map<number, string>()

  async function keep(cluster: ClusterRef, tables: readonly KeptTable[]): Promise<void> {
    const known = taken.get(cluster.id) ?? new Map<string, { version: number; atMs: number }>()
    taken.set(cluster.id, known)
    const unchanged: string[] = []
    for (const { key, table, columns } of tables) {
      const [version, nowMs] = [table.version(), clock.monotonicMs()]
      const before = known.get(key)
      if (before?.version === version) unchanged.push(key)
      const pauseMs = table.size() > manyRows ? manyRowsPauseMs : leastPauseMs
      if (before && (before.version === version || nowMs - before.atMs < pauseMs)) continue
      known.set(key, { version, atMs: nowMs })
      const asOf = clock.now()
      await write(cluster, key, asOf, { entries: [...table.values()], columns })
    }
    await touch(cluster, unchanged)
  }

  async function write(cluster: ClusterRef, key: string, asOf: Date, value: object): Promise<void> {
    const content = await compress(JSON.stringify(value), { level: 3 })
    if (content.length > maxBytes) return
    await database.withTenant(cluster.organizationId, (db) =>
      db
        .insert(clusterLists)
        .values({ ...place(cluster), key, asOf, content })
        .onConflictDoUpdate({
          target: [clusterLists.organizationId, clusterLists.clusterId, clusterLists.key],
          set: { asOf, content },
        }),
    )
  }

  async function read(cluster: ClusterRef, key: string): Promise<{ asOf: Date; value: unknown } | undefined> {
    const [row] = await database.readTenant(cluster.organizationId, (db) =>
      db
        .select({ asOf: clusterLists.asOf, content: clusterLists.content })
        .from(clusterLists)
        .where(and(eq(clusterLists.clusterId, cluster.id), eq(clusterLists.key, key))),
    )
    if (!row) return undefined
    return { asOf: row.asOf, value: JSON.parse((await decompress(row.content)).toString()) }
  }

  async function touch(cluster: ClusterRef, keys: string[]): Promise<void> {
    const nowMs = clock.monotonicMs()
    if (keys.length === 0 || nowMs - (touchedAtMs.get(cluster.id) ?? -touchPauseMs) < touchPauseMs) return
    touchedAtMs.set(cluster.id, nowMs)
    await database.withTenant(cluster.organizationId, async (db) => {
      await db
        .update(clusterLists)
        .set({ asOf: clock.now() })
        .where(and(eq(clusterLists.clusterId, cluster.id), inArray(clusterLists.key, keys)))
      await db.execute(sql`
        delete from cluster_lists where cluster_id = ${cluster.id} and key in (
          select key from cluster_lists where cluster_id = ${cluster.id}
          order by key = ${servedKey} desc, as_of desc, key offset ${maxLists})`)
    })
  }

  return {
    take(cluster, tables) {
      if (busy.has(cluster.id)) return
      busy.add(cluster.id)
      const worthKeeping = tables.filter(
        (each) => each.isLive && each.table.size() <= maxRows && isShown(each),
      )
      keep(cluster, worthKeeping.slice(0, maxLists))
        .catch((error: unknown) =>
          log.debug({ err: error, clusterId: cluster.id }, 'Lists of a cluster were not kept'),
        )
        .finally(() => busy.delete(cluster.id))
    },
    async last(cluster, key) {
      const found = await read(cluster, key)
      return found && { ...(found.value as Omit<LastKnown, 'asOf'>), asOf: found.asOf }
    },
    takeServed(cluster, { asOf, ...served }) {
      const digest = JSON.stringify(served)
      if (servedDigests.get(cluster.id) === digest) return
      servedDigests.set(cluster.id, digest)
      write(cluster, servedKey, asOf, served).catch((error: unknown) =>
        log.debug({ err: error, clusterId: cluster.id }, 'What a cluster serves was not kept'),
      )
    },
    async lastServed(cluster) {
      const found = await read(cluster, servedKey)
      return found && { ...(found.value as Omit<Served, 'asOf'>), asOf: found.asOf }
    },
  }
}

const place = ({ id, organizationId }: ClusterRef) => ({ clusterId: id, organizationId })

/** What may hold values of secrets is not kept, not even what lists print of it. */
const isShown = ({ key }: KeptTable) => !/secret|credential|password|token/i.test(key)
