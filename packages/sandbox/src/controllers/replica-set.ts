import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { labelSelector } from '../selectors.ts'
import { StatusError } from '../status-error.ts'
import {
  pods,
  replicaSets,
  replicationControllers,
  type KindKey,
  type LabelSelector,
  type Pod,
  type ReplicaSet,
  type ReplicationController,
} from '../types.ts'
import { runController, type Controller } from './controller.ts'
import { withCondition } from './conditions.ts'
import { controlledBy, controllerOf, controllerReference } from './owner.ts'
import { availability, byUsefulness, isActive, isReady } from './pod-state.ts'

const burst = 500
const firstRetryMs = 1000
const longestRetryMs = 60_000

type Owner = ReplicaSet | ReplicationController

/** ReplicaSets and their forebears differ in their name and in how they select. */
type Family<T extends Owner> = {
  kind: KindKey<T>
  component: string
  selector(owner: T): LabelSelector | undefined
}

const sets: Family<ReplicaSet> = {
  kind: replicaSets,
  component: 'replicaset-controller',
  selector: ({ spec }) => spec.selector,
}
const controllers: Family<ReplicationController> = {
  kind: replicationControllers,
  component: 'replication-controller',
  selector: ({ spec }) => ({ matchLabels: spec.selector ?? {} }),
}

/** Sets whose pods were refused, by uid: when to try again. Each refusal names another pod, so none may cause the next. */
type Refusals = Map<string, { untilMs: number; delayMs: number; message: string }>

/** Takes over pods that match and that nobody controls, and lets go of those that no longer match. */
function claimPods<T extends Owner>(cluster: Cluster, owner: T, family: Family<T>): Pod[] {
  const { store, resources } = cluster
  const matches = labelSelector(family.selector(owner))
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

function createPods(cluster: Cluster, owner: Owner, component: string, count: number): string | undefined {
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

function syncReplicas<T extends Owner>(
  cluster: Cluster,
  owner: T,
  family: Family<T>,
  again: (delayMs: number) => void,
  refusals: Refusals,
): void {
  const { resources, recorder, clock } = cluster
  const { component } = family
  const all = claimPods(cluster, owner, family)
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
        failure = createPods(cluster, owner, component, wanted - active.length)
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
  const current = cluster.store.get(family.kind, owner.metadata.namespace, owner.metadata.name)
  if (!current) return
  resources.changeStatus<Owner>(family.kind, current, (draft) => {
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

function runFamily<T extends Owner>(cluster: Cluster, family: Family<T>): Controller {
  const refusals: Refusals = new Map()
  return runController(cluster, {
    kind: family.kind,
    owns: [pods],
    watches: [
      {
        kind: pods,
        keys({ object }) {
          if (controllerOf(object)) return []
          // A pod without an owner may be one that some set wants.
          return cluster.store
            .list(family.kind, object.metadata.namespace)
            .filter((one) => labelSelector(family.selector(one))(object.metadata.labels))
            .map((one) => `${one.metadata.namespace}/${one.metadata.name}`)
        },
      },
    ],
    sync: (object, again) => syncReplicas(cluster, object, family, again, refusals),
  })
}

/** Keeps as many pods as ReplicaSets and ReplicationControllers want. */
export function runReplicaSets(cluster: Cluster): Controller[] {
  cluster.store.addIndex(pods, 'orphans', (pod) => (controllerOf(pod) ? [] : [pod.metadata.namespace ?? '']))
  return [runFamily(cluster, sets), runFamily(cluster, controllers)]
}
