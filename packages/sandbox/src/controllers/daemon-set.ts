import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { clone } from '../json.ts'
import { matchesNode, repellingTaint } from '../nodes/node-fit.ts'
import { StatusError } from '../status-error.ts'
import {
  controllerRevisions,
  daemonSets,
  nodes,
  pods,
  type DaemonSet,
  type Node,
  type Pod,
  type PodSpec,
} from '../types.ts'
import { runController, type Controller } from './controller.ts'
import { resolveShare } from './deployment-math.ts'
import { controlledBy, controllerReference } from './owner.ts'
import { availability, isReady } from './pod-state.ts'
import { ensureRevision, revisionHashLabel, trimRevisions } from './revisions.ts'

const component = 'daemonset-controller'

/** Daemons run where others may not. */
const ownTolerations = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
].map(([key, effect]) => ({ key: `node.kubernetes.io/${key}`, operator: 'Exists', effect }))

function specFor(set: DaemonSet, node?: Node): PodSpec | undefined {
  const spec = clone(set.spec.template.spec)
  if (!spec) return undefined
  spec.tolerations = [...(spec.tolerations ?? []), ...ownTolerations]
  if (node) {
    // The scheduler places the pod; this leaves it one node to choose from.
    const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node.metadata.name] }]
    spec.affinity = {
      ...spec.affinity,
      nodeAffinity: {
        ...spec.affinity?.nodeAffinity,
        requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
      },
    }
  }
  return spec
}

function targetOf(pod: Pod): string {
  const terms =
    pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  return pod.spec.nodeName ?? terms?.[0]?.matchFields?.[0]?.values?.[0] ?? ''
}

function create(cluster: Cluster, set: DaemonSet, node: Node, revision: string): void {
  const { template } = set.spec
  try {
    const pod = cluster.resources.make<Pod>(pods, set.metadata.namespace, {
      metadata: {
        generateName: `${set.metadata.name}-`,
        labels: {
          ...template.metadata?.labels,
          [revisionHashLabel]: revision,
          'pod-template-generation': String(set.metadata.generation ?? 1),
        },
        ...(template.metadata?.annotations ? { annotations: { ...template.metadata.annotations } } : {}),
        ownerReferences: [controllerReference(set)],
      },
      spec: specFor(set, node),
    })
    cluster.recorder.normal(component, set, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`)
  } catch (error) {
    if (error instanceof StatusError)
      cluster.recorder.warning(component, set, 'FailedCreate', `Error creating: ${error.message}`)
    throw error
  }
}

function sync(cluster: Cluster, set: DaemonSet, again: (delayMs: number) => void): void {
  const { store, resources, recorder, clock } = cluster
  const revision = ensureRevision(cluster, set, set.spec.template)
  const hash = revision.metadata.labels?.[revisionHashLabel] ?? ''
  const spec = specFor(set)
  const eligible = spec
    ? store.list(nodes).filter((node) => matchesNode(spec, node) && !repellingTaint(spec, node))
    : []
  const wanted = new Map(eligible.map((node) => [node.metadata.name, node]))
  const podKind = cluster.registry.stored(pods.key)
  const remove = (pod: Pod) => {
    if (pod.metadata.deletionTimestamp) return
    deleteObject(resources, podKind, pod.metadata.namespace, pod.metadata.name)
    recorder.normal(component, set, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`)
  }
  const all = controlledBy(store, pods, set)
  const placed = new Map<string, Pod>()
  for (const pod of all) {
    const target = targetOf(pod)
    const isOver = pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded'
    if (!wanted.has(target) || isOver || placed.has(target)) remove(pod)
    else placed.set(target, pod)
  }
  if (!set.metadata.deletionTimestamp) {
    for (const [name, node] of wanted) if (!placed.has(name)) create(cluster, set, node, hash)
    if (set.spec.updateStrategy?.type !== 'OnDelete') {
      const most = Math.max(
        1,
        resolveShare(set.spec.updateStrategy?.rollingUpdate?.maxUnavailable ?? 1, wanted.size, true),
      )
      const old = [...placed.values()].filter((pod) => pod.metadata.labels?.[revisionHashLabel] !== hash)
      let room = most - (wanted.size - [...placed.values()].filter(isReady).length)
      for (const pod of old) {
        // A pod that does not work may go at any time.
        if (isReady(pod)) room -= 1
        if (!isReady(pod) || room >= 0) remove(pod)
      }
    }
  }
  const live = controlledBy(store, pods, set).filter(
    (pod) => wanted.has(targetOf(pod)) && !pod.metadata.deletionTimestamp,
  )
  const ready = live.filter(isReady)
  const available = ready.filter((pod) => {
    const { isAvailable, dueMs } = availability(pod, set.spec.minReadySeconds ?? 0, clock.now())
    if (!isAvailable) again(dueMs)
    return isAvailable
  })
  const latest = store.get(daemonSets, set.metadata.namespace, set.metadata.name)
  if (!latest) return
  resources.changeStatus(daemonSets, latest, (draft) => {
    const missing = wanted.size - available.length
    draft.status = {
      currentNumberScheduled: live.length,
      desiredNumberScheduled: wanted.size,
      numberMisscheduled: 0,
      numberReady: ready.length,
      observedGeneration: set.metadata.generation ?? 1,
      updatedNumberScheduled: live.filter((pod) => pod.metadata.labels?.[revisionHashLabel] === hash).length,
      ...(available.length > 0 ? { numberAvailable: available.length } : {}),
      ...(missing > 0 ? { numberUnavailable: missing } : {}),
    }
  })
  trimRevisions(cluster, set, [revision.metadata.name], set.spec.revisionHistoryLimit ?? 10)
}

export function runDaemonSets(cluster: Cluster): Controller {
  const { store } = cluster
  return runController(cluster, {
    kind: daemonSets,
    owns: [pods, controllerRevisions],
    watches: [
      {
        kind: nodes,
        keys({ type, object, old }) {
          const facts = (node: typeof object | undefined) =>
            JSON.stringify([node?.['spec'], node?.metadata.labels])
          if (type === 'MODIFIED' && facts(object) === facts(old)) return []
          return store.list(daemonSets).map((set) => `${set.metadata.namespace}/${set.metadata.name}`)
        },
      },
    ],
    sync: (set, again) => sync(cluster, set, again),
  })
}
