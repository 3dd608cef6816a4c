import type { Cluster } from '../api/context.ts'
import { forbidden } from '../status-error.ts'
import { configMaps, namespaces, serviceAccounts, type Namespace } from '../types.ts'
import { runController, type Controller } from './controller.ts'
import { emptyNamespace } from './namespace-deletion.ts'

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

/** Without these there is no cluster, so nobody may delete them. */
const immortal = ['default', 'kube-system', 'kube-public']

export function runNamespaces(cluster: Cluster): Controller {
  cluster.resources.admit((operation, kind, { metadata: { name } }) => {
    if (operation === 'delete' && kind.key === namespaces.key && immortal.includes(name))
      throw forbidden(kind, name, 'this namespace may not be deleted')
  })
  const owner = (change: { object: { metadata: { namespace?: string } }; type: string }) =>
    change.type === 'DELETED' ? [`/${change.object.metadata.namespace ?? ''}`] : []
  return runController(cluster, {
    kind: namespaces,
    watches: [
      { kind: serviceAccounts, keys: owner },
      { kind: configMaps, keys: owner },
    ],
    sync(namespace, again) {
      if (namespace.metadata.deletionTimestamp) emptyNamespace(cluster, namespace, again)
      else furnish(cluster, namespace)
    },
  })
}
