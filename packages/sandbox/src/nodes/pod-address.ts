import { hash } from '../random.ts'
import type { Store } from '../store/store.ts'
import { pods, type Node, type Pod } from '../types.ts'

/** A free address of the node's range; the node's own for a pod in its network. */
export function podAddress(store: Store, pod: Pod, node: Node): string {
  if (pod.spec.hostNetwork) return hostAddress(node)
  const range = /^(\d+\.\d+\.\d+)\./.exec(node.spec.podCIDR ?? '')?.[1] ?? '10.244.0'
  const taken = new Set(store.indexed(pods, 'node', node.metadata.name).map((one) => one.status?.podIP))
  let last = 2 + (hash(pod.metadata.uid) % 250)
  // A node with more pods than its range has addresses, which only direct binding makes, shares them.
  for (let i = 0; i < 250 && taken.has(`${range}.${last}`); i++) last = 2 + ((last - 1) % 250)
  return `${range}.${last}`
}

export function hostAddress(node: Node): string {
  return node.status?.addresses?.find((one) => one.type === 'InternalIP')?.address ?? '127.0.0.1'
}
