import {
  type DecidedMark,
  type Health,
  kubernetesResourceKinds,
  objectPath,
  objectResourceId,
  resourceOfKind,
} from '@bey/contract'
import { AppError } from '../../../platform/errors.ts'
import type { InventoryAsk, InventoryGap, InventorySource, Resource } from '../../../platform/inventory.ts'
import { mayNow } from '../../../platform/keys/key-rights.ts'
import type { ClusterSummaries, ClusterSummary } from '../connection/ports.ts'
import type { Assessor, ClusterAssessment } from '../health/assessor.ts'
import type { VolumeUsage } from '../volumes/volume-usage.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { Entry, Labels } from '../watch/entries.ts'
import type { KindName } from '../watch/kinds.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import { unreachable } from './all-workloads.ts'
import { clusterTimeoutMs, patienceMs, readEachCluster } from './each-cluster.ts'
import { createMarks } from './resource-marks.ts'

/** Kinds of the inventory that are kept as a kind of the cache, each with the name of its kind in Kubernetes. */
const keptKinds = {
  node: ['nodes', 'Node'],
  namespace: ['namespaces', 'Namespace'],
  deployment: ['deployments', 'Deployment'],
  statefulset: ['statefulsets', 'StatefulSet'],
  daemonset: ['daemonsets', 'DaemonSet'],
  job: ['jobs', 'Job'],
  cronjob: ['cronjobs', 'CronJob'],
  pod: ['pods', 'Pod'],
  service: ['services', 'Service'],
  ingress: ['ingresses.networking.k8s.io', 'Ingress'],
  networkpolicy: ['policies', 'NetworkPolicy'],
  volumeclaim: ['claims', 'PersistentVolumeClaim'],
} as const satisfies Record<string, readonly [KindName, string]>
type KeptKind = keyof typeof keptKinds

/** The others are kept as the rows that the cluster prints: names, labels and times, never what is in them. */
const rowKinds = {
  configmap: 'configmaps',
  'k8s-secret': 'secrets',
} as const
type RowKind = keyof typeof rowKinds

const allKept = Object.keys(keptKinds) as KeptKind[]
const allRows = Object.keys(rowKinds) as RowKind[]
const allKeptNames = allKept.map((kind) => keptKinds[kind][0])

type Deps = {
  clusters: ClusterSummaries
  cache: WatchCache
  assessor: Assessor
  volumes: Pick<VolumeUsage, 'last'>
}

type Described = { resource: Resource; health: Health | null; marks: readonly DecidedMark[]; title: string }

