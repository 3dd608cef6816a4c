import { stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { withCondition } from '../controllers/conditions.ts'
import type { Controller } from '../controllers/controller.ts'
import { at } from '../json.ts'
import { nodes, pods, type KubeObject, type Node, type Pod } from '../types.ts'
import { renewLease } from './machines.ts'
import { tolerates } from './node-fit.ts'
import type { PowerSwitch } from './kubelet.ts'

const component = 'node-controller'
/** Kubernetes' own numbers: a lease every 10 s, given up after 40 s without one. */
const heartbeatMs = 10_000
const graceMs = 40_000
/** Conditions are reported again this often although nothing changed. */
const reportEveryBeats = 30
const unreachable = 'node.kubernetes.io/unreachable'
const notReady = 'node.kubernetes.io/not-ready'

export type NodePower = PowerSwitch & { stop(node: string): void; start(node: string): void; off(): string[] }

export function createPower(initiallyOff: readonly string[] = []): NodePower {
  const off = new Set(initiallyOff)
  const listeners = new Set<(node: string) => void>()
  const tell = (node: string) => {
    for (const listener of listeners) listener(node)
  }
  return {
    isOff: (node) => off.has(node),
    onChange: (listener) => {
      listeners.add(listener)
    },
    stop(node) {
      off.add(node)
      tell(node)
    },
    start(node) {
      off.delete(node)
      tell(node)
    },
    off: () => [...off],
  }
}

/** Sends the heartbeats of nodes that are on, and finds out about those that are off. */
export function runNodes(cluster: Cluster, power: NodePower): Controller {
  const { store, resources, recorder, clock } = cluster
  const silentSince = new Map<string, number>()
  const evictions = new Map<string, () => void>()
  let beats = 0
  let cancel: () => void = () => undefined

  function setTaints(node: Node, isLost: boolean): void {
    resources.change(nodes, node, (draft) => {
      const others = (draft.spec.taints ?? []).filter(
        (taint) => taint.key !== unreachable && taint.key !== notReady,
      )
      const timeAdded = stamp(clock.now())
      const lost = [
        { key: unreachable, effect: 'NoSchedule', timeAdded },
        { key: unreachable, effect: 'NoExecute', timeAdded },
      ]
      const next = isLost ? [...others, ...lost] : others
      if (next.length > 0) draft.spec.taints = next
      else delete draft.spec.taints
    })
  }

  function lose(node: Node): void {
    const { name } = node.metadata
    resources.changeStatus(nodes, node, (draft) => {
      let conditions = draft.status?.conditions
      for (const type of ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready']) {
        const message = 'Kubelet stopped posting node status.'
        const old = conditions?.find((one) => one.type === type)
        const lastHeartbeatTime = old?.lastHeartbeatTime
        conditions = withCondition(
          conditions,
          { type, status: 'Unknown', reason: 'NodeStatusUnknown', message, lastHeartbeatTime },
          clock.now(),
        )
      }
      draft.status = { ...draft.status, conditions }
    })
    recorder.normal(component, node, 'NodeNotReady', `Node ${name} status is now: NodeNotReady`)
    const current = store.get(nodes, undefined, name)
    if (current) setTaints(current, true)
    for (const pod of store.indexed(pods, 'node', name)) {
      resources.changeStatus(pods, pod, (draft) => {
        const condition = { type: 'Ready', status: 'False' }
        draft.status = {
          ...draft.status,
          conditions: withCondition(draft.status?.conditions, condition, clock.now()),
        }
      })
      recorder.warning(component, pod, 'NodeNotReady', 'Node is not ready')
    }
  }

  function regain(node: Node): void {
    const { name } = node.metadata
    resources.changeStatus(nodes, node, (draft) => {
      let conditions = draft.status?.conditions
      const now = stamp(clock.now())
      const good: [string, string, string, string][] = [
        ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
        ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
        ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
        ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
      ]
      for (const [type, status, reason, message] of good) {
        conditions = withCondition(
          conditions,
          { type, status, reason, message, lastHeartbeatTime: now },
          clock.now(),
        )
      }
      draft.status = { ...draft.status, conditions }
    })
    recorder.normal('kubelet', node, 'NodeReady', `Node ${name} status is now: NodeReady`, { host: name })
    const current = store.get(nodes, undefined, name)
    if (current) setTaints(current, false)
  }

  /** As its kubelet does, once somebody has cordoned a node or let it go again. */
  function sayWhetherSchedulable(node: KubeObject, old: KubeObject | undefined): void {
    const isClosed = at(node, 'spec', 'unschedulable') === true
    const { name, annotations } = node.metadata
    const isSame = isClosed === (at(old, 'spec', 'unschedulable') === true)
    if (isSame || annotations?.['sandbox.bey/simulated'] !== 'true' || power.isOff(name)) return
    const reason = isClosed ? 'NodeNotSchedulable' : 'NodeSchedulable'
    recorder.normal('kubelet', node, reason, `Node ${name} status is now: ${reason}`, { host: name })
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
  function considerEviction(pod: Pod): void {
    const { uid } = pod.metadata
    const node = store.get(nodes, undefined, pod.spec.nodeName ?? '')
    const taints = (node?.spec.taints ?? []).filter((taint) => taint.effect === 'NoExecute')
    if (taints.length === 0 || pod.metadata.deletionTimestamp) {
      evictions.get(uid)?.()
      evictions.delete(uid)
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
        if (nowMs - since >= graceMs / cluster.speed && ready?.status !== 'Unknown') lose(node)
        continue
      }
      silentSince.delete(name)
      renewLease(cluster, node)
      if (ready?.status !== 'True') regain(node)
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
      if (type === 'MODIFIED') sayWhetherSchedulable(object, old)
      const now = JSON.stringify(object['spec'])
      if (old && JSON.stringify(old['spec']) === now) return
      for (const pod of store.indexed(pods, 'node', object.metadata.name)) considerEviction(pod)
    }),
    store.subscribe(pods.key, ({ type, object }) => {
      const pod = store.get(pods, object.metadata.namespace, object.metadata.name)
      if (type === 'ADDED' && pod?.spec.nodeName) considerEviction(pod)
      if (type === 'DELETED') {
        evictions.get(object.metadata.uid)?.()
        evictions.delete(object.metadata.uid)
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
    for (const pod of store.indexed(pods, 'node', node.metadata.name)) considerEviction(pod)
  return {
    stop() {
      cancel()
      for (const stop of stops) stop()
      for (const one of evictions.values()) one()
    },
  }
}
