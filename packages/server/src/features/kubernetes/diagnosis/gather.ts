import type { Health, MeasuredVolume, ResourceInfo } from '@bey/contract'
import { healthRank, kubernetesPath, resourceOfKind } from '@bey/contract'
import type { ClusterConnection } from '../connection/ports.ts'
import type { ClusterAssessment } from '../health/assessor.ts'
import { eventsAbout } from '../objects/events-about.ts'
import { ownedBy } from '../objects/owned.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError } from '../watch/kube-client.ts'
import { containerInTrouble } from './container-in-trouble.ts'
import { ingressServices, requiredReferences } from './references.ts'
import { webhooksOf } from './rules/services-and-scaling.ts'
import type { AnyObject, PodObject, Revision, Situation } from './situation.ts'

const timeoutMs = 8_000
const logLines = 12
const maxLogBytes = 16 * 1024
const maxEvents = 60
const maxReferences = 20

export type Subject = { info: ResourceInfo; namespace: string; name: string; health: Health }
type Source = {
  client: KubeClient
  connection: ClusterConnection
  cache: ClusterCache
  assessment: ClusterAssessment
  /** What the volume of a claim, as `namespace/name`, holds; null where it was not measured. */
  volumeOf: (claim: string) => MeasuredVolume | null
  nowMs: number
}

/** Reads from a cluster what explains the state of one object. What cannot be read is left out. */
export async function gather(source: Source, { info, namespace, name, health }: Subject): Promise<Situation> {
  const read = reader(source)
  const object = (await read(kubernetesPath(info, namespace, name))) ?? {}
  const pod = await podAtFault(read, source, { kind: info.kind, namespace, name, object, health })
  const container = pod && containerInTrouble(pod)
  const workload = pod ? topmostOwner(source.cache, pod) : null
  const nodeName = info.kind === 'Node' ? name : pod?.spec?.nodeName
  const [node, log, revisions, referenced, readyEndpoints, claimsWithoutClass] = await Promise.all([
    nodeName ? read(`/api/v1/nodes/${encodeURIComponent(nodeName)}`) : null,
    pod && container ? lastLines(source, pod, container) : null,
    workload?.kind === 'Deployment' ? revisionsOf(read, workload) : [],
    lookUpReferences(read, pod ?? { ...object, kind: info.kind }),
    endpointsOf(read, servicesOf(info.kind, namespace, name, object)),
    pod && !pod.spec?.nodeName ? claimsWithoutClassOf(read, pod) : [],
  ])
  const subjects = [{ kind: info.kind, name }]
  if (pod?.metadata?.name) subjects.push({ kind: 'Pod', name: pod.metadata.name })
  // A replica set that cannot create pods says so itself.
  for (const owned of replicaSetsOf(source.cache, namespace, name))
    subjects.push({ kind: 'ReplicaSet', name: owned })
  return {
    subject: { kind: info.kind, resource: info.resource, namespace, name, object },
    pod,
    container,
    log,
    events: await eventsAbout(source, { namespace, subjects, max: maxEvents }),
    node,
    workload,
    revisions,
    ...referenced,
    claimsWithoutClass,
    selectedPods: info.kind === 'Service' ? selectedPods(source.cache, namespace, object) : [],
    readyEndpoints,
    mountedBy: info.kind === 'PersistentVolumeClaim' ? mountedBy(source.cache, namespace, name) : [],
    volume: info.kind === 'PersistentVolumeClaim' ? source.volumeOf(`${namespace}/${name}`) : null,
    nowMs: source.nowMs,
  }
}

type Read = (path: string) => Promise<AnyObject | null>

/** Reads an object; null for what is not there or may not be read. */
function reader({ client, connection }: Source): Read {
  return async (path) => {
    try {
      return (await client.get(connection, path, AbortSignal.timeout(timeoutMs), { timeoutMs })) as AnyObject
    } catch (error) {
      if (error instanceof KubeError && (error.status === 404 || error.status === 403)) return null
      throw error
    }
  }
}

