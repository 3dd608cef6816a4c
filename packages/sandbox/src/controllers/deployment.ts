import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { clone, equal, stable } from '../json.ts'
import { hashSuffix } from '../random.ts'
import { labelSelector } from '../selectors.ts'
import {
  deployments,
  pods,
  replicaSets,
  type Deployment,
  type PodTemplate,
  type ReplicaSet,
} from '../types.ts'
import { runController, type Controller } from './controller.ts'
import { rollingBounds } from './deployment-math.ts'
import { updateDeploymentStatus } from './deployment-status.ts'
import { controlledBy, controllerOf, controllerReference } from './owner.ts'

const deploymentComponent = 'deployment-controller'
const hashLabel = 'pod-template-hash'
const revisionAnnotation = 'deployment.kubernetes.io/revision'
const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas'
const maxAnnotation = 'deployment.kubernetes.io/max-replicas'
const historyAnnotation = 'deployment.kubernetes.io/revision-history'
const notCopied = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  desiredAnnotation,
  maxAnnotation,
  historyAnnotation,
])

function withoutHash(template: PodTemplate | undefined): unknown {
  const copy = clone(template)
  if (copy?.metadata?.labels) delete copy.metadata.labels[hashLabel]
  return copy
}

function revisionOf(set: ReplicaSet): number {
  return Number(set.metadata.annotations?.[revisionAnnotation] ?? 0)
}

function newSetOf(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const wanted = withoutHash(deployment.spec.template)
  return sets
    .filter((set) => equal(withoutHash(set.spec.template), wanted))
    .toSorted(
      (a, b) => Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp),
    )[0]
}

function claimSets(cluster: Cluster, deployment: Deployment): ReplicaSet[] {
  const { store, resources } = cluster
  const matches = labelSelector(deployment.spec.selector)
  const sets = controlledBy(store, replicaSets, deployment)
  if (deployment.metadata.deletionTimestamp) return sets
  for (const set of store.list(replicaSets, deployment.metadata.namespace)) {
    if (controllerOf(set) || set.metadata.deletionTimestamp || !matches(set.metadata.labels)) continue
    const adopted = resources.change(replicaSets, set, (draft) => {
      draft.metadata.ownerReferences = [
        ...(draft.metadata.ownerReferences ?? []),
        controllerReference(deployment),
      ]
    })
    if (adopted) sets.push(adopted)
  }
  return sets
}

function scaleNotes(deployment: Deployment): Record<string, string> {
  const replicas = deployment.spec.replicas ?? 1
  return {
    [desiredAnnotation]: String(replicas),
    [maxAnnotation]: String(replicas + rollingBounds(deployment).surge),
  }
}

function copiedAnnotations(deployment: Deployment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !notCopied.has(key)),
  )
}

