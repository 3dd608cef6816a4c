import { stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import type { Controller } from '../controllers/controller.ts'
import { at } from '../json.ts'
import { nodes, pods, type KubeObject } from '../types.ts'
import { renewLease } from './machines.ts'
import type { NodePower } from './node-power.ts'
import { markLost, markReady } from './node-readiness.ts'
import { createTaintEvictions } from './taint-evictions.ts'

/** Kubernetes' own numbers: a lease every 10 s, given up after 40 s without one. */
const heartbeatMs = 10_000
const graceMs = 40_000
/** Conditions are reported again this often although nothing changed. */
const reportEveryBeats = 30

/** Sends the heartbeats of nodes that are on, and finds out about those that are off. */
export function runNodes(cluster: Cluster, power: NodePower): Controller {
  const { store, resources, recorder, clock } = cluster
  const silentSince = new Map<string, number>()
  const evictions = createTaintEvictions(cluster)
  let beats = 0
  let cancel: () => void = () => undefined

  /** Records, as the kubelet does, that a node was cordoned or uncordoned. */
  function recordSchedulable(node: KubeObject, old: KubeObject | undefined): void {
    const isClosed = at(node, 'spec', 'unschedulable') === true
    const { name, annotations } = node.metadata
    const isSame = isClosed === (at(old, 'spec', 'unschedulable') === true)
    if (isSame || annotations?.['sandbox.bey/simulated'] !== 'true' || power.isOff(name)) return
    const reason = isClosed ? 'NodeNotSchedulable' : 'NodeSchedulable'
    recorder.normal('kubelet', node, reason, `Node ${name} status is now: ${reason}`, { host: name })
  }

  function beat(): void {
    beats += 1
    const nowMs = clock.now()
    for (const node of store.list(nodes)) {
      const { name } = node.metadata
      const ready = node.status?.conditions?.find((one) => one.type === 'Ready')
      // A node that somebody made by hand has no kubelet and is left alone.
      if (node.metadata.annotations?.['sandbox.bey/simulated'] !== 'true') continue
      if (power.isOff(name)) {
        const since = silentSince.get(name) ?? nowMs
        silentSince.set(name, since)
        if (nowMs - since >= graceMs / cluster.speed && ready?.status !== 'Unknown') markLost(cluster, node)
        continue
      }
      silentSince.delete(name)
      renewLease(cluster, node)
      if (ready?.status !== 'True') markReady(cluster, node)
      else if (beats % reportEveryBeats === 0) {
        const now = stamp(nowMs)
        resources.changeStatus(
          nodes,
          node,
          (draft) => {
            for (const condition of draft.status?.conditions ?? []) condition.lastHeartbeatTime = now
          },
          { ephemeral: true },
        )
      }
    }
    cancel = clock.after(Math.max(50, heartbeatMs / (power.off().length > 0 ? cluster.speed : 1)), beat)
  }

  power.onChange(() => {
    cancel()
    beat()
  })
  beat()
  const stops = [
    store.subscribe(nodes.key, ({ type, object, old }) => {
      if (type === 'MODIFIED') recordSchedulable(object, old)
      const now = JSON.stringify(object['spec'])
      if (old && JSON.stringify(old['spec']) === now) return
      for (const pod of store.indexed(pods, 'node', object.metadata.name)) evictions.consider(pod)
    }),
    store.subscribe(pods.key, ({ type, object }) => {
      const pod = store.get(pods, object.metadata.namespace, object.metadata.name)
      if (type === 'ADDED' && pod?.spec.nodeName) evictions.consider(pod)
      if (type === 'DELETED') {
        evictions.cancel(object.metadata.uid)
      }
    }),
    // A pod whose node is gone for good is nobody's any more.
    store.subscribe(nodes.key, ({ type, object }) => {
      if (type !== 'DELETED') return
      silentSince.delete(object.metadata.name)
      const kind = cluster.registry.stored(pods.key)
      for (const pod of store.indexed(pods, 'node', object.metadata.name)) {
        deleteObject(resources, kind, pod.metadata.namespace, pod.metadata.name, { graceSeconds: 0 })
      }
    }),
  ]
  for (const node of store.list(nodes))
    for (const pod of store.indexed(pods, 'node', node.metadata.name)) evictions.consider(pod)
  return {
    stop() {
      cancel()
      for (const stop of stops) stop()
      evictions.stop()
    },
  }
}
