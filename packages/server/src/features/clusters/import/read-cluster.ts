import type { NodeGroup } from '@bey/contract'

import type { ClusterCall } from '../../kubernetes/connection/cluster-call.ts'
import type { ClusterConnection } from '../provider.ts'
import { isRecord, jsonOf } from './probe/ask-cluster.ts'

/** Groups of nodes that a row of a cluster holds. */
const maxGroups = 20

export type ReadNodes = { region: string; nodeGroups: NodeGroup[] }

export type Quantities = {
  millicores(text: string | undefined): number
  bytes(text: string | undefined): number
}

/** Region and groups of nodes as a cluster has them; undefined where Bey may not read its nodes. */
export async function readNodes(
  call: ClusterCall,
  connection: ClusterConnection,
  quantities: Quantities,
  signal: AbortSignal,
): Promise<ReadNodes | undefined> {
  const nodes: KubeNode[] = []
  let token = ''
  do {
    const path = `/api/v1/nodes?limit=500${token && `&continue=${encodeURIComponent(token)}`}`
    const reply = await call(connection, 'GET', path, { signal, timeoutMs: 30_000 })
    if (reply.status !== 200) return undefined
    const list = jsonOf(reply)
    nodes.push(...((Array.isArray(list?.['items']) ? list['items'] : []) as KubeNode[]))
    const metadata = list?.['metadata']
    const next = isRecord(metadata) ? metadata['continue'] : undefined
    token = typeof next === 'string' ? next : ''
  } while (token !== '')
  return {
    region: mostCommon(nodes.map((node) => labelsOf(node)[regionLabel] ?? '')),
    nodeGroups: groups(nodes, quantities),
  }
}

type KubeNode = {
  metadata?: { labels?: Record<string, string> }
  status?: { capacity?: { cpu?: string; memory?: string } }
}

const regionLabel = 'topology.kubernetes.io/region'
/** What providers call a group of nodes, and at last the size of the machine. */
const groupLabels = [
  'eks.amazonaws.com/nodegroup',
  'cloud.google.com/gke-nodepool',
  'kubernetes.azure.com/agentpool',
  'karpenter.sh/nodepool',
  'cluster.x-k8s.io/deployment-name',
  'node.kubernetes.io/instance-type',
]

const labelsOf = ({ metadata }: KubeNode) => metadata?.labels ?? {}

function groupOf(node: KubeNode): string {
  const labels = labelsOf(node)
  const named = groupLabels.map((label) => labels[label]).find((each) => each)
  if (named) return named
  const role = Object.keys(labels).find((label) => label.startsWith('node-role.kubernetes.io/'))
  return role?.slice('node-role.kubernetes.io/'.length) || 'nodes'
}

function groups(nodes: readonly KubeNode[], { millicores, bytes }: Quantities): NodeGroup[] {
  const found = new Map<string, NodeGroup>()
  for (const node of nodes) {
    const wanted = groupOf(node)
    // The last place is for all groups that find none.
    const name = found.has(wanted) || found.size < maxGroups - 1 ? wanted : 'others'
    const group = found.get(name)
    if (group) group.count += 1
    else {
      const { cpu, memory } = node.status?.capacity ?? {}
      found.set(name, { name, count: 1, cpuCores: millicores(cpu) / 1000, memoryBytes: bytes(memory) })
    }
  }
  return [...found.values()]
}

function mostCommon(texts: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const text of texts) if (text) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0].slice(0, 63) ?? ''
}
