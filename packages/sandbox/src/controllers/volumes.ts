import type { Cluster } from '../api/context.ts'
import { quantity } from '../quantity.ts'
import {
  claims,
  nodes,
  pods,
  storageClasses,
  volumes,
  type PersistentVolume,
  type PersistentVolumeClaim,
} from '../types.ts'
import { runController, type Controller } from './controller.ts'
import { fits, selectedNode, smallestFit } from './volume-match.ts'

const component = 'persistentvolume-controller'
const provisionMs = 1200

function claimReference({ metadata }: PersistentVolumeClaim) {
  const { name, namespace, uid, resourceVersion } = metadata
  return { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid, resourceVersion }
}

function bind(cluster: Cluster, claim: PersistentVolumeClaim, volume: PersistentVolume): void {
  const { resources } = cluster
  const claimed = resources.change(volumes, volume, (draft) => {
    draft.spec.claimRef = claimReference(claim)
  })
  if (claimed)
    resources.changeStatus(volumes, claimed, (draft) => {
      draft.status = { phase: 'Bound' }
    })
  const bound = resources.change(
    claims,
    claim,
    (draft) => {
      const isOurs = draft.spec.volumeName === undefined
      draft.spec.volumeName = volume.metadata.name
      draft.metadata.annotations = {
        ...draft.metadata.annotations,
        'pv.kubernetes.io/bind-completed': 'yes',
        ...(isOurs ? { 'pv.kubernetes.io/bound-by-controller': 'yes' } : {}),
      }
    },
    { subresource: 'all' },
  )
  if (!bound) return
  resources.changeStatus(claims, bound, (draft) => {
    draft.status = { phase: 'Bound', accessModes: volume.spec.accessModes, capacity: volume.spec.capacity }
  })
}

function provision(
  cluster: Cluster,
  claim: PersistentVolumeClaim,
  provisioner: string,
  policy: string,
): void {
  const { resources, recorder } = cluster
  const name = `pvc-${claim.metadata.uid}`
  const node = claim.metadata.annotations?.[selectedNode]
  const terms = node
    ? [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [node] }] }]
    : []
  const volume = resources.make<PersistentVolume>(volumes, undefined, {
    metadata: { name, annotations: { 'pv.kubernetes.io/provisioned-by': provisioner } },
    spec: {
      accessModes: claim.spec.accessModes,
      capacity: { storage: claim.spec.resources?.requests?.['storage'] },
      claimRef: claimReference(claim),
      hostPath: {
        path: `/opt/local-path-provisioner/${name}_${claim.metadata.namespace}_${claim.metadata.name}`,
        type: 'DirectoryOrCreate',
      },
      persistentVolumeReclaimPolicy: policy,
      storageClassName: claim.spec.storageClassName,
      volumeMode: claim.spec.volumeMode,
      ...(terms.length > 0 ? { nodeAffinity: { required: { nodeSelectorTerms: terms } } } : {}),
    },
  })
  recorder.normal(provisioner, claim, 'ProvisioningSucceeded', `Successfully provisioned volume ${name}`)
  bind(cluster, claim, volume)
}

function isUsed(cluster: Cluster, { metadata }: PersistentVolumeClaim): boolean {
  return cluster.store
    .list(pods, metadata.namespace)
    .some(
      (pod) =>
        pod.status?.phase !== 'Succeeded' &&
        pod.status?.phase !== 'Failed' &&
        pod.spec.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === metadata.name),
    )
}

/** When the provisioning of claims began, by uid. */
type Started = Map<string, number>

