import type { ClusterSnapshot } from '@bey/contract/reachability/snapshot'
import { type ReportedFlow, reportedFlow, type SeenEnd, type SeenFlow } from '../flow-log.ts'
import { directions, type HubbleEnd, type HubbleFlow, layer34, verdicts } from './observer-messages.ts'

/** Beyond these the ways that were used longest ago are forgotten. */
const mostWays = 5_000
/** Connections of which another packet is not counted again: at most twice as many are remembered. */
const mostConnections = 20_000

/** Identities of Cilium: the node itself, its health checks, and other nodes. The map has no nodes. */
const nodeIdentities = new Set([1, 4, 6])

/** Adds up connections from packets, each of which may be seen several times on its way. Memory is bounded. */
export class FlowCounts {
  readonly #ways = new Map<string, SeenFlow>()
  #connections = new Set<string>()
  #connectionsBefore = new Set<string>()
  /** The first packet that was counted, in ms since 1970. */
  sinceMs: number | null = null
  /** Packets that were let through, and those among them of which it is known whether they are replies. */
  forwarded = 0
  directed = 0

  add(flow: HubbleFlow): void {
    const { protocol, destinationPort: port, timeMs } = flow
    const isDropped = flow.verdict === verdicts.dropped
    if (flow.type !== layer34 || protocol === undefined || port === 0 || !isPlausible(flow)) return
    if (!isDropped) {
      if (flow.verdict !== verdicts.forwarded) return
      this.forwarded += 1
      if (flow.isReply !== undefined) this.directed += 1
      if (!isArrival(flow)) return
    }
    if (nodeIdentities.has(flow.source.identity) || nodeIdentities.has(flow.destination.identity)) return
    const from = endOf(flow.source, flow.sourceIp)
    const to = endOf(flow.destination, flow.destinationIp)
    const key = JSON.stringify([keyOf(from), keyOf(to), protocol, port, isDropped])
    const known = this.#ways.get(key)
    const isNew = this.#isNewConnection(
      `${flow.sourceIp} ${flow.sourcePort} ${flow.destinationIp} ${protocol} ${port} ${isDropped}`,
    )
    // Taken out and put in again, the ways stand in the order in which they were last used.
    this.#ways.delete(key)
    this.#ways.set(key, {
      from,
      to,
      protocol,
      port,
      isDropped,
      count: (known?.count ?? 0) + (isNew || known === undefined ? 1 : 0),
      lastSeenAtMs: Math.max(known?.lastSeenAtMs ?? 0, timeMs),
    })
    const [oldest] = this.#ways.keys()
    if (this.#ways.size > mostWays && oldest !== undefined) this.#ways.delete(oldest)
    this.sinceMs = Math.min(this.sinceMs ?? timeMs, timeMs)
  }

  /** The ways, with pods as workloads: by what is watched of the cluster, or else as Hubble named them. */
  list({ pods }: ClusterSnapshot): ReportedFlow[] {
    const workloads = new Map(pods.map(({ namespace, name, workload }) => [`${namespace}/${name}`, workload]))
    const placed = (end: SeenEnd): SeenEnd => {
      const key = `${end.namespace}/${end.pod}`
      if (!workloads.has(key)) return end
      const { workload: _, ...rest } = end
      const workload = workloads.get(key)
      return workload ? { ...rest, workload } : rest
    }
    return [...this.#ways.values()].map((flow) =>
      reportedFlow({ ...flow, from: placed(flow.from), to: placed(flow.to) }),
    )
  }

  #isNewConnection(key: string): boolean {
    if (this.#connections.has(key)) return false
    const isKnown = this.#connectionsBefore.has(key)
    this.#connections.add(key)
    if (this.#connections.size >= mostConnections) {
      this.#connectionsBefore = this.#connections
      this.#connections = new Set()
    }
    return !isKnown
  }
}

/**
 * A packet that leaves its source may still be dropped where it arrives. So one counts where it enters its pod; what goes
 * to an address outside counts where it leaves.
 */
function isArrival({ destination, direction, isReply }: HubbleFlow): boolean {
  if (isReply !== false) return false
  return direction === (destination.pod === '' ? directions.egress : directions.ingress)
}

/** Names of Kubernetes and addresses are short: longer ones are no flow of Cilium's, and would fill the memory. */
const [longestName, longestAddress] = [253, 45]

function isPlausible({ source, destination, sourceIp, destinationIp }: HubbleFlow): boolean {
  const isNamed = ({ namespace, pod, workloads: [workload] }: HubbleEnd) =>
    [namespace, pod, workload?.kind ?? '', workload?.name ?? ''].every((name) => name.length <= longestName)
  const isAddress = (ip: string) => ip.length <= longestAddress
  return isNamed(source) && isNamed(destination) && isAddress(sourceIp) && isAddress(destinationIp)
}

function endOf({ namespace, pod, workloads }: HubbleEnd, ip: string): SeenEnd {
  if (pod === '') return { ip }
  const [workload] = workloads
  return { namespace, pod, ip, ...(workload && { workload }) }
}

const keyOf = ({ namespace, pod, workload, ip }: SeenEnd): string =>
  pod === undefined ? ip : `${namespace}/${workload ? `${workload.kind}/${workload.name}` : pod}`
