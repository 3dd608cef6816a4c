import type { Health, NodeCell, NodeRow } from '@bey/contract'
import { healthRank, healthy, maxNamedFailing } from '@bey/contract'
import type { Requested } from './figures.ts'
import { requestedByNode } from './figures.ts'
import type { Usage } from '../metrics/usage.ts'
import type { NodeEntry, PodEntry } from '../watch/entries.ts'
import { byText } from '../watch/table.ts'
import type { ClusterAssessment } from '../health/assessor.ts'
import { isWorse } from '../health/verdict.ts'

const maxPods = 250

/** Nodes with their pods, by name; at most `max`, of which those in trouble are never left out. */
export function nodeMap(assessment: ClusterAssessment, usage: Usage | undefined, max: number): NodeCell[] {
  const podsOf = new Map<string | null, PodEntry[]>()
  for (const pod of assessment.pods.keys()) {
    if (pod.isTerminal) continue
    const found = podsOf.get(pod.node)
    if (found) found.push(pod)
    else podsOf.set(pod.node, [pod])
  }
  const requested = requestedByNode(assessment.pods.keys())
  const nodes = [...assessment.nodes].toSorted(([a], [b]) => byText(a.name, b.name))
  const cells = shown(nodes, podsOf, assessment, max - 1).map(([node, health]) =>
    nodeCellOf(node, health, podsOf.get(node.name) ?? [], requested.get(node.name), assessment, usage),
  )
  const waiting = podsOf.get(null) ?? []
  return waiting.length > 0 ? [...cells, waitingCell(waiting, assessment)] : cells
}

type HealthyNode = [NodeEntry, Health]

function shown(
  nodes: readonly HealthyNode[],
  podsOf: ReadonlyMap<string | null, PodEntry[]>,
  assessment: ClusterAssessment,
  max: number,
): readonly HealthyNode[] {
  if (nodes.length <= max) return nodes
  const rank = ([node, health]: HealthyNode) =>
    Math.min(
      healthRank(health.state),
      ...(podsOf.get(node.name) ?? []).map((pod) => healthRank(stateOf(assessment, pod))),
    )
  const chosen = new Set(nodes.toSorted((a, b) => rank(a) - rank(b)).slice(0, max))
  return nodes.filter((node) => chosen.has(node))
}

/** One node with its pods; `pods` hold something of it. */
export function nodeCellOf(
  node: NodeEntry,
  health: Health,
  pods: PodEntry[],
  requested: Requested | undefined,
  assessment: ClusterAssessment,
  usage: Usage | undefined,
): NodeCell {
  const used = usage?.nodes.get(node.name)
  return {
    name: node.name,
    health,
    cpu: {
      used: share(used?.cpuMillicores, node.cpuMillicores),
      requested: share(requested?.cpuMillicores ?? 0, node.cpuMillicores),
    },
    memory: {
      used: share(used?.memoryBytes, node.memoryBytes),
      requested: share(requested?.memoryBytes ?? 0, node.memoryBytes),
    },
    ...podTicks(pods, assessment, usage),
  }
}

/** Pods that no node has taken stand beside the nodes. */
function waitingCell(pods: PodEntry[], assessment: ClusterAssessment): NodeCell {
  let worst = healthy
  for (const pod of pods) {
    const health = assessment.pods.get(pod)
    if (health && isWorse(health, worst)) worst = health
  }
  const nothing = { used: null, requested: null }
  return {
    name: null,
    health: worst,
    cpu: nothing,
    memory: nothing,
    ...podTicks(pods, assessment, undefined),
  }
}

/** How many of the pods of a node fail, with the names of the first. */
export function failingOf(
  pods: readonly PodEntry[],
  assessment: ClusterAssessment,
): Pick<NodeRow, 'failingCount' | 'failing'> {
  const failing = pods.filter((pod) => stateOf(assessment, pod) === 'failing').toSorted(byOwner)
  return {
    failingCount: failing.length,
    failing: failing.slice(0, maxNamedFailing).map((pod) => ({
      namespace: pod.namespace,
      name: pod.name,
      reason: assessment.pods.get(pod)?.reason ?? null,
    })),
  }
}

const byOwner = (a: PodEntry, b: PodEntry) =>
  byText(a.namespace, b.namespace) || byText(a.owner, b.owner) || byText(a.name, b.name)

function podTicks(pods: PodEntry[], assessment: ClusterAssessment, usage: Usage | undefined) {
  const sorted = pods.toSorted(byOwner)
  return {
    podCount: pods.length,
    ...failingOf(sorted, assessment),
    pods: sorted.slice(0, maxPods).map((pod) => {
      const used = usage?.pods.get(`${pod.namespace}/${pod.name}`)
      return {
        state: stateOf(assessment, pod),
        cpu: share(used?.cpuMillicores, pod.cpuMillicores),
        memory: share(used?.memoryBytes, pod.memoryBytes),
      }
    }),
  }
}

function stateOf(assessment: ClusterAssessment, pod: PodEntry): Health['state'] {
  return assessment.pods.get(pod)?.state ?? 'unknown'
}

/** To the hundredth: more cannot be seen. */
function share(used: number | undefined, total: number): number | null {
  return used === undefined || total <= 0 ? null : Math.round((used / total) * 100) / 100
}
