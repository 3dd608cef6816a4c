import type { CallOutput, ObjectDetail, ObjectRef, ParsedInput, ResourceInfo, Role } from '@bey/contract'
import { isMeasuredStorage, kubernetesPath } from '@bey/contract'
import type { ClusterSummaries, ClusterSummary, Connect } from '../connection/ports.ts'
import type { Assessor } from '../health/assessor.ts'
import { healthKinds } from '../health/health-kinds.ts'
import { labelMatcher } from '../watch/label-matcher.ts'
import { nameMatcher, pageOf } from '../reads/page.ts'
import { eventRow } from '../reads/rows.ts'
import type { EventEntry } from '../watch/entries.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { byText } from '../watch/table.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { VolumeUsage as VolumeUsages } from '../volumes/volume-usage.ts'
import type { Discovery } from './discovery-cache.ts'
import type { FetchedObject, ObjectAddress } from './fetch-object.ts'
import { createFetchObject, requireReadable } from './fetch-object.ts'
import { healthOfObject } from '../health/object-health.ts'
import { ownedBy } from './owned.ts'
import { redactSecret } from './redact-secret.ts'
import { rowOrder } from './row-orders.ts'
import { byUsage, objectUsage, usageReader } from './storage-usage.ts'

/** A cluster, always by the organization that asks, and the role of whoever asks. */
type Of = { organizationId: number; clusterId: number; role: Role }

const maxEvents = 50
const maxOwned = 200

export type ObjectService = ReturnType<typeof createObjectService>

/**
 * Objects of any resource that a cluster serves. All throw AppError `not_found`, `conflict` while the cluster is not
 * running, `cluster_unreachable`, and `cluster_forbidden` for what Bey may not read there.
 */
export function createObjectService(deps: {
  clusters: ClusterSummaries
  cache: WatchCache
  assessor: Assessor
  discovery: Discovery
  client: KubeClient
  connect: Connect
  /** Somebody reads objects of a kind. */
  onRead: (clusterId: number, info: ResourceInfo) => void
  volumes: Pick<VolumeUsages, 'read'>
}) {
  const { clusters, cache, assessor, discovery, client, connect, volumes } = deps

  const fetchObject = createFetchObject({ client, connect })

  /** Undefined for what is no storage, and while nothing is known. */
  async function measured(cluster: ClusterSummary, resource: string) {
    return isMeasuredStorage(resource)
      ? volumes.read(cluster, await cache.read(cluster, ['pods']))
      : undefined
  }

  return {
    async resources({ organizationId, clusterId }: Of): Promise<CallOutput<'kubernetes.resources'>> {
      const cluster = await clusters.getRunning(organizationId, clusterId)
      const { asOf, ...found } = await discovery.read(cluster)
      return { ...found, asOf: asOf.toISOString() }
    },

    async list(
      { organizationId, clusterId, role }: Of,
      resource: string,
      query: ParsedInput<'kubernetes.objects'>['query'],
    ): Promise<CallOutput<'kubernetes.objects'>> {
      const cluster = await clusters.getRunning(organizationId, clusterId)
      const info = await discovery.find(cluster, resource)
      requireReadable(role, info)
      deps.onRead(clusterId, info)
      const { table, columns, asOf, isLive } = await cache.readRows(cluster, {
        name: resource,
        path: kubernetesPath(info),
        isNamespaced: info.isNamespaced,
      })
      const usageOf = usageReader(resource, columns, await measured(cluster, resource))
      const order = rowOrder(query.sort, columns)
      const sorted =
        query.sort === 'usage' && isMeasuredStorage(resource)
          ? [...table.values()].sort((a, b) => byUsage(usageOf(a), usageOf(b), query.order))
          : table.sorted(order.name, order.compare)
      const isNamed = nameMatcher(query.search)
      const isLabelled = labelMatcher(query.labels)
      const { rows, total } = pageOf(
        sorted,
        query,
        (row) =>
          (query.namespace === undefined || row.namespace === query.namespace) &&
          isNamed(row) &&
          isLabelled(row),
      )
      return {
        resource: info,
        columns: columns.map(({ name, type, description, priority }) => ({
          name,
          type,
          description,
          priority,
        })),
        objects: rows.map((row) => ({
          uid: row.uid,
          name: row.name,
          namespace: row.namespace,
          createdAt: row.createdAt,
          cells: row.cells.map((cell) => (cell === null ? null : String(cell))),
          usage: usageOf(row),
        })),
        total,
        page: query.page,
        limit: query.limit,
        asOf,
        isLive,
      }
    },

    async get({ organizationId, clusterId, role }: Of, address: ObjectAddress): Promise<ObjectDetail> {
      const cluster = await clusters.getRunning(organizationId, clusterId)
      const info = await discovery.find(cluster, address.resource)
      requireReadable(role, info)
      deps.onRead(clusterId, info)
      const [object, cached] = await Promise.all([
        fetchObject(cluster, info, address),
        cache.read(cluster, ['events']),
      ])
      const { resource: name, isNamespaced } = info
      cache.announce(cluster, { name, path: kubernetesPath(info), isNamespaced })
      const assessment = await assessor.settled(cached)
      const subject = {
        kind: info.kind,
        namespace: object.metadata?.namespace ?? '',
        name: object.metadata?.name ?? address.name,
      }
      const isSecret = info.plural === 'secrets'
      await cached.settle(healthKinds)
      const owned = ownedBy(subject, cached, assessment)
      const { resources } = await discovery.read(cluster)
      return {
        resource: info,
        object: isSecret ? redactSecret(object) : object,
        isRedacted: isSecret,
        health: healthOfObject(assessment, subject),
        owners: ownersOf(object, resources),
        owned: owned.slice(0, maxOwned),
        ownedTotal: owned.length,
        usage: objectUsage(address.resource, object, await measured(cluster, address.resource)),
        events: eventsAbout(cached.table('events').values(), subject),
        asOf: cached.freshness(['events']).asOf,
      }
    },
  }
}

function ownersOf({ metadata }: FetchedObject, resources: readonly ResourceInfo[]): ObjectRef[] {
  return (metadata?.ownerReferences ?? []).slice(0, 20).map(({ apiVersion = '', kind = '', name = '' }) => {
    const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : ''
    const info = resources.find((each) => each.group === group && each.kind === kind)
    const namespace = info && !info.isNamespaced ? '' : (metadata?.namespace ?? '')
    return { resource: info?.resource ?? null, kind, namespace, name }
  })
}

/** The latest events about an object. Events of what belongs to no namespace are kept in one. */
function eventsAbout(
  all: Iterable<EventEntry>,
  { kind, namespace, name }: { kind: string; namespace: string; name: string },
) {
  const found: EventEntry[] = []
  for (const event of all) {
    if (event.object === `${kind}/${name}` && (namespace === '' || event.namespace === namespace))
      found.push(event)
  }
  return found
    .toSorted((a, b) => byText(b.lastSeenAt, a.lastSeenAt) || byText(a.name, b.name))
    .slice(0, maxEvents)
    .map(eventRow)
}
