import type { Cluster } from '../api/context.ts'
import type { Controller } from '../controllers/controller.ts'
import { queueKey, splitKey } from '../controllers/owner.ts'
import { selectedNode } from '../controllers/volume-match.ts'
import { WorkQueue } from '../controllers/work-queue.ts'
import { admitBinding, bindPod } from '../sub/binding.ts'
import { claims, nodes, pods, volumes, type PersistentVolumeClaim, type Pod } from '../types.ts'
import { enoughCandidates, findNode } from './find-node.ts'
import { selectNode, volumesOf } from './pod-volumes.ts'
import { preempt } from './preemption.ts'
import { NodeUsage } from './requests.ts'
import { markUnschedulable, unschedulableMessage } from './unschedulable.ts'

const component = 'default-scheduler'
const retryMs = 30_000

/** Gives every new pod a node, and says why when there is none. */
export function runScheduler(cluster: Cluster): Controller {
  const { store, resources, recorder, clock } = cluster
  const usage = new NodeUsage()
  const unplaced = new Set<string>()
  /** The nodes of pods whose volumes are being made. */
  const reserved = new Map<string, string>()
  let nextStart = 0

  store.addIndex(pods, 'node', (pod) => (pod.spec.nodeName ? [pod.spec.nodeName] : []))

  function count(pod: Pod): void {
    if (pod.spec.nodeName && pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed')
      usage.add(pod, pod.spec.nodeName)
    else if (!reserved.has(queueKey(pod)) && usage.remove(pod.metadata.uid)) retryUnplaced()
  }

  function retryUnplaced(): void {
    const priority = (key: string) => store.get(pods, ...splitKey(key))?.spec.priority ?? 0
    // The most important first, and else in the order in which they came.
    for (const key of [...unplaced].toSorted((a, b) => priority(b) - priority(a))) queue.add(key)
  }

  /** The node that a pod's volumes are being made for, as long as it is there and they are meant for it. */
  function reservedNode(pod: Pod, waiting: readonly PersistentVolumeClaim[]): string | undefined {
    const name = reserved.get(queueKey(pod))
    if (name === undefined) return undefined
    const isSelected = waiting.every((claim) => claim.metadata.annotations?.[selectedNode] === name)
    if (isSelected && store.get(nodes, undefined, name)) return name
    reserved.delete(queueKey(pod))
    usage.remove(pod.metadata.uid)
    return undefined
  }

  function place(pod: Pod, node: string): void {
    admitBinding(resources, pod, node)
    reserved.delete(queueKey(pod))
    unplaced.delete(queueKey(pod))
    usage.add(pod, node)
    bindPod(resources, pod, node)
    const id = `${pod.metadata.namespace}/${pod.metadata.name}`
    recorder.normal(component, pod, 'Scheduled', `Successfully assigned ${id} to ${node}`)
  }

  function fail(pod: Pod, message: string): void {
    unplaced.add(queueKey(pod))
    queue.addAfter(queueKey(pod), retryMs)
    markUnschedulable(cluster, pod, message)
  }

  function schedule(pod: Pod): void {
    const all = store.list(nodes)
    if (all.length === 0) return fail(pod, 'no nodes available to schedule pods')
    const storage = volumesOf(store, pod)
    if (typeof storage === 'string')
      return fail(
        pod,
        `0/${all.length} nodes are available: ${storage}. preemption: 0/${all.length} nodes are available: ${all.length} Preemption is not helpful for scheduling.`,
      )
    const chosen = reservedNode(pod, storage.waiting)
    if (chosen !== undefined) return storage.waiting.length > 0 ? undefined : place(pod, chosen)
    const { best, reasons, crowded } = findNode(store, usage, pod, storage, all, nextStart)
    if (all.length > enoughCandidates) nextStart = (nextStart + enoughCandidates) % all.length
    if (!best) {
      fail(pod, unschedulableMessage(reasons, all.length))
      const latest = store.get(pods, pod.metadata.namespace, pod.metadata.name)
      if (latest) preempt(cluster, latest, crowded, usage)
      return
    }
    const { name } = best.metadata
    if (storage.waiting.length === 0) return place(pod, name)
    // The room is kept, and the pod waits until its volumes are there.
    reserved.set(queueKey(pod), name)
    unplaced.delete(queueKey(pod))
    usage.add(pod, name)
    selectNode(resources, storage.waiting, name)
  }

  const queue = new WorkQueue(
    clock,
    (key) => {
      const pod = store.get(pods, ...splitKey(key))
      const isOurs =
        pod && !pod.spec.nodeName && !pod.metadata.deletionTimestamp && pod.spec.schedulerName === component
      if (!isOurs || pod.spec.schedulingGates?.length) {
        unplaced.delete(key)
        queue.forget(key)
      } else schedule(pod)
    },
    cluster.report,
  )

  for (const pod of store.list(pods)) {
    count(pod)
    queue.add(queueKey(pod))
  }
  const stops = [
    store.subscribe(pods.key, ({ type, object }) => {
      const pod = store.get(pods, object.metadata.namespace, object.metadata.name)
      if (type === 'DELETED') reserved.delete(queueKey(object))
      if (type === 'DELETED' && usage.remove(object.metadata.uid)) retryUnplaced()
      if (!pod) return
      count(pod)
      if (!pod.spec.nodeName && !unplaced.has(queueKey(pod))) queue.add(queueKey(pod))
    }),
    store.subscribe(nodes.key, ({ type, object, old }) => {
      // Heartbeats change nothing that a waiting pod could hope for.
      if (
        type === 'MODIFIED' &&
        old &&
        JSON.stringify([object['spec'], object.metadata.labels]) ===
          JSON.stringify([old['spec'], old.metadata.labels])
      )
        return
      retryUnplaced()
    }),
    store.subscribe(claims.key, () => {
      for (const key of reserved.keys()) queue.add(key)
      retryUnplaced()
    }),
    store.subscribe(volumes.key, ({ type }) => {
      if (type === 'ADDED') retryUnplaced()
    }),
  ]
  return {
    stop() {
      for (const stop of stops) stop()
      queue.stop()
    },
  }
}
