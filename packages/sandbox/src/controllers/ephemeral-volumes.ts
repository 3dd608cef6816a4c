import type { Cluster } from '../api/context.ts'
import { claims, pods } from '../types.ts'
import { runController, type Controller } from './controller.ts'

/** Makes the claims that generic ephemeral volumes of pods describe; they go with their pod. */
export function runEphemeralVolumes(cluster: Cluster): Controller {
  const { store, resources, recorder } = cluster
  return runController(cluster, {
    kind: pods,
    sync(pod) {
      const { namespace, name: podName, uid, deletionTimestamp } = pod.metadata
      if (deletionTimestamp) return
      for (const { name: volumeName, ephemeral } of pod.spec.volumes ?? []) {
        const template = ephemeral?.volumeClaimTemplate
        if (!template) continue
        const name = `${podName}-${volumeName}`
        const known = store.get(claims, namespace, name)
        if (known) {
          if (known.metadata.ownerReferences?.some((one) => one.uid === uid)) continue
          const text = `PVC ${namespace}/${name} was not created for pod ${namespace}/${podName} (pod is not owner)`
          recorder.warning('ephemeral_volume', pod, 'ConflictingPVC', text)
          continue
        }
        const owner = { apiVersion: 'v1', kind: 'Pod', name: podName, uid }
        resources.make(claims, namespace, {
          metadata: {
            ...template.metadata,
            name,
            ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
          },
          spec: template.spec,
        })
      }
    },
  })
}
