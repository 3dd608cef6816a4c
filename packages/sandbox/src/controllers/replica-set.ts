import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { labelSelector } from '../selectors.ts'
import { StatusError } from '../status-error.ts'
import { pods, replicaSets, type Pod, type ReplicaSet } from '../types.ts'
import { runController, type Controller } from './controller.ts'
import { withCondition } from './conditions.ts'
import { controlledBy, controllerOf, controllerReference } from './owner.ts'
import { availability, byUsefulness, isActive, isReady } from './pod-state.ts'

const component = 'replicaset-controller'
const burst = 500
const firstRetryMs = 1000
const longestRetryMs = 60_000

/** Sets whose pods were refused, by uid: when to try again. Each refusal names another pod, so none may cause the next. */
type Refusals = Map<string, { untilMs: number; delayMs: number; message: string }>

/** Takes over pods that match and that nobody controls, and lets go of those that no longer match. */
function claimPods(cluster: Cluster, owner: ReplicaSet): Pod[] {
  const { store, resources } = cluster
  const matches = labelSelector(owner.spec.selector)
  const mine = controlledBy(store, pods, owner)
  const kept = mine.filter((pod) => matches(pod.metadata.labels) || pod.metadata.deletionTimestamp)
  for (const pod of mine) {
    if (kept.includes(pod)) continue
    resources.change(pods, pod, (draft) => {
      draft.metadata.ownerReferences = draft.metadata.ownerReferences?.filter(
        (one) => one.uid !== owner.metadata.uid,
      )
    })
  }
  if (owner.metadata.deletionTimestamp) return kept
  const orphans = store
    .indexed(pods, 'orphans', owner.metadata.namespace ?? '')
    .filter((pod) => isActive(pod) && !controllerOf(pod) && matches(pod.metadata.labels))
  for (const pod of orphans) {
    const adopted = resources.change(pods, pod, (draft) => {
      draft.metadata.ownerReferences = [...(draft.metadata.ownerReferences ?? []), controllerReference(owner)]
    })
    if (adopted) kept.push(adopted)
  }
  return kept
}

function createPods(cluster: Cluster, owner: ReplicaSet, count: number): string | undefined {
  const { template } = owner.spec
  for (let i = 0; i < Math.min(count, burst); i++) {
    try {
      const pod = cluster.resources.make<Pod>(pods, owner.metadata.namespace, {
        metadata: {
          generateName: `${owner.metadata.name}-`,
          labels: { ...template?.metadata?.labels },
          ...(template?.metadata?.annotations ? { annotations: { ...template.metadata.annotations } } : {}),
          ownerReferences: [controllerReference(owner)],
        },
        spec: structuredClone(template?.spec),
      })
      cluster.recorder.normal(component, owner, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`)
    } catch (error) {
      if (!(error instanceof StatusError)) throw error
      cluster.recorder.warning(component, owner, 'FailedCreate', `Error creating: ${error.message}`)
      return error.message
    }
  }
  return undefined
}

function syncReplicaSet(
  cluster: Cluster,
  owner: ReplicaSet,
  again: (delayMs: number) => void,
  refusals: Refusals,
): void {
  const { resources, recorder, clock } = cluster
  const all = claimPods(cluster, owner)
  let active = all.filter(isActive)
  const wanted = owner.spec.replicas ?? 1
  let failure: string | undefined
  if (!owner.metadata.deletionTimestamp) {
    if (active.length < wanted) {
      const refused = refusals.get(owner.metadata.uid)
      const waitMs = refused ? refused.untilMs - clock.now() : 0
      if (refused && waitMs > 0) {
        failure = refused.message
        again(waitMs)
      } else {
        failure = createPods(cluster, owner, wanted - active.length)
        if (failure === undefined) refusals.delete(owner.metadata.uid)
        else {
          const delayMs = Math.min(longestRetryMs, refused ? refused.delayMs * 2 : firstRetryMs)
          const untilMs = clock.now() + delayMs / cluster.speed
          refusals.set(owner.metadata.uid, { untilMs, delayMs, message: failure })
          again(delayMs / cluster.speed)
        }
        if (wanted - active.length > burst) again(0)
      }
    } else if (active.length > wanted) {
      const surplus = active.toSorted(byUsefulness).slice(0, active.length - wanted)
      const kind = cluster.registry.stored(pods.key)
      for (const pod of surplus) {
        deleteObject(resources, kind, pod.metadata.namespace, pod.metadata.name)
        recorder.normal(component, owner, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`)
      }
    }
    active = controlledBy(cluster.store, pods, owner).filter(isActive)
  }
  const nowMs = clock.now()
  const labels = Object.entries(owner.spec.template?.metadata?.labels ?? {})
  let ready = 0
  let available = 0
  let fully = 0
  for (const pod of active) {
    if (labels.every(([key, value]) => pod.metadata.labels?.[key] === value)) fully += 1
    if (!isReady(pod)) continue
    ready += 1
    const { isAvailable, dueMs } = availability(pod, owner.spec.minReadySeconds ?? 0, nowMs)
    if (isAvailable) available += 1
    else if (dueMs !== Infinity) again(dueMs)
  }
  const current = cluster.store.get(replicaSets, owner.metadata.namespace, owner.metadata.name)
  if (!current) return
  resources.changeStatus(replicaSets, current, (draft) => {
    const old = (draft.status?.conditions ?? []).filter((one) => one.type !== 'ReplicaFailure')
    const conditions =
      failure === undefined
        ? old
        : withCondition(
            draft.status?.conditions,
            { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: failure },
            nowMs,
          )
    draft.status = {
      replicas: active.length,
      ...(fully > 0 ? { fullyLabeledReplicas: fully } : {}),
      ...(ready > 0 ? { readyReplicas: ready } : {}),
      ...(available > 0 ? { availableReplicas: available } : {}),
      observedGeneration: current.metadata.generation ?? 1,
      ...(conditions.length > 0 ? { conditions } : {}),
    }
  })
}

export function runReplicaSets(cluster: Cluster): Controller {
  const refusals: Refusals = new Map()
  cluster.store.addIndex(pods, 'orphans', (pod) => (controllerOf(pod) ? [] : [pod.metadata.namespace ?? '']))
  return runController(cluster, {
    kind: replicaSets,
    owns: [pods],
    watches: [
      {
        kind: pods,
        keys({ object }) {
          if (controllerOf(object)) return []
          // A pod without an owner may be one that some set wants.
          return cluster.store
            .list(replicaSets, object.metadata.namespace)
            .filter((one) => labelSelector(one.spec.selector)(object.metadata.labels))
            .map((one) => `${one.metadata.namespace}/${one.metadata.name}`)
        },
      },
    ],
    sync: (object, again) => syncReplicaSet(cluster, object, again, refusals),
  })
}