function syncClaim(
  cluster: Cluster,
  claim: PersistentVolumeClaim,
  started: Started,
  again: (delayMs: number) => void,
): void {
  const { store, resources, recorder, clock } = cluster
  if (claim.metadata.deletionTimestamp) {
    started.delete(claim.metadata.uid)
    if (isUsed(cluster, claim)) return
    resources.change(
      claims,
      claim,
      (draft) => {
        draft.metadata.finalizers = draft.metadata.finalizers?.filter(
          (one) => one !== 'kubernetes.io/pvc-protection',
        )
      },
      { subresource: 'all' },
    )
    return
  }
  if (claim.spec.volumeName) {
    const volume = store.get(volumes, undefined, claim.spec.volumeName)
    if (volume && claim.status?.phase !== 'Bound' && fits(volume, claim)) bind(cluster, claim, volume)
    else if (!volume && claim.status?.phase === 'Bound') {
      resources.changeStatus(claims, claim, (draft) => {
        draft.status = { ...draft.status, phase: 'Lost' }
      })
      recorder.warning(
        component,
        claim,
        'ClaimLost',
        'Bound claim has lost its PersistentVolume. Data on the volume is lost!',
      )
    } else if (volume && claim.status?.phase === 'Bound') grow(cluster, claim, volume)
    return
  }
  const storage = store.get(storageClasses, undefined, claim.spec.storageClassName ?? '')
  const node = claim.metadata.annotations?.[selectedNode]
  const isEarly = storage?.volumeBindingMode === 'WaitForFirstConsumer' && !node
  const found = smallestFit(store, claim, node === undefined ? undefined : store.get(nodes, undefined, node))
  // A volume that somebody has set apart for the claim waits for no consumer.
  if (found && (!isEarly || found.spec.claimRef)) return bind(cluster, claim, found)
  if (!storage) {
    const name = claim.spec.storageClassName
    if (name)
      recorder.warning(
        component,
        claim,
        'ProvisioningFailed',
        `storageclass.storage.k8s.io "${name}" not found`,
      )
    else
      recorder.normal(
        component,
        claim,
        'FailedBinding',
        'no persistent volumes available for this claim and no storage class is set',
      )
    return
  }
  if (isEarly) {
    recorder.normal(
      component,
      claim,
      'WaitForFirstConsumer',
      'waiting for first consumer to be created before binding',
    )
    return
  }
  if (storage.provisioner === 'kubernetes.io/no-provisioner') {
    recorder.normal(
      component,
      claim,
      'FailedBinding',
      'no persistent volumes available for this claim and no storage class is set',
    )
    return
  }
  // The provisioner begins when the claim has been made its own, which for some is only when a pod wants it.
  const startedAt = started.get(claim.metadata.uid) ?? clock.now()
  const dueMs = startedAt + provisionMs / cluster.speed - clock.now()
  if (!started.has(claim.metadata.uid)) {
    started.set(claim.metadata.uid, startedAt)
    const { namespace, name } = claim.metadata
    recorder.normal(
      storage.provisioner,
      claim,
      'Provisioning',
      `External provisioner is provisioning volume for claim "${namespace}/${name}"`,
    )
    recorder.normal(
      component,
      claim,
      'ExternalProvisioning',
      `Waiting for a volume to be created either by the external provisioner '${storage.provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`,
    )
    resources.change(claims, claim, (draft) => {
      draft.metadata.annotations = {
        ...draft.metadata.annotations,
        'volume.beta.kubernetes.io/storage-provisioner': storage.provisioner,
        'volume.kubernetes.io/storage-provisioner': storage.provisioner,
      }
    })
  }
  if (dueMs > 0) return again(dueMs)
  started.delete(claim.metadata.uid)
  provision(cluster, claim, storage.provisioner, storage.reclaimPolicy ?? 'Delete')
}

function grow(cluster: Cluster, claim: PersistentVolumeClaim, volume: PersistentVolume): void {
  const asked = claim.spec.resources?.requests?.['storage']
  if (asked === undefined || quantity(asked) <= quantity(claim.status?.capacity?.['storage'])) return
  cluster.resources.change(volumes, volume, (draft) => {
    draft.spec.capacity = { ...draft.spec.capacity, storage: asked }
  })
  cluster.resources.changeStatus(claims, claim, (draft) => {
    draft.status = { ...draft.status, capacity: { ...draft.status?.capacity, storage: asked } }
  })
}

function syncVolume(cluster: Cluster, volume: PersistentVolume): void {
  const { store, resources } = cluster
  const { claimRef } = volume.spec
  const claim = claimRef && store.get(claims, claimRef.namespace, claimRef.name ?? '')
  const isBound = claim !== undefined && (!claimRef?.uid || claim.metadata.uid === claimRef.uid)
  if (volume.metadata.deletionTimestamp) {
    if (isBound) return
    resources.change(
      volumes,
      volume,
      (draft) => {
        draft.metadata.finalizers = draft.metadata.finalizers?.filter(
          (one) => one !== 'kubernetes.io/pv-protection',
        )
      },
      { subresource: 'all' },
    )
    return
  }
  if (isBound) return
  if (claimRef?.uid && volume.status?.phase === 'Bound') {
    const released = resources.changeStatus(volumes, volume, (draft) => {
      draft.status = { phase: 'Released' }
    })
    if (released && volume.spec.persistentVolumeReclaimPolicy === 'Delete')
      store.remove(volumes.key, undefined, volume.metadata.name)
  } else if (volume.status?.phase === 'Pending') {
    resources.changeStatus(volumes, volume, (draft) => {
      draft.status = { phase: 'Available' }
    })
  }
}

export function runVolumes(cluster: Cluster): Controller[] {
  const { store } = cluster
  const started: Started = new Map()
  const waiting = () =>
    store
      .list(claims)
      .filter((claim) => !claim.spec.volumeName)
      .map((claim) => `${claim.metadata.namespace}/${claim.metadata.name}`)
  return [
    runController(cluster, {
      kind: claims,
      watches: [
        { kind: volumes, keys: ({ type }) => (type === 'ADDED' ? waiting() : []) },
        { kind: storageClasses, keys: waiting },
        {
          kind: pods,
          keys: ({ type, object }) =>
            type === 'DELETED'
              ? store
                  .list(claims, object.metadata.namespace)
                  .filter((claim) => claim.metadata.deletionTimestamp)
                  .map((claim) => `${claim.metadata.namespace}/${claim.metadata.name}`)
              : [],
        },
      ],
      sync: (claim, again) => syncClaim(cluster, claim, started, again),
    }),
    runController(cluster, {
      kind: volumes,
      watches: [
        {
          kind: claims,
          keys: ({ type, object }) =>
            type === 'DELETED'
              ? store
                  .list(volumes)
                  .filter((one) => one.spec.claimRef?.uid === object.metadata.uid)
                  .map((one) => `/${one.metadata.name}`)
              : [],
        },
      ],
      sync: (volume) => syncVolume(cluster, volume),
    }),
  ]
}
