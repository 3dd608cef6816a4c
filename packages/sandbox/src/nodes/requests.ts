import { quantity } from '../quantity.ts'
import type { Node, Pod, PodSpec } from '../types.ts'

/** Amounts by resource name, in base units: cores, bytes, pieces. */
export type Amounts = Readonly<Record<string, number>>

/** What a pod asks for: the sum of its containers, or its greediest init container if that is more. */
export function podRequests(spec: PodSpec): Amounts {
  const sum: Record<string, number> = {}
  for (const { resources } of spec.containers) {
    for (const [name, value] of Object.entries(resources?.requests ?? {}))
      sum[name] = (sum[name] ?? 0) + quantity(value)
  }
  for (const { resources } of spec.initContainers ?? []) {
    for (const [name, value] of Object.entries(resources?.requests ?? {})) {
      sum[name] = Math.max(sum[name] ?? 0, quantity(value))
    }
  }
  return sum
}

/** The requests on each node, kept up as pods come and go. */
export class NodeUsage {
  readonly #nodes = new Map<string, { sum: Record<string, number>; pods: Map<string, Amounts> }>()
  readonly #places = new Map<string, string>()

  /** Counts a pod on its node; once, however often it is counted. */
  add(pod: Pod, node: string): void {
    const { uid } = pod.metadata
    if (this.#places.get(uid) === node) return
    this.remove(uid)
    const usage = this.#nodes.get(node) ?? { sum: {}, pods: new Map<string, Amounts>() }
    this.#nodes.set(node, usage)
    const requests = podRequests(pod.spec)
    usage.pods.set(uid, requests)
    for (const [name, value] of Object.entries(requests)) usage.sum[name] = (usage.sum[name] ?? 0) + value
    this.#places.set(uid, node)
  }

  remove(uid: string): boolean {
    const node = this.#places.get(uid)
    const usage = node === undefined ? undefined : this.#nodes.get(node)
    const requests = usage?.pods.get(uid)
    if (!usage || !requests) return false
    usage.pods.delete(uid)
    this.#places.delete(uid)
    for (const [name, value] of Object.entries(requests)) usage.sum[name] = (usage.sum[name] ?? 0) - value
    return true
  }

  podCount(node: string): number {
    return this.#nodes.get(node)?.pods.size ?? 0
  }

  used(node: string, resource: string): number {
    return this.#nodes.get(node)?.sum[resource] ?? 0
  }
}

export function allocatable(node: Node, resource: string): number {
  return quantity(node.status?.allocatable?.[resource])
}
