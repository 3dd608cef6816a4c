import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { whyUnreachable } from '../connection/cluster-agents.ts'
import type { Connect } from '../connection/ports.ts'
import { bytes, millicores } from '@bey/contract/kubernetes/quantity'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError } from '../watch/kube-client.ts'

export type NodeUsage = { cpuMillicores: number; memoryBytes: number }
/** What each node uses, by name, and each pod, by namespace and name. */
export type Usage = { nodes: Map<string, NodeUsage>; pods: Map<string, NodeUsage>; atMs: number }

type MeasuredCluster = { id: number; organizationId: number }

/** What came of measuring: usage, none where the cluster has no metrics, or why it did not answer, as a sentence. */
type Measurement = { usage: Usage } | { isAbsent: true } | { error: string }

export type UsageSource = {
  /** The last usage, or undefined; never throws and waits at most 2 s for a first measurement. */
  recent(cluster: MeasuredCluster): Promise<Usage | undefined>
  /**
   * Measures the cluster every 15 s until stopped, once however many follow; each of them hears of every measurement,
   * and of the last one at once.
   */
  follow(cluster: MeasuredCluster, listener: (measurement: Measurement) => void): () => void
  forget(clusterId: number): void
}

/** metrics-server itself measures every 15 s. */
export const measurePeriodMs = 15_000
/** Somewhat longer, so that what is measured every period is never asked for by a reader as well. */
const maxAgeMs = 20_000
const timeoutMs = 10_000
/** A page does not wait longer for what is only additional. */
const readerTimeoutMs = 2_000
/** A cluster without metrics is asked again after this time. */
const absentMs = 60_000
const nodesPath = '/apis/metrics.k8s.io/v1beta1/nodes'
const podsPath = '/apis/metrics.k8s.io/v1beta1/pods'

type NodeMetricsList = {
  items?: { metadata?: { name?: string }; usage?: { cpu?: string; memory?: string } }[] | null
}

type PodMetricsList = {
  items?:
    | {
        metadata?: { name?: string; namespace?: string }
        containers?: { usage?: { cpu?: string; memory?: string } }[]
      }[]
    | null
}

type Round = { listeners: Set<(measurement: Measurement) => void>; cancel: () => void }

/** Usage of nodes and pods from `metrics.k8s.io`. */
export function createUsageSource(deps: {
  client: Pick<KubeClient, 'get'>
  connect: Connect
  clock: Clock
}): UsageSource {
  const { client, clock } = deps
  const known = new Map<number, { measurement: Measurement; untilMs: number }>()
  const asking = new Map<number, Promise<Measurement>>()
  const rounds = new Map<number, Round>()

  async function ask(cluster: MeasuredCluster): Promise<Measurement> {
    const measurement = await measure(cluster)
    const keptMs = 'isAbsent' in measurement ? absentMs : 'usage' in measurement ? maxAgeMs : 0
    known.set(cluster.id, { measurement, untilMs: clock.monotonicMs() + keptMs })
    for (const listener of rounds.get(cluster.id)?.listeners ?? []) listener(measurement)
    return measurement
  }

  async function measure(cluster: MeasuredCluster): Promise<Measurement> {
    try {
      const connection = await deps.connect(cluster.organizationId, cluster.id)
      const get = (path: string) =>
        client.get(connection, path, AbortSignal.timeout(timeoutMs), { timeoutMs })
      const ofNodes = get(nodesPath)
      // Figures of pods are additional: who may not read them still sees those of nodes.
      const ofPods = get(podsPath).catch(() => ({ items: [] }))
      const list = (await ofNodes) as NodeMetricsList
      const pods = (await ofPods) as PodMetricsList
      return { usage: read(list, pods, clock.now().getTime()) }
    } catch (error) {
      // 503 as well: the aggregator's answer while metrics-server is not ready.
      if (error instanceof KubeError && [404, 403, 503].includes(error.status)) return { isAbsent: true }
      if (error instanceof AppError) return { error: error.message }
      return { error: `The cluster does not answer: ${whyUnreachable(error)}.` }
    }
  }

  function fetch(cluster: MeasuredCluster): Promise<Measurement> {
    const found = asking.get(cluster.id)
    if (found) return found
    const asked = ask(cluster).finally(() => asking.delete(cluster.id))
    asking.set(cluster.id, asked)
    return asked
  }

  function current(clusterId: number): Measurement | undefined {
    const found = known.get(clusterId)
    return found && found.untilMs > clock.monotonicMs() ? found.measurement : undefined
  }

  function startRound(cluster: MeasuredCluster): Round {
    const round: Round = { listeners: new Set(), cancel: () => undefined }
    const next = () => {
      // Whoever cannot answer within the period is not asked twice at once.
      void fetch(cluster)
      round.cancel = clock.setTimeout(next, measurePeriodMs)
    }
    // After the caller has its way to stop.
    round.cancel = clock.setTimeout(next, 0)
    rounds.set(cluster.id, round)
    return round
  }

  return {
    async recent(cluster) {
      const found = current(cluster.id) ?? (await first(clock, fetch(cluster)))
      return found && 'usage' in found ? found.usage : undefined
    },
    follow(cluster, listener) {
      const last = current(cluster.id)
      const isMeasured = rounds.has(cluster.id)
      const round = rounds.get(cluster.id) ?? startRound(cluster)
      round.listeners.add(listener)
      if (isMeasured && last) clock.setTimeout(() => round.listeners.has(listener) && listener(last), 0)
      return () => {
        round.listeners.delete(listener)
        if (round.listeners.size > 0 || rounds.get(cluster.id) !== round) return
        round.cancel()
        rounds.delete(cluster.id)
      }
    },
    forget: (clusterId) => void known.delete(clusterId),
  }
}

/** The measurement, or undefined when it takes longer than a reader waits. */
function first(clock: Clock, measurement: Promise<Measurement>): Promise<Measurement | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.setTimeout(() => resolve(undefined), readerTimeoutMs)
    void measurement.then((found) => {
      cancel()
      resolve(found)
    })
  })
}

function read(ofNodes: NodeMetricsList, ofPods: PodMetricsList, atMs: number): Usage {
  const nodes = new Map<string, NodeUsage>()
  for (const { metadata, usage } of ofNodes.items ?? []) {
    if (!metadata?.name) continue
    nodes.set(metadata.name, { cpuMillicores: millicores(usage?.cpu), memoryBytes: bytes(usage?.memory) })
  }
  const pods = new Map<string, NodeUsage>()
  for (const { metadata, containers } of ofPods.items ?? []) {
    if (!metadata?.name) continue
    const sum = { cpuMillicores: 0, memoryBytes: 0 }
    for (const { usage } of containers ?? []) {
      sum.cpuMillicores += millicores(usage?.cpu)
      sum.memoryBytes += bytes(usage?.memory)
    }
    pods.set(`${metadata.namespace}/${metadata.name}`, sum)
  }
  return { nodes, pods, atMs }
}
