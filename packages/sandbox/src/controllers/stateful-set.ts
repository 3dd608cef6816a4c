import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { clone } from '../json.ts'
import { StatusError } from '../status-error.ts'
import { claims, controllerRevisions, pods, statefulSets, type Pod, type StatefulSet } from '../types.ts'
import { runController, type Controller } from './controller.ts'
import { controlledBy, controllerReference } from './owner.ts'
import { availability, isReady } from './pod-state.ts'
import { ensureRevision, revisionHashLabel, trimRevisions } from './revisions.ts'

const component = 'statefulset-controller'

function ordinalOf(set: StatefulSet, pod: Pod): number {
  const prefix = `${set.metadata.name}-`
  const rest = pod.metadata.name.startsWith(prefix) ? pod.metadata.name.slice(prefix.length) : ''
  return /^\d+$/.test(rest) ? Number(rest) : -1
}

function ensureClaims(cluster: Cluster, set: StatefulSet, ordinal: number): void {
  const { store, resources, recorder } = cluster
  const { namespace, name } = set.metadata
  for (const template of set.spec.volumeClaimTemplates ?? []) {
    const claimName = `${template.metadata?.name}-${name}-${ordinal}`
    if (store.get(claims, namespace, claimName)) continue
    resources.make(claims, namespace, {
      metadata: {
        name: claimName,
        labels: { ...template.metadata?.labels, ...set.spec.selector.matchLabels },
        ...(template.metadata?.annotations ? { annotations: { ...template.metadata.annotations } } : {}),
      },
      spec: clone(template.spec),
    })
    const message = `create Claim ${claimName} Pod ${name}-${ordinal} in StatefulSet ${name} success`
    recorder.normal(component, set, 'SuccessfulCreate', message)
  }
}

function createPod(
  cluster: Cluster,
  set: StatefulSet,
  ordinal: number,
  revision: string,
  template = set.spec.template,
): void {
  const { resources, recorder } = cluster
  const { namespace, name } = set.metadata
  ensureClaims(cluster, set, ordinal)
  const podName = `${name}-${ordinal}`
  const spec = clone(template.spec)
  if (!spec) return
  const own = new Set((set.spec.volumeClaimTemplates ?? []).map((one) => one.metadata?.name ?? ''))
  const others = (spec.volumes ?? []).filter((volume) => !own.has(volume.name))
  const claimed = [...own].map((volume) => ({
    name: volume,
    persistentVolumeClaim: { claimName: `${volume}-${podName}` },
  }))
  if (others.length + claimed.length > 0) spec.volumes = [...others, ...claimed]
  spec.hostname = podName
  if (set.spec.serviceName) spec.subdomain = set.spec.serviceName
  try {
    resources.make(pods, namespace, {
      metadata: {
        name: podName,
        generateName: `${name}-`,
        labels: {
          ...template.metadata?.labels,
          'apps.kubernetes.io/pod-index': String(ordinal),
          [revisionHashLabel]: revision,
          'statefulset.kubernetes.io/pod-name': podName,
        },
        ...(template.metadata?.annotations ? { annotations: { ...template.metadata.annotations } } : {}),
        ownerReferences: [controllerReference(set)],
      },
      spec,
    })
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    recorder.warning(
      component,
      set,
      'FailedCreate',
      `create Pod ${podName} in StatefulSet ${name} failed error: ${error.message}`,
    )
    throw error
  }
  recorder.normal(
    component,
    set,
    'SuccessfulCreate',
    `create Pod ${podName} in StatefulSet ${name} successful`,
  )
}

function removePod(cluster: Cluster, set: StatefulSet, pod: Pod): void {
  if (pod.metadata.deletionTimestamp) return
  const { namespace, name } = pod.metadata
  deleteObject(cluster.resources, cluster.registry.stored(pods.key), namespace, name)
  cluster.recorder.normal(
    component,
    set,
    'SuccessfulDelete',
    `delete Pod ${name} in StatefulSet ${set.metadata.name} successful`,
  )
}

