import type { Health, HealthState } from '@bey/contract'
import type { NodeEntry, PodEntry } from '../watch/entries.ts'
import type { ClaimEntry } from '../watch/workload-entries.ts'
import { claimHealth } from './claim-health.ts'
import { namespaceHealth } from './namespace-health.ts'
import { nodeHealth } from './node-health.ts'
import { podHealth } from './pod-health.ts'
import { assessWorkloads, type AssessedWorkload } from './assess-workloads.ts'
import type { HealthTables } from './tables.ts'
import type { Verdict } from './verdict.ts'
import { about, never } from './verdict.ts'

/** The health of everything in a cluster at one moment. */
export type Assessment = {
  pods: ReadonlyMap<PodEntry, Health>
  nodes: ReadonlyMap<NodeEntry, Health>
  workloads: readonly AssessedWorkload[]
  claims: ReadonlyMap<ClaimEntry, Health>
  /** By name. */
  namespaces: ReadonlyMap<string, Health>
  /** When it may change although nothing changes in the cluster. */
  changesAtMs: number
}

export type StateCounts = Record<HealthState, number>

export function countStates(all: Iterable<Health>): StateCounts {
  const counts: StateCounts = { failing: 0, degraded: 0, unknown: 0, starting: 0, healthy: 0 }
  for (const { state } of all) counts[state] += 1
  return counts
}

/** The health of the pods that are still meant to run. What ended is listed as it ended, and counts as no trouble now. */
export function* podsInUse({ pods }: Pick<Assessment, 'pods'>): Iterable<Health> {
  for (const [pod, health] of pods) if (!pod.isTerminal) yield health
}

type Kept = { verdict: Verdict; isNodeReady: boolean }

/** Verdicts on pods that did not change since; a changed pod is a new entry. */
const knownPods = new WeakMap<PodEntry, Kept>()

/** Pure but for what it remembers of unchanged pods, so that a change in 10,000 pods costs one verdict and a sum. */
export function assess(tables: HealthTables, nowMs: number): Assessment {
  let changesAtMs = never
  const keep = ({ health, changesAtMs: at }: Verdict): Health => {
    if (at < changesAtMs) changesAtMs = at
    return health
  }
  const nodes = new Map<NodeEntry, Health>()
  const silentNodes = new Set<string>()
  for (const node of tables.nodes) {
    const object = { kind: 'Node', namespace: '', name: node.name }
    nodes.set(node, keep(about(object, nodeHealth(node.facts, nowMs))))
    if (!node.isReady) silentNodes.add(node.name)
  }

  const pods = new Map<PodEntry, Health>()
  const verdicts = new Map<PodEntry, Verdict>()
  for (const pod of tables.pods) {
    const verdict = verdictOn(pod, pod.node === null || !silentNodes.has(pod.node), nowMs)
    verdicts.set(pod, verdict)
    pods.set(pod, keep(verdict))
  }

  const workloads = assessWorkloads(tables, verdicts, nowMs)
  for (const { verdict } of workloads) keep(verdict)

  const usedClaims = new Set<string>()
  for (const pod of tables.pods) {
    if (pod.isTerminal) continue
    for (const claim of pod.claims) usedClaims.add(`${pod.namespace}/${claim}`)
  }
  const claims = new Map<ClaimEntry, Health>()
  const inside = new Map<string, Verdict[]>()
  const put = (namespace: string, verdict: Verdict) => {
    const found = inside.get(namespace)
    if (found) found.push(verdict)
    else inside.set(namespace, [verdict])
  }
  for (const claim of tables.claims) {
    const { namespace, name } = claim
    const object = { kind: 'PersistentVolumeClaim', namespace, name }
    const verdict = about(
      object,
      claimHealth(claim.facts, {
        isUsed: usedClaims.has(`${namespace}/${name}`),
        volume: tables.volumes?.get(`${namespace}/${name}`),
        nowMs,
      }),
    )
    claims.set(claim, keep(verdict))
    put(namespace, verdict)
  }
  for (const { namespace, verdict } of workloads) put(namespace, verdict)
  const namespaces = new Map<string, Health>()
  for (const namespace of tables.namespaces) {
    const object = { kind: 'Namespace', namespace: '', name: namespace.name }
    const verdict = about(object, namespaceHealth(namespace.facts, inside.get(namespace.name) ?? [], nowMs))
    namespaces.set(namespace.name, keep(verdict))
  }
  return { pods, nodes, workloads, claims, namespaces, changesAtMs }
}

function verdictOn(pod: PodEntry, isNodeReady: boolean, nowMs: number): Verdict {
  const known = knownPods.get(pod)
  if (known && known.isNodeReady === isNodeReady && nowMs < known.verdict.changesAtMs) return known.verdict
  const object = { kind: 'Pod', namespace: pod.namespace, name: pod.name }
  const verdict = about(object, podHealth(pod.facts, isNodeReady, nowMs))
  knownPods.set(pod, { verdict, isNodeReady })
  return verdict
}
