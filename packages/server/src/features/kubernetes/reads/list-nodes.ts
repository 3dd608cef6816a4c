import type { CallOutput, ParsedInput } from '@bey/contract'
import type { UsageSource } from '../metrics/usage.ts'
import type { KindName } from '../watch/kinds.ts'
import { byText } from '../watch/table.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { ClusterOf, ClusterReading } from './cluster-reading.ts'
import { requestedByNode } from './figures.ts'
import { patienceOf, placeOf, rowMatcher, unreadCount } from './list-filters.ts'
import { failingOf } from './node-map.ts'
import { nodeOrders } from './orders.ts'
import { pageOf } from './page.ts'
import { nodeRow } from './rows.ts'

const kinds: readonly KindName[] = ['nodes', 'pods']

/** Nodes with what pods request of each and what is used of it. */
export async function listNodes(
  { reading, cache, usage }: { reading: ClusterReading; cache: WatchCache; usage: UsageSource },
  of: ClusterOf,
  query: ParsedInput<'kubernetes.nodes'>['query'],
): Promise<CallOutput<'kubernetes.nodes'>> {
  const cluster = await reading.running(of)
  // Pods only add figures; without the nodes themselves there is no list.
  await cache.readPart(cluster, ['nodes'], 0)
  const [{ cached, assessment, state }, used] = await Promise.all([
    reading.readPart(cluster, kinds, patienceOf(query)),
    usage.recent(cluster),
  ])
  const requested = requestedByNode(cached.table('pods').values())
  const podsOf = Map.groupBy(
    [...assessment.pods.keys()].filter(({ isTerminal }) => !isTerminal),
    ({ node }) => node,
  )
  const all = [...assessment.nodes].map(([node, health]) =>
    nodeRow(
      node,
      health,
      requested.get(node.name),
      used?.nodes.get(node.name),
      failingOf(podsOf.get(node.name) ?? [], assessment),
    ),
  )
  all.sort((a, b) => nodeOrders[query.sort](a, b) || byText(a.name, b.name))
  const isWanted = rowMatcher(query)
  const { rows, total } = pageOf(all, query, isWanted)
  return { nodes: rows, total: total + unreadCount(cached, 'nodes', query), ...placeOf(query), ...state }
}