/** One step towards the wanted ordinals: at most one pod at a time unless pods are managed in parallel. */
function manage(
  cluster: Cluster,
  set: StatefulSet,
  current: string,
  update: string,
  again: (delayMs: number) => void,
): void {
  const { store, clock } = cluster
  const start = set.spec.ordinals?.start ?? 0
  const end = start + (set.spec.replicas ?? 1)
  const isParallel = set.spec.podManagementPolicy === 'Parallel'
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0
  const all = controlledBy(store, pods, set)
  const byOrdinal = new Map(all.map((pod) => [ordinalOf(set, pod), pod]))
  const settled = (pod: Pod): boolean => {
    const { isAvailable, dueMs } = availability(pod, set.spec.minReadySeconds ?? 0, clock.now())
    if (!isAvailable && dueMs !== Infinity) again(dueMs)
    return isAvailable && !pod.metadata.deletionTimestamp
  }
  for (let ordinal = start; ordinal < end; ordinal++) {
    const pod = byOrdinal.get(ordinal)
    if (
      pod &&
      (pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded') &&
      !pod.metadata.deletionTimestamp
    ) {
      removePod(cluster, set, pod)
      return
    }
    if (!pod) {
      const isOld = ordinal < start + partition && current !== update
      const old = isOld ? store.get(controllerRevisions, set.metadata.namespace, current) : undefined
      createPod(cluster, set, ordinal, old ? current : update, templateOf(old?.data) ?? set.spec.template)
      if (!isParallel) return
    } else if (!isParallel && !settled(pod)) return
  }
  const condemned = all.filter((pod) => ordinalOf(set, pod) >= end || ordinalOf(set, pod) < start)
  for (const pod of condemned.toSorted((a, b) => ordinalOf(set, b) - ordinalOf(set, a))) {
    removePod(cluster, set, pod)
    if (!isParallel) return
  }
  if (set.spec.updateStrategy?.type === 'OnDelete') return
  for (let ordinal = end - 1; ordinal >= start + partition; ordinal--) {
    const pod = byOrdinal.get(ordinal)
    if (!pod) return
    if (pod.metadata.labels?.[revisionHashLabel] !== update) {
      removePod(cluster, set, pod)
      return
    }
    if (!settled(pod)) return
  }
}

type Template = StatefulSet['spec']['template']

function templateOf(data: unknown): Template | undefined {
  const spec = typeof data === 'object' && data !== null && 'spec' in data ? data.spec : undefined
  const template = typeof spec === 'object' && spec !== null && 'template' in spec ? spec.template : undefined
  // Only this controller writes the revisions it reads.
  return template as Template | undefined
}

function sync(cluster: Cluster, set: StatefulSet, again: (delayMs: number) => void): void {
  const { store, resources } = cluster
  const update = ensureRevision(cluster, set, set.spec.template)
  const known = set.status?.currentRevision
  const current =
    known && store.get(controllerRevisions, set.metadata.namespace, known) ? known : update.metadata.name
  if (!set.metadata.deletionTimestamp) manage(cluster, set, current, update.metadata.name, again)
  const all = controlledBy(store, pods, set)
  const live = all.filter((pod) => !pod.metadata.deletionTimestamp)
  const ofRevision = (revision: string) =>
    live.filter((pod) => pod.metadata.labels?.[revisionHashLabel] === revision).length
  const updated = ofRevision(update.metadata.name)
  const ready = live.filter(isReady)
  const available = ready.filter(
    (pod) => availability(pod, set.spec.minReadySeconds ?? 0, cluster.clock.now()).isAvailable,
  )
  const wanted = set.spec.replicas ?? 1
  const isDone = updated === wanted && live.length === wanted && ready.length === wanted
  const latest = store.get(statefulSets, set.metadata.namespace, set.metadata.name)
  if (!latest) return
  const shown = isDone ? update.metadata.name : current
  resources.changeStatus(statefulSets, latest, (draft) => {
    draft.status = {
      observedGeneration: set.metadata.generation ?? 1,
      replicas: all.length,
      ...(ready.length > 0 ? { readyReplicas: ready.length } : {}),
      availableReplicas: available.length,
      currentReplicas: ofRevision(shown),
      updatedReplicas: updated,
      currentRevision: shown,
      updateRevision: update.metadata.name,
      collisionCount: 0,
    }
  })
  trimRevisions(cluster, set, [current, update.metadata.name], set.spec.revisionHistoryLimit ?? 10)
}

export function runStatefulSets(cluster: Cluster): Controller {
  return runController(cluster, {
    kind: statefulSets,
    owns: [pods],
    sync: (set, again) => sync(cluster, set, again),
  })
}