/** The pod that the health of an object is about: itself, the one that is named as being at fault, or its worst. */
async function podAtFault(
  read: Read,
  { cache, assessment }: Source,
  {
    object,
    health,
    ...owner
  }: { kind: string; namespace: string; name: string; object: AnyObject; health: Health },
): Promise<PodObject | null> {
  if (owner.kind === 'Pod') return { ...object, kind: 'Pod' } as PodObject
  const pods = ownedBy(owner, cache, assessment).filter((each) => each.kind === 'Pod' && each.health !== null)
  const [worst] = pods.toSorted(
    (a, b) => healthRank(a.health?.state ?? 'healthy') - healthRank(b.health?.state ?? 'healthy'),
  )
  const atFault = health.object?.kind === 'Pod' ? health.object : worst
  if (!atFault) return null
  const path = kubernetesPath({ group: '', version: 'v1', plural: 'pods' }, atFault.namespace, atFault.name)
  const pod = await read(path)
  return pod && ({ ...pod, kind: 'Pod' } as PodObject)
}

function topmostOwner(cache: ClusterCache, { metadata }: PodObject): Situation['workload'] {
  const namespace = metadata?.namespace ?? ''
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller)
  if (!owner?.kind || !owner.name) return null
  let found = { kind: owner.kind, name: owner.name }
  const tables = { ReplicaSet: 'replicasets', Job: 'jobs' } as const
  const table = tables[owner.kind as keyof typeof tables]
  if (table) {
    for (const entry of cache.table(table).values()) {
      if (entry.namespace !== namespace || entry.name !== owner.name || !entry.owner) continue
      const [kind = '', name = ''] = entry.owner.split('/')
      found = { kind, name }
    }
  }
  const resource = resourceOfKind(found.kind)
  return resource === undefined ? null : { ...found, resource, namespace }
}

async function lastLines(
  { client, connection }: Source,
  { metadata }: PodObject,
  { status }: NonNullable<Situation['container']>,
): Promise<string | null> {
  const path = kubernetesPath(
    { group: '', version: 'v1', plural: 'pods' },
    metadata?.namespace ?? '',
    metadata?.name ?? '',
  )
  const hasEnded = status.lastState?.terminated !== undefined && status.state?.terminated === undefined
  const query = new URLSearchParams({
    container: status.name ?? '',
    tailLines: String(logLines),
    limitBytes: String(maxLogBytes),
    ...(hasEnded && { previous: 'true' }),
  })
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    return (
      (await client.text(connection, `${path}/log?${query.toString()}`, signal, 2 * maxLogBytes)).trim() ||
      null
    )
  } catch (error) {
    // A container that never ran has no log.
    if (error instanceof KubeError) return null
    throw error
  }
}

type ReplicaSet = AnyObject & {
  spec?: { template?: { spec?: { containers?: { image?: string }[] } } }
}

async function revisionsOf(
  read: Read,
  { namespace, name }: { namespace: string; name: string },
): Promise<Revision[]> {
  const list = (await read(`/apis/apps/v1/namespaces/${namespace}/replicasets?limit=500`)) as {
    items?: ReplicaSet[]
  } | null
  return (list?.items ?? [])
    .filter(({ metadata }) =>
      metadata?.ownerReferences?.some((owner) => owner.kind === 'Deployment' && owner.name === name),
    )
    .map(({ metadata, spec }) => ({
      revision: Number(metadata?.annotations?.['deployment.kubernetes.io/revision'] ?? 0),
      images: spec?.template?.spec?.containers?.map(({ image }) => image ?? '') ?? [],
      createdAt: metadata?.creationTimestamp ?? '',
    }))
    .toSorted((a, b) => b.revision - a.revision)
    .slice(0, 10)
}

async function lookUpReferences(
  read: Read,
  object: AnyObject,
): Promise<Pick<Situation, 'missing' | 'references'>> {
  const wanted = requiredReferences(object)
  const found = await Promise.all(
    wanted
      .slice(0, maxReferences)
      .map(async (reference) => ({ reference, ...(await lookUp(read, reference)) })),
  )
  return {
    missing: found.filter(({ isThere }) => isThere === false).map(({ reference }) => reference),
    references: {
      count: wanted.length,
      areAllRead: wanted.length <= maxReferences && found.every(({ isThere }) => isThere !== null),
      immutable: found.flatMap(({ reference: { kind, name }, isImmutable }) =>
        isImmutable ? [`${kind}/${name}`] : [],
      ),
    },
  }
}

const paths: Readonly<Record<string, { group: string; version: string; plural: string }>> = {
  ConfigMap: { group: '', version: 'v1', plural: 'configmaps' },
  Secret: { group: '', version: 'v1', plural: 'secrets' },
  PersistentVolumeClaim: { group: '', version: 'v1', plural: 'persistentvolumeclaims' },
  Service: { group: '', version: 'v1', plural: 'services' },
  StorageClass: { group: 'storage.k8s.io', version: 'v1', plural: 'storageclasses' },
  IngressClass: { group: 'networking.k8s.io', version: 'v1', plural: 'ingressclasses' },
}

