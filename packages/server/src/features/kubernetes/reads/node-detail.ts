import type { Health, NodeDetail, NodePod } from '@bey/contract'
import { AppError } from '../../../platform/errors.ts'
import { countStates } from '../health/assess.ts'
import type { NodeUsage, UsageSource } from '../metrics/usage.ts'
import type { PodEntry } from '../watch/entries.ts'
import type { KindName } from '../watch/kinds.ts'
import { byText } from '../watch/table.ts'
import type { WatchCache } from '../watch/watch-cache.ts'
import type { ClusterOf, ClusterReading } from './cluster-reading.ts'
import { requestedByNode } from './figures.ts'
import { failingOf, nodeCellOf } from './node-map.ts'
import { byHealth } from './orders.ts'
import { nodeRow, notLookedAt, podRow } from './rows.ts'

const kinds: readonly KindName[] = ['nodes', 'pods']
const maxPods = 250

/** One node, what its pods request and use of it, and those pods, the worst first. */
export async function readNode(
  { reading, cache, usage }: { reading: ClusterReading; cache: WatchCache; usage: UsageSource },
  of: ClusterOf,
  name: string,
): Promise<NodeDetail> {
  const cluster = await reading.running(of)
  await cache.readPart(cluster, ['nodes'], 0)
  const [{ cached, assessment }, used] = await Promise.all([
    reading.read(cluster, kinds),
    usage.recent(cluster),
  ])
  const found = [...assessment.nodes].find(([node]) => node.name === name)
  if (!found) throw new AppError('not_found', `The cluster ${cluster.title} has no node ${name}.`)
  const [node, health] = found
  const bound = [...cached.table('pods').values()].filter((pod) => pod.node === name && !pod.isTerminal)
  const requested = requestedByNode(bound).get(name)
  const healthOf = (pod: PodEntry) => assessment.pods.get(pod) ?? notLookedAt
  const worstFirst = bound
    .map((pod) => ({ pod, health: healthOf(pod) }))
    .toSorted(
      (a, b) => byHealth(a, b) || byText(a.pod.namespace, b.pod.namespace) || byText(a.pod.name, b.pod.name),
    )
  return {
    node: nodeRow(node, health, requested, used?.nodes.get(name), failingOf(bound, assessment)),
    maxPods: node.maxPods,
    cell: nodeCellOf(node, health, bound, requested, assessment, used),
    pods: worstFirst
      .slice(0, maxPods)
      .map((each) =>
        nodePod(each.pod, each.health, used?.pods.get(`${each.pod.namespace}/${each.pod.name}`)),
      ),
    podHealth: countStates(worstFirst.map((each) => each.health)),
    ...cached.freshness(kinds),
  }
}

function nodePod(pod: PodEntry, health: Health, used: NodeUsage | undefined): NodePod {
  return {
    ...podRow(pod, health),
    cpu: { requested: pod.cpuMillicores, used: used?.cpuMillicores ?? null },
    memory: { requested: pod.memoryBytes, used: used?.memoryBytes ?? null },
  }
}