function createSet(cluster: Cluster, deployment: Deployment, revision: number): ReplicaSet {
  const { metadata, spec } = deployment
  const template = clone(spec.template)
  const collisions = deployment.status?.collisionCount ?? 0
  const hash = hashSuffix(stable(template) + (collisions > 0 ? String(collisions) : ''))
  const labels = { ...template.metadata?.labels, [hashLabel]: hash }
  template.metadata = { ...template.metadata, labels }
  const selector = {
    ...clone(spec.selector),
    matchLabels: { ...spec.selector.matchLabels, [hashLabel]: hash },
  }
  return cluster.resources.make<ReplicaSet>(replicaSets, metadata.namespace, {
    metadata: {
      name: `${metadata.name}-${hash}`,
      labels,
      annotations: {
        ...copiedAnnotations(deployment),
        ...scaleNotes(deployment),
        [revisionAnnotation]: String(revision),
      },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: {
      replicas: 0,
      selector,
      template,
      ...(spec.minReadySeconds ? { minReadySeconds: spec.minReadySeconds } : {}),
    },
  })
}

/** The set of the current template, made or brought up to date, with the next revision. */
function ensureNewSet(cluster: Cluster, deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet {
  const found = newSetOf(deployment, sets)
  const others = sets.filter((set) => set.metadata.uid !== found?.metadata.uid)
  const highest = Math.max(0, ...others.map(revisionOf))
  const revision = Math.max(highest + 1, found ? revisionOf(found) : 0)
  const set = found
    ? (cluster.resources.change(replicaSets, found, (draft) => {
        const own = draft.metadata.annotations ?? {}
        const past = revisionOf(found)
        const history: Record<string, string> =
          past > 0 && past !== revision
            ? { [historyAnnotation]: [own[historyAnnotation], past].filter(Boolean).join(',') }
            : {}
        draft.metadata.annotations = {
          ...own,
          ...copiedAnnotations(deployment),
          ...history,
          [revisionAnnotation]: String(revision),
        }
        if (deployment.spec.minReadySeconds) draft.spec.minReadySeconds = deployment.spec.minReadySeconds
        else delete draft.spec.minReadySeconds
      }) ?? found)
    : createSet(cluster, deployment, revision)
  if (deployment.metadata.annotations?.[revisionAnnotation] !== String(revision)) {
    cluster.resources.change(deployments, deployment, (draft) => {
      draft.metadata.annotations = { ...draft.metadata.annotations, [revisionAnnotation]: String(revision) }
    })
  }
  return set
}

function scaleSet(cluster: Cluster, deployment: Deployment, set: ReplicaSet, replicas: number): void {
  const from = set.spec.replicas ?? 0
  const notes = scaleNotes(deployment)
  const isNoted = Object.entries(notes).every(([key, value]) => set.metadata.annotations?.[key] === value)
  if (from === replicas && isNoted) return
  cluster.resources.change(replicaSets, set, (draft) => {
    draft.spec.replicas = replicas
    draft.metadata.annotations = { ...draft.metadata.annotations, ...notes }
  })
  if (from === replicas) return
  const direction = replicas > from ? 'up' : 'down'
  const message = `Scaled ${direction} replica set ${set.metadata.name} from ${from} to ${replicas}`
  cluster.recorder.normal(deploymentComponent, deployment, 'ScalingReplicaSet', message)
}

const sum = (sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number) =>
  sets.reduce((total, set) => total + of(set), 0)
const specReplicas = (set: ReplicaSet) => set.spec.replicas ?? 0
const availableReplicas = (set: ReplicaSet) => set.status?.availableReplicas ?? 0

function rollOut(
  cluster: Cluster,
  deployment: Deployment,
  fresh: ReplicaSet,
  old: readonly ReplicaSet[],
): void {
  const wanted = deployment.spec.replicas ?? 1
  const { surge, unavailable } = rollingBounds(deployment)
  const all = [...old, fresh]
  const total = sum(all, specReplicas)
  const current = specReplicas(fresh)
  let next = current
  if (current > wanted) next = wanted
  else if (current < wanted)
    next = Math.max(current, current + Math.min(wanted - current, wanted + surge - total))
  scaleSet(cluster, deployment, fresh, next)

  const oldTotal = sum(old, specReplicas)
  if (oldTotal === 0) return
  const leastAvailable = wanted - unavailable
  const freshMissing = next - availableReplicas(fresh)
  let spare = total - current + next - leastAvailable - freshMissing
  const byAge = old.toSorted(
    (a, b) => Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp),
  )
  const targets = new Map(byAge.map((set) => [set.metadata.uid, specReplicas(set)]))
  // Pods that do not work go first: losing them costs nothing.
  for (const set of byAge) {
    const broken = Math.min(spare, specReplicas(set) - availableReplicas(set))
    if (broken <= 0) continue
    targets.set(set.metadata.uid, specReplicas(set) - broken)
    spare -= broken
  }
  let removable = sum(all, availableReplicas) - leastAvailable
  for (const set of byAge) {
    const left = targets.get(set.metadata.uid) ?? 0
    const less = Math.max(0, Math.min(removable, left))
    targets.set(set.metadata.uid, left - less)
    removable -= less
  }
  for (const set of byAge) scaleSet(cluster, deployment, set, targets.get(set.metadata.uid) ?? 0)
}

function recreate(
  cluster: Cluster,
  deployment: Deployment,
  fresh: ReplicaSet,
  old: readonly ReplicaSet[],
): void {
  for (const set of old) scaleSet(cluster, deployment, set, 0)
  const hasOldPods = old.some((set) => controlledBy(cluster.store, pods, set).length > 0)
  if (!hasOldPods) scaleSet(cluster, deployment, fresh, deployment.spec.replicas ?? 1)
}

/** While paused or between rollouts: spreads the wanted number over the sets that have pods. */
function scaleOnly(
  cluster: Cluster,
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  fresh: ReplicaSet | undefined,
): void {
  const wanted = deployment.spec.replicas ?? 1
  const active = sets.filter((set) => specReplicas(set) > 0)
  const [only] =
    active.length > 0 ? active : [fresh ?? sets.toSorted((a, b) => revisionOf(b) - revisionOf(a))[0]]
  if (active.length <= 1) {
    if (only) scaleSet(cluster, deployment, only, wanted)
    return
  }
  const room = wanted === 0 ? 0 : wanted + rollingBounds(deployment).surge
  const total = sum(active, specReplicas)
  let left = room - total
  const sorted = active.toSorted((a, b) => specReplicas(b) - specReplicas(a))
  for (const [i, set] of sorted.entries()) {
    const share = i === sorted.length - 1 ? left : Math.trunc((specReplicas(set) * (room - total)) / total)
    left -= share
    scaleSet(cluster, deployment, set, Math.max(0, specReplicas(set) + share))
  }
}

function isScaling(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  const wanted = String(deployment.spec.replicas ?? 1)
  return sets.some((set) => specReplicas(set) > 0 && set.metadata.annotations?.[desiredAnnotation] !== wanted)
}

function trimHistory(cluster: Cluster, deployment: Deployment, old: readonly ReplicaSet[]): void {
  const limit = deployment.spec.revisionHistoryLimit ?? 10
  const idle = old.filter(
    (set) => specReplicas(set) === 0 && (set.status?.replicas ?? 0) === 0 && !set.metadata.deletionTimestamp,
  )
  const kind = cluster.registry.stored(replicaSets.key)
  for (const set of idle
    .toSorted((a, b) => revisionOf(a) - revisionOf(b))
    .slice(0, Math.max(0, idle.length - limit))) {
    deleteObject(cluster.resources, kind, set.metadata.namespace, set.metadata.name)
  }
}

function syncDeployment(cluster: Cluster, deployment: Deployment, again: (delayMs: number) => void): void {
  const { metadata, spec } = deployment
  const sets = claimSets(cluster, deployment)
  const reread = () => {
    const current = cluster.store.get(deployments, metadata.namespace, metadata.name)
    if (current)
      updateDeploymentStatus(
        cluster,
        current,
        controlledBy(cluster.store, replicaSets, current),
        newSetOf,
        again,
      )
  }
  if (metadata.deletionTimestamp) return reread()
  if (spec.paused || isScaling(deployment, sets)) {
    scaleOnly(cluster, deployment, sets, newSetOf(deployment, sets))
    // A change of number during a rollout is spread first; the rollout goes on in the next round.
    if (spec.paused || newSetOf(deployment, sets)) {
      if (!spec.paused) again(0)
      return reread()
    }
  }
  const fresh = ensureNewSet(cluster, deployment, sets)
  const old = sets.filter((set) => set.metadata.uid !== fresh.metadata.uid)
  if (spec.strategy?.type === 'Recreate') recreate(cluster, deployment, fresh, old)
  else rollOut(cluster, deployment, fresh, old)
  trimHistory(cluster, deployment, old)
  reread()
}

export function runDeployments(cluster: Cluster): Controller {
  return runController(cluster, {
    kind: deployments,
    owns: [replicaSets],
    watches: [
      {
        kind: pods,
        // Recreate waits for the last old pod to be gone.
        keys({ type, object }) {
          if (type !== 'DELETED') return []
          const owner = controllerOf(object)
          const set =
            owner?.kind === 'ReplicaSet'
              ? cluster.store.get(replicaSets, object.metadata.namespace, owner.name)
              : undefined
          const above = set && controllerOf(set)
          return above?.kind === 'Deployment' ? [`${object.metadata.namespace}/${above.name}`] : []
        },
      },
    ],
    sync: (object, again) => syncDeployment(cluster, object, again),
  })
}