/** `isThere` is null for what may not be read: nothing is reported of it. */
async function lookUp(
  read: Read,
  { kind, namespace, name }: { kind: string; namespace: string; name: string },
): Promise<{ isThere: boolean | null; isImmutable: boolean }> {
  const path = paths[kind]
  if (!path) return { isThere: null, isImmutable: false }
  // As a list of one: a refusal differs from an absence.
  const selector = encodeURIComponent(`metadata.name=${name}`)
  const list = (await read(`${kubernetesPath(path, namespace)}?fieldSelector=${selector}&limit=1`)) as {
    items?: { immutable?: boolean }[]
  } | null
  const [found] = list?.items ?? []
  return { isThere: list && found !== undefined, isImmutable: found?.immutable === true }
}

type Slice = { endpoints?: { conditions?: { ready?: boolean } }[] | null }

type AskedService = { key: string; namespace: string; name: string }

/** The services on whose ready addresses an object depends. */
function servicesOf(kind: string, namespace: string, name: string, object: AnyObject): AskedService[] {
  if (kind === 'Service') return [{ key: name, namespace, name }]
  if (kind === 'Ingress') return ingressServices(object).map((each) => ({ key: each, namespace, name: each }))
  return kind.endsWith('WebhookConfiguration')
    ? webhooksOf(object).map((each) => ({ key: each.key, namespace: each.namespace, name: each.service }))
    : []
}

async function endpointsOf(read: Read, services: readonly AskedService[]): Promise<Record<string, number>> {
  const counts = await Promise.all(
    services
      .slice(0, maxReferences)
      .map(async ({ key, namespace, name }): Promise<[string, number] | null> => {
        const selector = encodeURIComponent(`kubernetes.io/service-name=${name}`)
        const path = `/apis/discovery.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/endpointslices`
        const list = (await read(`${path}?labelSelector=${selector}&limit=100`)) as { items?: Slice[] } | null
        if (!list) return null
        const ready = (list.items ?? []).flatMap(({ endpoints }) => endpoints ?? [])
        return [key, ready.filter(({ conditions }) => conditions?.ready !== false).length]
      }),
  )
  return Object.fromEntries(counts.filter((each) => each !== null))
}

/** Of a pod that no node has taken: a claim that waits for its class keeps it waiting. */
async function claimsWithoutClassOf(read: Read, pod: PodObject): Promise<Situation['claimsWithoutClass']> {
  const claims = requiredReferences(pod).filter(({ kind }) => kind === 'PersistentVolumeClaim')
  const found = await Promise.all(
    claims.slice(0, maxReferences).map(async ({ namespace, name }) => {
      const path = kubernetesPath(
        { group: '', version: 'v1', plural: 'persistentvolumeclaims' },
        namespace,
        name,
      )
      const claim = await read(path)
      const storageClass = claim?.spec?.['storageClassName']
      if (claim?.status?.['phase'] === 'Bound' || typeof storageClass !== 'string' || storageClass === '') {
        return []
      }
      const { isThere } = await lookUp(read, { kind: 'StorageClass', namespace: '', name: storageClass })
      return isThere === false ? [{ claim: name, storageClass }] : []
    }),
  )
  return found.flat()
}

function selectedPods(cache: ClusterCache, namespace: string, { spec }: AnyObject): string[] {
  const wanted = Object.entries((spec?.['selector'] ?? {}) as Record<string, string>)
  if (wanted.length === 0) return []
  return [...cache.table('pods').values()]
    .filter((pod) => pod.namespace === namespace && !pod.isTerminal)
    .filter(({ labels }) => wanted.every(([key, value]) => labels[key] === value))
    .map(({ name }) => name)
}

function replicaSetsOf(cache: ClusterCache, namespace: string, name: string): string[] {
  return [...cache.table('replicasets').values()]
    .filter((set) => set.namespace === namespace && set.owner === `Deployment/${name}`)
    .map((set) => set.name)
}

const maxMounts = 20

function mountedBy(cache: ClusterCache, namespace: string, claim: string): string[] {
  const pods = [...cache.table('pods').values()].filter(
    (pod) => pod.namespace === namespace && !pod.isTerminal && pod.claims.includes(claim),
  )
  return pods.slice(0, maxMounts).map(({ name }) => name)
}
