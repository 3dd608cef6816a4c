import type { CallOutput, Health, ObjectColumn, ParsedInput, Role, VolumeUsage } from '@bey/contract'
import { bytes, isMeasuredStorage, kubernetesPath } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import type { ClusterSummaries, ClusterSummary } from '../connection/ports.ts'
import { countStates } from '../health/assess.ts'
import { namespacesOf } from '../reads/all-workloads.ts'
import { clusterTimeoutMs, freshnessOf, patienceMs, readEachCluster } from '../reads/each-cluster.ts'
import { labelMatcher } from '../watch/label-matcher.ts'
import { nameMatcher, pageOf } from '../reads/page.ts'
import type { PodEntry } from '../watch/entries.ts'
import type { Cell } from '../watch/list-format.ts'
import type { RowEntry } from '../watch/row-entry.ts'
import { byText } from '../watch/table.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { VolumeUsage as VolumeUsages } from '../volumes/volume-usage.ts'
import type { Discovery } from './discovery-cache.ts'
import { requireReadable } from './fetch-object.ts'
import { byServiceHealth, readServiceHealth, servicesResource } from './service-health-reader.ts'
import { byCell } from './row-orders.ts'
import { byUsage, isNearlyFull, usageReader } from './storage-usage.ts'

type Row = {
  row: RowEntry
  cluster: ClusterSummary
  /** In the order of the columns of the whole list. */
  cells: Cell[]
  unused: string | null
  /** Of services alone. */
  health: Health | null
  usage: VolumeUsage | null
}

/** Objects of one resource of all running clusters of an organization. Throws AppError `forbidden` for Secrets. */
export function createAllObjects(deps: {
  clusters: ClusterSummaries
  cache: WatchCache
  discovery: Discovery
  volumes: Pick<VolumeUsages, 'read'>
  clock: Clock
}) {
  const { clusters: summaries, cache, discovery, volumes, clock } = deps
  return async (
    { organizationId, role }: { organizationId: number; role: Role },
    resource: string,
    query: ParsedInput<'kubernetes.allObjects'>['query'],
  ): Promise<CallOutput<'kubernetes.allObjects'>> => {
    requireReadable(role, { plural: resource.split('.')[0] ?? '' })
    const { read, clusters, unreadable } = await readEachCluster(
      summaries,
      { organizationId, clusterId: query.cluster },
      async (cluster) => {
        const info = await within(cluster, discovery.find(cluster, resource))
        const watched = { name: resource, path: kubernetesPath(info), isNamespaced: info.isNamespaced }
        const rows = await cache.readRowsPart(cluster, watched, patienceMs, clusterTimeoutMs)
        const healthOf = await readServiceHealth(
          resource,
          (kinds) => cache.read(cluster, kinds, clusterTimeoutMs),
          clock,
        )
        if (!isMeasuredStorage(resource))
          return { info, ...rows, healthOf, usedClaims: claimsOf([]), measurement: undefined }
        const cached = await cache.read(cluster, ['pods'], clusterTimeoutMs)
        const measurement = await volumes.read(cluster, cached)
        const usedClaims = claimsOf(cached.table('pods').values())
        return { info, ...rows, healthOf, usedClaims, measurement }
      },
    )
    const columns = sharedColumns(read.map(({ found }) => found.columns))
    const isNamed = nameMatcher(query.search)
    const isLabelled = labelMatcher(query.labels)
    const counted: Row[] = []
    for (const { cluster, found } of read) {
      const places = columns.map(({ name }) => found.columns.findIndex((each) => each.name === name))
      const status = found.columns.findIndex((each) => each.name.toLowerCase() === 'status')
      const usageOf = usageReader(resource, found.columns, found.measurement)
      for (const row of found.table.values()) {
        if (query.namespace !== undefined && row.namespace !== query.namespace) continue
        if (!isNamed(row) || !isLabelled(row)) continue
        const unused = unusedReason(resource, row, row.cells[status] ?? null, found.usedClaims)
        if (query.unused === 'true' && unused === null) continue
        const usage = usageOf(row)
        if (query.nearlyFull === 'true' && !isNearlyFull(usage)) continue
        const cells = places.map((place) => row.cells[place] ?? null)
        counted.push({ row, cluster, cells, unused, health: found.healthOf(row), usage })
      }
    }
    const matching = counted.filter(({ health }) => !query.health || health?.state === query.health)
    const compare = orderOf(query, columns)
    matching.sort((a, b) => compare(a, b) || byPlace(a, b))
    const { rows, total } = pageOf(matching, query, () => true)
    return {
      columns,
      isNamespaced: read.some(({ found }) => found.info.isNamespaced),
      objects: rows.map(
        ({ row: { uid, name, namespace, createdAt }, cluster, cells, unused, health, usage }) => ({
          uid,
          name,
          namespace,
          createdAt,
          cells: cells.map((cell) => (cell === null ? null : String(cell))),
          clusterId: cluster.id,
          cluster: cluster.title,
          unused,
          health,
          usage,
          users: null,
        }),
      ),
      total,
      page: query.page,
      limit: query.limit,
      unusedTotal: matching.filter(({ unused }) => unused !== null).length,
      counts:
        resource === servicesResource ? countStates(counted.flatMap(({ health }) => health ?? [])) : null,
      storage: isMeasuredStorage(resource) ? storageOf(matching, columns) : null,
      namespaces: namespacesOf(read.flatMap(({ found }) => [...found.table.values()])),
      clusters,
      unreadable,
      isPartial: read.some(({ found }) => found.isPartial),
      ...freshnessOf(clusters, clock.now()),
    }
  }

  /** Discovery waits longer for a cluster than a list of all of them may. */
  async function within<T>({ title }: ClusterSummary, work: Promise<T>): Promise<T> {
    let cancel = () => undefined as void
    const late = new Promise<never>((_resolve, reject) => {
      const error = new AppError(
        'cluster_unreachable',
        `The cluster "${title}" does not answer: it took too long.`,
      )
      cancel = clock.setTimeout(() => reject(error), clusterTimeoutMs)
    })
    try {
      return await Promise.race([work, late])
    } finally {
      cancel()
    }
  }
}

