import type { CallOutput, ObjectDetail, ObjectRef, ParsedInput, ResourceInfo, Role } from '@bey/contract'
import { isConfigResource, isMeasuredStorage, kubernetesPath } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { podEntry } from '../watch/entries.ts'
import type { ClusterSummaries, ClusterSummary, Connect } from '../connection/ports.ts'
import type { Assessor } from '../health/assessor.ts'
import { labelMatcher } from '../watch/label-matcher.ts'
import { nameMatcher, pageOf } from '../reads/page.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import type { KindName } from '../watch/kinds.ts'
import type { RowEntry } from '../watch/row-entry.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { VolumeUsage as VolumeUsages } from '../volumes/volume-usage.ts'
import type { Discovery } from './discovery-cache.ts'
import { unreadable } from './discovery-cache.ts'
import { eventsAbout } from './events-about.ts'
import type { FetchedObject, ObjectAddress } from './fetch-object.ts'
import { createFetchObject, requireReadable } from './fetch-object.ts'
import { countStates } from '../health/assess.ts'
import { healthOfObject, healthOfPod } from '../health/object-health.ts'
import { eventsOfOwned, groupEvents } from './grouped-events.ts'
import { ownedBy } from './owned.ts'
import { byUsers, readConfigUsers } from './config-users.ts'
import { redactSecret } from './redact-secret.ts'
import { rowOrder } from './row-orders.ts'
import { byServiceHealth, readServiceHealth, servicesResource } from './service-health-reader.ts'
import { byUsage, objectUsage, usageReader } from './storage-usage.ts'

/** A cluster, always by the organization that asks, and the role of the caller. */
type Of = { organizationId: number; clusterId: number; role: Role }

const maxEvents = 50
/** How long the whole of a list is waited for where a part may lack what is looked for. */
const patienceMs = 1_000
const maxOwned = 200
const maxGroups = 100

function unlessUnreadable(error: unknown): undefined {
  const isUnreadable =
    error instanceof AppError && ['cluster_unreachable', 'cluster_forbidden'].includes(error.code)
  if (!isUnreadable) throw error
}

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
  volumes: Pick<VolumeUsages, 'read' | 'last'>
  clock: Clock
}) {
  const { clusters, cache, assessor, discovery, client, connect, volumes, clock } = deps

  const fetchObject = createFetchObject({ client, connect })

  /** Undefined for what is no storage, and while nothing is known. */
  async function measured(cluster: ClusterSummary, resource: string) {
    if (!isMeasuredStorage(resource)) return undefined
    const cached = await cache.readPart(cluster, ['pods'], patienceMs)
    return cached.isPartial(['pods']) ? volumes.last(cluster.id) : volumes.read(cluster, cached)
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
      const measurement = await measured(cluster, resource)
      const { search, namespace, labels } = query
      const isFiltered = [search, namespace, labels, query.health].some((each) => each !== undefined)
      const { table, columns, remaining, ...state } = await cache.readRowsPart(
        cluster,
        { name: resource, path: kubernetesPath(info), isNamespaced: info.isNamespaced },
        isFiltered ? patienceMs : 0,
      )
      // What stands beside the rows and cannot be read now leaves them as they are.
      const readBeside = (kinds: readonly KindName[]) =>
        cache.readPart(cluster, kinds, patienceMs).catch(unlessUnreadable)
      const usageOf = usageReader(resource, columns, measurement)
      const healthOf = await readServiceHealth(resource, readBeside, clock)
      const usersOf = await readConfigUsers(resource, columns, readBeside)
      const order = rowOrder(query.sort, columns)
      const ordered = table.sorted(order.name, order.compare)
      const sorted =
        query.sort === 'usage' && isMeasuredStorage(resource)
          ? ordered.toSorted((a, b) => byUsage(usageOf(a), usageOf(b), query.order))
          : query.sort === 'health'
            ? ordered.toSorted((a, b) => byServiceHealth(healthOf(a), healthOf(b)))
            : query.sort === 'users' && isConfigResource(resource)
              ? ordered.toSorted((a, b) => byUsers(usersOf(a), usersOf(b), query.order))
              : ordered
      const isNamed = nameMatcher(search)
      const isLabelled = labelMatcher(labels)
      const isMatching = (row: RowEntry) =>
        (namespace === undefined || row.namespace === namespace) && isNamed(row) && isLabelled(row)
      const { rows, total } = pageOf(
        sorted,
        query,
        (row) => isMatching(row) && (!query.health || healthOf(row)?.state === query.health),
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
          health: healthOf(row),
          users: usersOf(row),
        })),
        counts:
          resource === servicesResource
            ? countStates(sorted.filter(isMatching).flatMap((row) => healthOf(row) ?? []))
            : null,
        // How many of those that are still to be read a filter would leave is not known.
        total: total + (isFiltered ? 0 : remaining),
        page: query.page,
        limit: query.limit,
        ...state,
      }
    },

    async get({ organizationId, clusterId, role }: Of, address: ObjectAddress): Promise<ObjectDetail> {
      const cluster = await clusters.getRunning(organizationId, clusterId)
      const info = await discovery.find(cluster, address.resource)
      requireReadable(role, info)
      deps.onRead(clusterId, info)
      return cache.whileAnswering(cluster, () => detailOf(cluster, info, address))
    },

    /** Also of an object that was deleted: its events outlive it. */
    async events(
      { organizationId, clusterId, role }: Of,
      { resource, namespace, name }: ObjectAddress,
    ): Promise<CallOutput<'kubernetes.objectEvents'>> {
      const cluster = await clusters.getRunning(organizationId, clusterId)
      const info = await discovery.find(cluster, resource)
      requireReadable(role, info)
      const cached = await cache.readPart(cluster, ['events'], patienceMs)
      const subject = { kind: info.kind, namespace: info.isNamespaced ? namespace : '', name }
      const found = eventsOfOwned(subject, cached, await assessor.settled(cached))
      const groups = groupEvents(found, clock.now().getTime())
      return {
        groups: groups.slice(0, maxGroups),
        groupsTotal: groups.length,
        isPartial: cached.isPartial(['events']),
        ...cached.freshness(['events']),
      }
    },
  }

  async function detailOf(
    cluster: ClusterSummary,
    info: ResourceInfo,
    address: ObjectAddress,
  ): Promise<ObjectDetail> {
    const { id: clusterId, organizationId } = cluster
    const [object, cached] = await Promise.all([
      fetchObject(cluster, info, address),
      cache.readPart(cluster, ['events'], 0),
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
    const owned = ownedBy(subject, cached, assessment)
    const { resources } = await discovery.read(cluster)
    const connection = await connect(organizationId, clusterId)
    const events = await eventsAbout(
      { cache: cached, client, connection },
      { namespace: subject.namespace, subjects: [subject], max: maxEvents },
    ).catch((error: unknown) => {
      throw unreadable(cluster.title, error)
    })
    return {
      resource: info,
      object: isSecret ? redactSecret(object) : object,
      isRedacted: isSecret,
      health:
        address.resource === 'pods'
          ? healthOfPod(podEntry(object), assessment, clock.now().getTime())
          : healthOfObject(assessment, subject),
      owners: ownersOf(object, resources),
      owned: owned.slice(0, maxOwned),
      ownedTotal: owned.length,
      usage: objectUsage(address.resource, object, await measured(cluster, address.resource)),
      events,
      asOf: cached.freshness(['events']).asOf,
    }
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
