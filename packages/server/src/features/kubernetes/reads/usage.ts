import type { Clock } from '../../../platform/clock.ts'
import type { Connect } from '../connection/ports.ts'
import { bytes, millicores } from '../connection/quantity.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError } from '../watch/kube-client.ts'

export type NodeUsage = { cpuMillicores: number; memoryBytes: number }
/** What each node uses, by name, and each pod, by namespace and name. Undefined where the cluster has no metrics. */
export type Usage = { nodes: Map<string, NodeUsage>; pods: Map<string, NodeUsage>; atMs: number }

export type UsageSource = {
  /** Usage at most `maxAgeMs` old, or undefined; never throws and never takes longer than `timeoutMs`. */
  recent(cluster: { id: number; organizationId: number }): Promise<Usage | undefined>
  /** Asks the cluster now; throws with why it does not answer. Undefined where it has no metrics. */
  fetch(cluster: { id: number; organizationId: number }): Promise<Usage | undefined>
  forget(clusterId: number): void
}

/** metrics-server itself measures every 15 s. */
const maxAgeMs = 15_000
const timeoutMs = 2_000
/** A cluster without metrics is asked again after this time. */
const absentMs = 60_000
const nodesPath = '/apis/metrics.k8s.io/v1beta1/nodes'
/** Figures of pods are additional: of a cluster that has more, those of its nodes must do. */
const podsPath = '/apis/metrics.k8s.io/v1beta1/pods?limit=3000'

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

type Known = { usage: Usage | undefined; untilMs: number }

/** Usage of nodes from `metrics.k8s.io`, asked for once however many want to know. */
export function createUsageSource(deps: { client: KubeClient; connect: Connect; clock: Clock }): UsageSource {
  const { client, clock } = deps
  const known = new Map<number, Known>()
  const asking = new Map<number, Promise<Usage | undefined>>()

  async function ask(cluster: { id: number; organizationId: number }): Promise<Usage | undefined> {
    try {
      const connection = await deps.connect(cluster.organizationId, cluster.id)
      const ofNodes = client.get(connection, nodesPath, AbortSignal.timeout(timeoutMs), { timeoutMs })
      const ofPods = client
        .get(connection, podsPath, AbortSignal.timeout(timeoutMs), { timeoutMs })
        .catch(() => ({ items: [] }))
      const list = (await ofNodes) as NodeMetricsList
      const pods = (await ofPods) as PodMetricsList
      const nowMs = clock.now().getTime()
      const usage = read(list, pods, nowMs)
      known.set(cluster.id, { usage, untilMs: clock.monotonicMs() + usage.atMs + maxAgeMs - nowMs })
      return usage
    } catch (error) {
      // 503 as well: the aggregator's answer while metrics-server is not ready.
      if (!(error instanceof KubeError) || ![404, 403, 503].includes(error.status)) throw error
      known.set(cluster.id, { usage: undefined, untilMs: clock.monotonicMs() + absentMs })
      return undefined
    }
  }

  function fetch(cluster: { id: number; organizationId: number }): Promise<Usage | undefined> {
    const under = asking.get(cluster.id)
    if (under) return under
    const asked = ask(cluster).finally(() => asking.delete(cluster.id))
    asking.set(cluster.id, asked)
    return asked
  }

  return {
    fetch,
    async recent(cluster) {
      const found = known.get(cluster.id)
      if (found && found.untilMs > clock.monotonicMs()) return found.usage
      // What is shown must not wait nor fail for what is only additional.
      return fetch(cluster).catch(() => undefined)
    },
    forget: (clusterId) => void known.delete(clusterId),
  }
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
