import type { Cluster } from '../api/context.ts'
import { withCondition } from '../controllers/conditions.ts'
import type { Controller } from '../controllers/controller.ts'
import { controllerOf, queueKey, splitKey } from '../controllers/owner.ts'
import { isActive } from '../controllers/pod-state.ts'
import { selectedNode } from '../controllers/volume-match.ts'
import { WorkQueue } from '../controllers/work-queue.ts'
import { labelSelector } from '../selectors.ts'
import { admitBinding, bindPod } from '../sub/binding.ts'
import { claims, nodes, pods, volumes, type Node, type PersistentVolumeClaim, type Pod } from '../types.ts'
import { preempt } from './preemption.ts'
import { misfit, matchesTerm, repellingTaint } from './node-fit.ts'
import { antiAffinityMisfit, spreadMisfit } from './pod-placement.ts'
import { volumeMisfit, volumesOf } from './pod-volumes.ts'
import { allocatable, NodeUsage, podRequests } from './requests.ts'

const component = 'default-scheduler'
/** In large clusters the search ends when so many nodes could take the pod. */
const enoughCandidates = 50
const retryMs = 30_000

function isForRoom(reason: string): boolean {
  return /^(Insufficient|Too many)/.test(reason)
}

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

  /** Tells the storage controller where the first consumer of waiting claims will run. */
  function selectNode(waiting: readonly PersistentVolumeClaim[], node: string): void {
    for (const claim of waiting) {
      if (claim.metadata.annotations?.[selectedNode] === node) continue
      resources.change(claims, claim, (draft) => {
        draft.metadata.annotations = { ...draft.metadata.annotations, [selectedNode]: node }
      })
    }
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

  function score(pod: Pod, node: Node): number {
    const { name } = node.metadata
    const share = (resource: string) =>
      usage.used(name, resource) / Math.max(allocatable(node, resource), 1e-9)
    let points = 100 - 50 * (share('cpu') + share('memory'))
    // Replicas of one owner keep apart, and nearly empty nodes are preferred.
    const owner = controllerOf(pod)?.uid
    if (owner !== undefined) {
      const siblings = store
        .indexed(pods, 'controller', owner)
        .filter((one) => one.spec.nodeName === name && isActive(one))
      points -= siblings.length * 20
    }
    points -= usage.podCount(name) * 0.5
    if (repellingTaint(pod.spec, node, ['PreferNoSchedule'])) points -= 200
    for (const { weight, preference } of pod.spec.affinity?.nodeAffinity
      ?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
      if (matchesTerm(node, preference)) points += weight * 2
    }
    for (const { weight, podAffinityTerm } of pod.spec.affinity?.podAntiAffinity
      ?.preferredDuringSchedulingIgnoredDuringExecution ?? []) {
      const test = labelSelector(podAffinityTerm.labelSelector)
      if (store.indexed(pods, 'node', name).some((one) => isActive(one) && test(one.metadata.labels)))
        points -= weight * 2
    }
    return points
  }

  function fail(pod: Pod, message: string): void {
    unplaced.add(queueKey(pod))
    queue.addAfter(queueKey(pod), retryMs)
    const old = pod.status?.conditions?.find((one) => one.type === 'PodScheduled')
    if (old?.message !== message) {
      const condition = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }
      const tell = (draft: Pod) => {
        const conditions = withCondition(draft.status?.conditions, condition, clock.now())
        draft.status = { ...draft.status, conditions }
      }
      resources.changeStatus(pods, pod, tell, { manager: 'kube-scheduler' })
    }
    recorder.warning(component, pod, 'FailedScheduling', message)
  }

  function summary(reasons: Map<string, number>, total: number): string {
    const parts = [...reasons].map(([reason, number]) => `${number} ${reason}`).toSorted()
    const text = `0/${total} nodes are available: ${parts.join(', ')}.`
    const isResource = [...reasons.keys()].every(isForRoom)
    const detail = isResource
      ? `${total} No preemption victims found for incoming pod.`
      : `${total} Preemption is not helpful for scheduling.`
    return `${text} preemption: 0/${total} nodes are available: ${detail}`
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
    const requests = podRequests(pod.spec)
    const reasons = new Map<string, number>()
    // Where others would have to make room, and nothing else is in the way.
    const crowded: Node[] = []
    let best: { node: Node; points: number } | undefined
    let found = 0
    for (let i = 0; i < all.length && found < enoughCandidates; i++) {
      const node = all[(nextStart + i) % all.length]
      if (!node) continue
      const reason =
        misfit(pod, node, requests, usage) ??
        antiAffinityMisfit(store, pod, node) ??
        spreadMisfit(store, pod, node, all) ??
        volumeMisfit(store, storage, node)
      if (reason) {
        reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
        if (isForRoom(reason)) crowded.push(node)
        continue
      }
      found += 1
      const points = score(pod, node)
      if (!best || points > best.points) best = { node, points }
    }
    if (all.length > enoughCandidates) nextStart = (nextStart + enoughCandidates) % all.length
    if (!best) {
      fail(pod, summary(reasons, all.length))
      const latest = store.get(pods, pod.metadata.namespace, pod.metadata.name)
      if (latest) preempt(cluster, latest, crowded, usage)
      return
    }
    const { name } = best.node.metadata
    if (storage.waiting.length === 0) return place(pod, name)
    // The room is kept, and the pod waits until its volumes are there.
    reserved.set(queueKey(pod), name)
    unplaced.delete(queueKey(pod))
    usage.add(pod, name)
    selectNode(storage.waiting, name)
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
