import type { CallOutput, RelatedObject, ResourceInfo, Role } from '@bey/contract'
import { kubernetesPath } from '@bey/contract'
import type { Clock } from '../../../../platform/clock.ts'
import type { ClusterConnection, ClusterSummaries, ClusterSummary, Connect } from '../../connection/ports.ts'
import type { Assessor, ClusterAssessment } from '../../health/assessor.ts'
import type { KubeClient } from '../../watch/kube-client.ts'
import { KubeError } from '../../watch/kube-client.ts'
import type { WatchCache } from '../../watch/watch-cache.ts'
import type { Discovery } from '../discovery-cache.ts'
import { unreadable } from '../discovery-cache.ts'
import type { ObjectAddress } from '../fetch-object.ts'
import { createFetchObject, requireReadable } from '../fetch-object.ts'
import { healthOfObject } from '../../health/object-health.ts'
import type { Fields } from './fields.ts'
import { at, items, text } from './fields.ts'
import type { LookUp } from './look-ups.ts'
import { lookUpsFor } from './look-ups.ts'
import type { Reference } from './references.ts'
import { referencesOf } from './references.ts'

type Related = CallOutput<'kubernetes.related'>
type Of = { organizationId: number; clusterId: number; role: Role }

const timeoutMs = 10_000
/** Objects of one list that are looked at. */
const listLimit = 500
const maxRelated = 300
/** References whose existence is asked for. */
const maxChecked = 40
/** Several readers of one object, and one whose page is read again after each change, share an answer. */
const sharedMs = 5_000
const maxShared = 200

/** Only the metadata of an object, as far as the API server can leave the rest away. */
const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'

/** What an object refers to and what refers to it, asked of the cluster in bounded lists. Throws as the object does. */
export function createRelatedService(deps: {
  clusters: ClusterSummaries
  cache: WatchCache
  assessor: Assessor
  discovery: Discovery
  client: KubeClient
  connect: Connect
  clock: Clock
}) {
  const { clusters, cache, assessor, discovery, client, connect, clock } = deps
  const fetchObject = createFetchObject(deps)
  const shared = new Map<string, { atMs: number; answer: Promise<Related> }>()

  async function find(cluster: ClusterSummary, info: ResourceInfo, address: ObjectAddress): Promise<Related> {
    const object = await fetchObject(cluster, info, address)
    const connection = await connect(cluster.organizationId, cluster.id)
    const { resources } = await discovery.read(cluster)
    const served = new Map(resources.map((each) => [each.resource, each]))
    const subject = {
      resource: info.resource,
      kind: info.kind,
      namespace: object.metadata?.namespace ?? '',
      name: object.metadata?.name ?? address.name,
    }
    const assessment = await assessor.settled(await cache.readPart(cluster, ['pods'], 0))
    const references = referencesOf(info.resource, object)
    const [forward, lists] = await Promise.all([
      Promise.all(
        references.map(async (each, index) => ({
          ...shown(each, served.get(each.resource), assessment),
          detail: each.detail,
          isMissing: index < maxChecked && (await isMissing(connection, served.get(each.resource), each)),
        })),
      ),
      Promise.all(
        lookUpsFor(subject, object).map((lookUp) => look(cluster, connection, served, lookUp, assessment)),
      ),
    ])
    const all = [...forward, ...lists.flatMap(({ found }) => found)]
    return {
      related: all.slice(0, maxRelated),
      relatedTotal: all.length,
      cutLists: lists.flatMap(({ resource, isCut }) => (isCut ? [resource] : [])),
      unreadable: lists.flatMap(({ resource, reason }) => (reason ? [{ resource, reason }] : [])),
      asOf: clock.now().toISOString(),
    }
  }

  async function isMissing(
    connection: ClusterConnection,
    info: ResourceInfo | undefined,
    { namespace, name, isOptional }: Reference,
  ): Promise<boolean> {
    if (!info || isOptional) return false
    try {
      await client.get(
        connection,
        kubernetesPath(info, info.isNamespaced ? namespace : '', name),
        AbortSignal.timeout(timeoutMs),
        {
          timeoutMs,
          accept: metadataOnly,
        },
      )
      return false
    } catch (error) {
      // Whatever else went wrong says nothing about the object.
      return error instanceof KubeError && error.status === 404
    }
  }

  async function look(
    cluster: ClusterSummary,
    connection: ClusterConnection,
    served: ReadonlyMap<string, ResourceInfo>,
    { relation, resource, namespace, labelSelector, match }: LookUp,
    assessment: ClusterAssessment,
  ): Promise<{ resource: string; found: RelatedObject[]; isCut: boolean; reason?: string }> {
    const info = served.get(resource)
    if (!info) return { resource, found: [], isCut: false }
    const selector = labelSelector ? `&labelSelector=${encodeURIComponent(labelSelector)}` : ''
    const path = `${kubernetesPath(info, info.isNamespaced ? namespace : '')}?limit=${listLimit}${selector}`
    try {
      const list = await client.get(connection, path, AbortSignal.timeout(timeoutMs), { timeoutMs })
      const found = items(at(list, 'items')).flatMap((object): RelatedObject[] => {
        const detail = match(object)
        if (detail === false) return []
        const target = { relation, resource, ...nameOf(object) }
        return [{ ...shown(target, info, assessment), detail, isMissing: false }]
      })
      return { resource, found, isCut: text(at(list, 'metadata', 'continue')) !== null }
    } catch (error) {
      return { resource, found: [], isCut: false, reason: unreadable(cluster.title, error).message }
    }
  }

  return {
    async related(
      { organizationId, clusterId, role }: Of,
      { resource, namespace, name }: ObjectAddress,
    ): Promise<Related> {
      const cluster = await clusters.getRunning(organizationId, clusterId)
      const info = await discovery.find(cluster, resource)
      requireReadable(role, info)
      const key = `${organizationId} ${clusterId} ${resource}/${namespace}/${name}`
      const nowMs = clock.monotonicMs()
      const kept = shared.get(key)
      if (kept && nowMs - kept.atMs < sharedMs) return kept.answer
      const answer = cache.whileAnswering(cluster, () => find(cluster, info, { resource, namespace, name }))
      shared.delete(key)
      shared.set(key, { atMs: nowMs, answer })
      const [oldest] = shared.keys()
      if (shared.size > maxShared && oldest !== undefined) shared.delete(oldest)
      answer.catch(() => shared.delete(key))
      return answer
    },
  }
}

function shown(
  {
    relation,
    resource,
    namespace,
    name,
  }: { relation: RelatedObject['relation']; resource: string; namespace: string; name: string },
  info: ResourceInfo | undefined,
  assessment: ClusterAssessment,
) {
  const kind = info?.kind ?? resource
  const health = healthOfObject(assessment, { kind, namespace, name })
  return { relation, resource: info?.resource ?? null, kind, namespace, name, health }
}

function nameOf(object: Fields) {
  return {
    namespace: text(at(object, 'metadata', 'namespace')) ?? '',
    name: text(at(object, 'metadata', 'name')) ?? '',
  }
}
