import type { Clock } from '../../../platform/clock.ts'
import type { Connect } from '../connection/ports.ts'
import { bytes, millicores } from '../connection/quantity.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError } from '../watch/kube-client.ts'

export type NodeUsage = { cpuMillicores: number; memoryBytes: number }
/** What each node uses, by name. Undefined where the cluster has no metrics. */
export type Usage = { nodes: Map<string, NodeUsage>; atMs: number }

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
const path = '/apis/metrics.k8s.io/v1beta1/nodes'

type NodeMetricsList = {
  items?: { metadata?: { name?: string }; usage?: { cpu?: string; memory?: string } }[] | null
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
      const list = (await client.get(
        connection,
        path,
        AbortSignal.timeout(timeoutMs),
        timeoutMs,
      )) as NodeMetricsList
      const nowMs = clock.now().getTime()
      const usage = read(list, nowMs)
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

function read(list: NodeMetricsList, atMs: number): Usage {
  const nodes = new Map<string, NodeUsage>()
  for (const { metadata, usage } of list.items ?? []) {
    if (!metadata?.name) continue
    nodes.set(metadata.name, { cpuMillicores: millicores(usage?.cpu), memoryBytes: bytes(usage?.memory) })
  }
  return { nodes, atMs }
}
