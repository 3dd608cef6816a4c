import type { CallOutput, FoundObject, Health, ParsedInput, Role } from '@bey/contract'
import { kindOfResource, resourceOfKind } from '@bey/contract'
import { mayNow } from '../../../platform/keys/key-rights.ts'
import type { ClusterSummaries, ClusterSummary } from '../connection/ports.ts'
import type { Assessor, ClusterAssessment } from '../health/assessor.ts'
import { unreachable } from '../reads/all-workloads.ts'
import { readEachCluster } from '../reads/each-cluster.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { Entry } from '../watch/entries.ts'
import type { KindName } from '../watch/kinds.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { Discovery } from './discovery-cache.ts'
import { createMatcher } from './search-rank.ts'

/** A search is typed: a cluster that is slower than this is left out. */
const timeoutMs = 1_000

/** Searched in every cluster; what else somebody has opened lately is searched besides. */
const searchedKinds: Partial<Record<KindName, string>> = {
  deployments: 'Deployment',
  statefulsets: 'StatefulSet',
  daemonsets: 'DaemonSet',
  cronjobs: 'CronJob',
  jobs: 'Job',
  pods: 'Pod',
  nodes: 'Node',
  namespaces: 'Namespace',
  claims: 'PersistentVolumeClaim',
}
const searchedNames = Object.keys(searchedKinds) as KindName[]

type SearchedTable = { resource: string; kind: string; entries: Iterable<Entry> }
type Hit = { rank: number; cluster: ClusterSummary; resource: string; kind: string; entry: Entry }

/** Finds objects of all running clusters by name and kind, in what the server keeps of them. */
export function createObjectSearch(deps: {
  clusters: ClusterSummaries
  cache: WatchCache
  assessor: Pick<Assessor, 'assessed'>
  discovery: Discovery
}) {
  const { clusters: summaries, cache, assessor, discovery } = deps
  return async (
    { organizationId, role }: { organizationId: number; role: Role },
    { search, limit }: ParsedInput<'kubernetes.search'>['query'],
  ): Promise<CallOutput<'kubernetes.search'>> => {
    if (search === undefined) return { objects: [], isCut: false, unreadable: [] }
    const { read, unreadable } = await readEachCluster(summaries, { organizationId }, async (cluster) => {
      const found = await cache.read(cluster, searchedNames, timeoutMs)
      return {
        cache: found,
        tables: await tablesOf(cluster, found, role),
        ...found.freshness(searchedNames),
      }
    })
    const rankOf = createMatcher(search)
    const hits: Hit[] = []
    for (const { cluster, found } of read) {
      for (const { resource, kind, entries } of found.tables) {
        for (const entry of entries) {
          const rank = rankOf({ name: entry.name, kind, namespace: entry.namespace, cluster: cluster.title })
          if (rank !== undefined) hits.push({ rank, cluster, resource, kind, entry })
        }
      }
    }
    hits.sort(byRank)
    const caches = new Map(read.map(({ cluster, found }) => [cluster.id, found.cache]))
    const shown = hits.slice(0, limit).map((hit) => present(hit, caches.get(hit.cluster.id)))
    return { objects: shown, isCut: hits.length > limit, unreadable }
  }

  function present({ cluster, resource, kind, entry }: Hit, of: ClusterCache | undefined): FoundObject {
    const { namespace, name } = entry
    const silence = of?.silence()
    const health = of ? (healthIn(assessor.assessed(of), kind, entry) ?? null) : null
    return {
      clusterId: cluster.id,
      cluster: cluster.title,
      resource,
      kind,
      namespace,
      name,
      health: health && silence ? unreachable(silence.since.toISOString()) : health,
    }
  }

  async function tablesOf(cluster: ClusterSummary, of: ClusterCache, role: Role): Promise<SearchedTable[]> {
    const always = Object.entries(searchedKinds).flatMap(([name, kind]): SearchedTable[] => {
      const resource = resourceOfKind(kind)
      return resource ? [{ resource, kind, entries: of.table(name as KindName).values() }] : []
    })
    const known = new Set(always.map(({ resource }) => resource))
    // Not even the names of Secrets are for those who may not read them.
    if (!mayNow(role, 'kubernetes.secrets')) known.add('secrets')
    const opened = of.kept().map(async ({ resource, table }): Promise<SearchedTable[]> => {
      if (resource === undefined || known.has(resource)) return []
      const kind = kindOfResource(resource) ?? (await kindFrom(cluster, resource))
      return kind === undefined ? [] : [{ resource, kind, entries: table.values() }]
    })
    return [...always, ...(await Promise.all(opened)).flat()]
  }

  async function kindFrom(cluster: ClusterSummary, resource: string): Promise<string | undefined> {
    try {
      return (await discovery.find(cluster, resource)).kind
    } catch {
      // Its definition is gone, or the cluster does not answer: its rows lead nowhere.
      return undefined
    }
  }
}

/** The best match first, then what runs before what is made by it, then by name. */
function byRank(a: Hit, b: Hit): number {
  return (
    a.rank - b.rank ||
    Number(a.kind === 'Pod') - Number(b.kind === 'Pod') ||
    a.entry.name.localeCompare(b.entry.name) ||
    a.cluster.title.localeCompare(b.cluster.title)
  )
}

function healthIn(assessment: ClusterAssessment, kind: string, entry: Entry): Health | undefined {
  const { namespace, name } = entry
  if (kind === 'Pod') return assessment.pods.get(entry as never)
  if (kind === 'Node') return assessment.nodes.get(entry as never)
  if (kind === 'PersistentVolumeClaim') return assessment.claims.get(entry as never)
  if (kind === 'Namespace') return assessment.namespaces.get(name)
  return assessment.workloads.find(
    (each) => each.kind === kind && each.namespace === namespace && each.name === name,
  )?.verdict.health
}