/** Objects of all running clusters for the inventory, from what the server keeps of them. */
export function kubernetesResources({ clusters, cache, assessor, volumes }: Deps): InventorySource {
  /** An object that did not change is described once, so that 100,000 of them cost a comparison each. */
  const described = new WeakMap<Entry, Described>()
  const lists = new WeakMap<ClusterCache, { key: readonly unknown[]; byKind: Map<string, Resource[]> }>()

  function describe(cluster: ClusterSummary, kind: string, entry: Entry, facts: Facts): Resource {
    const { health, marks } = facts
    const known = described.get(entry)
    const isSame = known?.health === health && known.marks === marks && known.title === cluster.title
    if (known && isSame) return known.resource
    const { id: clusterId, title } = cluster
    const { namespace, name, createdAt } = entry
    const resource: Resource = {
      id: objectResourceId({ kind, clusterId, namespace, name }),
      kind,
      name,
      cluster: { id: clusterId, title },
      namespace: namespace || null,
      health,
      // Entries that an earlier version kept may have no labels.
      labels: (entry as Entry & { labels?: Labels }).labels ?? noLabels,
      createdAt,
      createdBy: null,
      marks,
      href: objectPath({ clusterId, resource: resourceNameOf(kind), namespace, name }),
    }
    described.set(entry, { resource, health, marks, title })
    return resource
  }

  /** Resources of a cluster by kind; the same arrays until something of it changes. */
  function keptOf(cluster: ClusterSummary, cached: ClusterCache, assessment: ClusterAssessment) {
    const measured = volumes.last(cluster.id)?.volumes
    const silence = cached.silence()?.since.toISOString()
    const key = [cached.version(allKeptNames), assessment, measured, silence, cluster.title]
    const known = lists.get(cached)
    if (known?.key.every((each, index) => each === key[index])) return known.byKind
    const marks = createMarks({
      pods: cached.table('pods').values(),
      services: cached.table('services').values(),
      ingresses: cached.table('ingresses.networking.k8s.io').values(),
      volumes: measured,
    })
    const healthOf = healthReader(assessment)
    const unknown = silence === undefined ? undefined : unreachable(silence)
    const byKind = new Map<string, Resource[]>()
    for (const kind of allKept) {
      const rows: Resource[] = []
      for (const entry of cached.table(keptKinds[kind][0]).values()) {
        const health = healthOf(kind, entry)
        rows.push(
          describe(cluster, kind, entry, {
            health: health && (unknown ?? health),
            marks: marksOf(marks, kind, entry),
          }),
        )
      }
      byKind.set(kind, rows)
    }
    lists.set(cached, { key, byKind })
    return byKind
  }

  async function readRows(cluster: ClusterSummary, kind: RowKind) {
    const resource = rowKinds[kind]
    const watched = { name: resource, path: `/api/v1/${resource}`, isNamespaced: true }
    try {
      const rows = await cache.readRowsPart(cluster, watched, patienceMs, clusterTimeoutMs)
      const found = [...rows.table.values()].map((row) =>
        describe(cluster, kind, row, { health: null, marks: noMarks }),
      )
      return { found, gaps: rows.isPartial ? [gapOf(cluster, kind, 'has not been read to its end yet')] : [] }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { found: [], gaps: [gapOf(cluster, kind, error.message)] }
    }
  }

  async function readCluster(cluster: ClusterSummary, wanted: ReadonlySet<string>) {
    const kept = allKept.filter((kind) => wanted.has(kind))
    const cached = await cache.readPart(cluster, allKeptNames, patienceMs, clusterTimeoutMs)
    const isPartial = cached.isPartial(allKeptNames)
    const assessment = await (isPartial ? assessor.soFar(cached) : assessor.settled(cached))
    const byKind = keptOf(cluster, cached, assessment)
    const names = kept.map((kind) => keptKinds[kind][0])
    const freshness = cached.freshness(allKeptNames)
    const gaps: InventoryGap[] = []
    if (freshness.noAnswerSince !== null) {
      gaps.push({
        source: cluster.title,
        reason: `${cluster.title} does not answer; its objects are shown as they were last known.`,
        since: freshness.noAnswerSince,
      })
    } else {
      for (const { kind, reason } of cached.failures(names)) {
        const own = kept.find((each) => keptKinds[each][0] === kind) ?? kind
        gaps.push(gapOf(cluster, own, reason))
      }
    }
    const rows = await Promise.all(
      allRows.filter((kind) => wanted.has(kind)).map((kind) => readRows(cluster, kind)),
    )
    const lists = [...kept.map((kind) => byKind.get(kind) ?? []), ...rows.map(({ found }) => found)]
    // A cluster that is silent says so once.
    const more = freshness.noAnswerSince === null ? rows.flatMap((each) => each.gaps) : []
    return { lists, gaps: [...gaps, ...more], ...freshness }
  }

  return {
    kinds: kubernetesResourceKinds.map(({ kind }) => kind),
    async list(ask: InventoryAsk, kinds) {
      const { organizationId, role } = ask
      const wanted = new Set(
        kubernetesResourceKinds
          .filter(({ kind, permission }) => kinds.has(kind) && mayNow(role, permission))
          .map(({ kind }) => kind),
      )
      if (wanted.size === 0) return { resources: [], gaps: [] }
      const { read, unreadable } = await readEachCluster(clusters, { organizationId }, (cluster) =>
        readCluster(cluster, wanted),
      )
      const resources: Resource[] = []
      // A spread would put each resource on the stack.
      for (const { found } of read)
        for (const list of found.lists) for (const each of list) resources.push(each)
      return {
        resources,
        gaps: [
          ...read.flatMap(({ found }) => found.gaps),
          ...unreadable.map(({ title, reason }) => ({ source: title, reason, since: null })),
        ],
      }
    },
  }
}

type Facts = { health: Health | null; marks: readonly DecidedMark[] }

const noLabels: Labels = {}
const noMarks: readonly DecidedMark[] = []

function resourceNameOf(kind: string): string {
  if (kind in rowKinds) return rowKinds[kind as RowKind]
  return resourceOfKind(keptKinds[kind as KeptKind][1]) ?? ''
}

function gapOf({ title }: ClusterSummary, kind: string, reason: string): InventoryGap {
  const plural = kubernetesResourceKinds.find((each) => each.kind === kind)?.plural ?? kind
  return { source: title, reason: `${plural} of ${title}: ${reason}`, since: null }
}

function marksOf(marks: ReturnType<typeof createMarks>, kind: KeptKind, entry: Entry) {
  // The entries of a table are of its kind.
  switch (kind) {
    case 'pod':
      return marks.ofPod(entry as never)
    case 'service':
      return marks.ofService(entry as never)
    case 'ingress':
      return marks.ofIngress()
    case 'volumeclaim':
      return marks.ofClaim(entry as never)
    default:
      return marks.ofOthers()
  }
}

/** Health of an object by the assessment of its cluster; null for kinds, and for jobs of cron jobs, that have none. */
function healthReader(assessment: ClusterAssessment): (kind: KeptKind, entry: Entry) => Health | null {
  const workloads = new Map(
    assessment.workloads.map(({ kind, namespace, name, verdict }) => [
      `${kind}/${namespace}/${name}`,
      verdict.health,
    ]),
  )
  return (kind, entry) => {
    // The entries of a table are of its kind.
    if (kind === 'pod') return assessment.pods.get(entry as never) ?? null
    if (kind === 'node') return assessment.nodes.get(entry as never) ?? null
    if (kind === 'volumeclaim') return assessment.claims.get(entry as never) ?? null
    if (kind === 'namespace') return assessment.namespaces.get(entry.name) ?? null
    return workloads.get(`${keptKinds[kind][1]}/${entry.namespace}/${entry.name}`) ?? null
  }
}
