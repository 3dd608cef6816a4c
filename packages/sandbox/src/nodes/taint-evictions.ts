import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { nodes, pods, type Pod } from '../types.ts'
import { tolerates } from './node-fit.ts'

/** Evicts pods that do not tolerate their node's NoExecute taints, each when its toleration ends. */
export function createTaintEvictions(cluster: Cluster) {
  const { store, resources, recorder, clock } = cluster
  const evictions = new Map<string, () => void>()

  function cancel(uid: string): void {
    evictions.get(uid)?.()
    evictions.delete(uid)
  }

  function evict(pod: Pod): void {
    const current = store.get(pods, pod.metadata.namespace, pod.metadata.name)
    if (current?.metadata.uid !== pod.metadata.uid || current.metadata.deletionTimestamp) return
    recorder.normal(
      'taint-eviction-controller',
      pod,
      'TaintManagerEviction',
      `Marking for deletion Pod ${pod.metadata.namespace}/${pod.metadata.name}`,
    )
    const kind = cluster.registry.stored(pods.key)
    deleteObject(resources, kind, pod.metadata.namespace, pod.metadata.name)
  }

  /** Plans the eviction of a pod that does not, or not for long, tolerate its node's NoExecute taints. */
  function consider(pod: Pod): void {
    const { uid } = pod.metadata
    const node = store.get(nodes, undefined, pod.spec.nodeName ?? '')
    const taints = (node?.spec.taints ?? []).filter((taint) => taint.effect === 'NoExecute')
    if (taints.length === 0 || pod.metadata.deletionTimestamp) {
      cancel(uid)
      return
    }
    let leastMs = Infinity
    for (const taint of taints) {
      const matching = (pod.spec.tolerations ?? []).filter((one) => tolerates([one], taint))
      if (matching.length === 0) leastMs = 0
      for (const { tolerationSeconds } of matching) {
        if (tolerationSeconds !== undefined)
          leastMs = Math.min(leastMs, (tolerationSeconds * 1000) / cluster.speed)
      }
    }
    if (leastMs === Infinity || evictions.has(uid)) return
    evictions.set(
      uid,
      clock.after(leastMs, () => {
        evictions.delete(uid)
        evict(pod)
      }),
    )
  }

  return {
    consider,
    /** Cancels the eviction of a pod, if one is planned. */
    cancel,
    /** Cancels the evictions that are planned. */
    stop(): void {
      for (const cancelOne of evictions.values()) cancelOne()
    },
  }
}
