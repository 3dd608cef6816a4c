import type { Cluster } from '../api/context.ts'
import { stamp } from '../clock.ts'
import { withCondition } from '../controllers/conditions.ts'
import { nodes, pods, type Node } from '../types.ts'

const component = 'node-controller'
const unreachable = 'node.kubernetes.io/unreachable'
const notReady = 'node.kubernetes.io/not-ready'

/** A node whose lease has run out: its conditions become unknown, its pods not ready, and it repels pods. */
export function markLost(cluster: Cluster, node: Node): void {
  const { store, resources, recorder, clock } = cluster
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
  if (current) setTaints(cluster, current, true)
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

/** A node whose kubelet reports (again): its conditions are good, and it takes pods. */
export function markReady(cluster: Cluster, node: Node): void {
  const { store, resources, recorder, clock } = cluster
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
  if (current) setTaints(cluster, current, false)
}

function setTaints({ resources, clock }: Cluster, node: Node, isLost: boolean): void {
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