/** Columns that any of the clusters prints, by name, in the order of the first that has them. */
function sharedColumns(lists: readonly (readonly ObjectColumn[])[]): ObjectColumn[] {
  const byName = new Map<string, ObjectColumn>()
  for (const { name, type, description, priority } of lists.flat())
    if (!byName.has(name)) byName.set(name, { name, type, description, priority })
  return [...byName.values()].slice(0, 50)
}

/** Claims that pods use, as `namespace/name`. What ended holds nothing, but its claim was not left behind. */
function claimsOf(pods: Iterable<PodEntry>): ReadonlySet<string> {
  const used = new Set<string>()
  for (const { namespace, claims } of pods) for (const claim of claims) used.add(`${namespace}/${claim}`)
  return used
}

/** Why storage serves nobody; null for what is in use, and for other resources. */
function unusedReason(
  resource: string,
  { namespace, name }: RowEntry,
  status: Cell,
  usedClaims: ReadonlySet<string>,
): string | null {
  if (resource === 'persistentvolumeclaims')
    return usedClaims.has(`${namespace}/${name}`) ? null : 'no pod uses it'
  if (resource !== 'persistentvolumes') return null
  if (status === 'Released') return 'its claim is gone'
  if (status === 'Available') return 'no claim has taken it'
  return status === 'Failed' ? 'it could not be taken back' : null
}

/** What claims or volumes hold by the capacity that their clusters print. A claim without a volume holds nothing yet. */
function storageOf(rows: readonly Row[], columns: readonly ObjectColumn[]) {
  const place = columns.findIndex(({ name }) => name.toLowerCase() === 'capacity')
  let capacityBytes = 0
  let unusedBytes = 0
  let usedBytes = 0
  let measuredTotal = 0
  let nearlyFullTotal = 0
  for (const { cells, unused, usage } of rows) {
    const text = cells[place]
    const held = typeof text === 'string' && text !== '' ? Math.round(bytes(text)) : 0
    capacityBytes += held
    if (unused !== null) unusedBytes += held
    if (!usage?.measured) continue
    measuredTotal += 1
    usedBytes += usage.measured.usedBytes
    if (isNearlyFull(usage)) nearlyFullTotal += 1
  }
  return { capacityBytes, unusedBytes, usedBytes, measuredTotal, nearlyFullTotal }
}

function orderOf(
  { sort, order }: { sort: string; order?: 'asc' | 'desc' | undefined },
  columns: readonly ObjectColumn[],
): (a: Row, b: Row) => number {
  if (sort === 'usage') return (a, b) => byUsage(a.usage, b.usage, order)
  if (sort === 'health') return (a, b) => byServiceHealth(a.health, b.health)
  if (sort === 'cluster') return (a, b) => byText(a.cluster.title, b.cluster.title)
  if (sort === 'namespace') return (a, b) => byText(a.row.namespace, b.row.namespace)
  if (sort === 'createdAt') return (a, b) => byText(a.row.createdAt, b.row.createdAt)
  const index = columns.findIndex(({ name }) => name.toLowerCase() === sort.toLowerCase())
  if (sort === 'name' || index === -1) return (a, b) => byText(a.row.name, b.row.name)
  return (a, b) => byCell(a.cells[index] ?? null, b.cells[index] ?? null)
}

const byPlace = (a: Row, b: Row) =>
  byText(a.cluster.title, b.cluster.title) ||
  byText(a.row.namespace, b.row.namespace) ||
  byText(a.row.name, b.row.name)
