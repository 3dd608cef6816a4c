import type { Cluster } from '../api/context.ts'
import { jobs, replicaSets, type Pod, type Service } from '../types.ts'
import type { JsonObject } from '../json.ts'
import type { Direction, End, Port } from './policy-verdict.ts'

/** A connection that a pod tried. */
type Attempt = { from: End; to: End; service?: Service; port: Port; dropped: Direction | undefined }

type Flow = {
  from: JsonObject
  to: JsonObject
  port: Port
  dropped: Direction | undefined
  count: number
  firstMs: number
  lastMs: number
}

/** Beyond these the flow that was seen longest ago is forgotten. */
const mostFlows = 5_000

/** Connections between pods as a relay of observed flows would tell: kept in memory only, since the sandbox started. */
export class FlowLog {
  readonly #flows = new Map<string, Flow>()

  record(cluster: Cluster, { from, to, service, port, dropped }: Attempt): void {
    const nowMs = cluster.clock.now()
    const source = endOf(cluster, from)
    const target = { ...endOf(cluster, to), ...(service ? { service: nameOf(service) } : {}) }
    const key = JSON.stringify([source, target, port.protocol, port.port, dropped ?? ''])
    const known = this.#flows.get(key)
    // Taken out and put in again, the flows stand in the order in which they were last seen.
    this.#flows.delete(key)
    this.#flows.set(key, {
      from: source,
      to: target,
      port,
      dropped,
      count: (known?.count ?? 0) + 1,
      firstMs: known?.firstMs ?? nowMs,
      lastMs: nowMs,
    })
    const [oldest] = this.#flows.keys()
    if (this.#flows.size > mostFlows && oldest !== undefined) this.#flows.delete(oldest)
  }

  /** Flows seen after a time, the latest last, as JSON. */
  list(afterMs: number): JsonObject[] {
    return [...this.#flows.values()]
      .filter((flow) => flow.lastMs > afterMs)
      .map(({ from, to, port, dropped, count, firstMs, lastMs }) => ({
        from,
        to,
        protocol: port.protocol,
        port: port.port,
        verdict: dropped ? 'DROPPED' : 'FORWARDED',
        ...(dropped ? { droppedAt: dropped.toUpperCase() } : {}),
        count,
        firstSeen: new Date(firstMs).toISOString(),
        lastSeen: new Date(lastMs).toISOString(),
      }))
  }
}

const nameOf = ({ metadata }: Service): JsonObject => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
})

function endOf(cluster: Cluster, { pod, addresses }: End): JsonObject {
  const [ip = ''] = addresses
  if (!pod) return { ip }
  const { namespace = '', name } = pod.metadata
  return { namespace, pod: name, workload: workloadOf(cluster, pod), ip }
}

type Owned = { metadata: { ownerReferences?: { kind: string; name: string; controller?: boolean }[] } }

const ownerOf = (object: Owned | undefined) =>
  object?.metadata.ownerReferences?.find(({ controller }) => controller === true)

/** What made a pod: the Deployment rather than its ReplicaSet, the CronJob rather than its Job. */
function workloadOf({ store }: Cluster, pod: Pod): JsonObject {
  const { namespace, name } = pod.metadata
  const owner = ownerOf(pod)
  if (!owner) return { kind: 'Pod', name }
  const kind = { ReplicaSet: replicaSets, Job: jobs }[owner.kind]
  const above = kind && ownerOf(store.get<Owned>(kind, namespace, owner.name))
  const { kind: own, name: title } = above ?? owner
  return { kind: own, name: title }
}
