import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { configMaps, namespaces, serviceAccounts, type Namespace } from '../types.ts'
import { runController, type Controller } from './controller.ts'

const rootCertificate = 'kube-root-ca.crt'

/** Every namespace gets its default service account and the cluster's certificate, again when somebody deletes them. */
function furnish(cluster: Cluster, namespace: Namespace): void {
  const { store, resources } = cluster
  const { name } = namespace.metadata
  if (!store.get(serviceAccounts, name, 'default')) {
    resources.make(serviceAccounts, name, { metadata: { name: 'default' } })
  }
  if (!store.get(configMaps, name, rootCertificate)) {
    resources.make(configMaps, name, {
      metadata: {
        name: rootCertificate,
        annotations: {
          'kubernetes.io/description':
            'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
        },
      },
      data: { 'ca.crt': cluster.caPem },
    })
  }
}

function empty(cluster: Cluster, namespace: Namespace, again: (delayMs: number) => void): void {
  const { store, resources, registry } = cluster
  const { name } = namespace.metadata
  let left = 0
  for (const key of store.kinds()) {
    const kind = registry.byKey(key)
    if (!kind?.namespaced) continue
    for (const object of store.all(key, name)) {
      if (!object.metadata.deletionTimestamp) {
        deleteObject(resources, kind, name, object.metadata.name, { propagation: 'Background' })
      }
      if (store.find(key, name, object.metadata.name)) left += 1
    }
  }
  if (left > 0) {
    again(250 / cluster.speed)
    return
  }
  if (namespace.metadata.finalizers?.length) return
  store.remove(namespaces.key, undefined, name)
}

export function runNamespaces(cluster: Cluster): Controller {
  const owner = (change: { object: { metadata: { namespace?: string } }; type: string }) =>
    change.type === 'DELETED' ? [`/${change.object.metadata.namespace ?? ''}`] : []
  return runController(cluster, {
    kind: namespaces,
    watches: [
      { kind: serviceAccounts, keys: owner },
      { kind: configMaps, keys: owner },
    ],
    sync(namespace, again) {
      if (namespace.metadata.deletionTimestamp) empty(cluster, namespace, again)
      else furnish(cluster, namespace)
    },
  })
}
