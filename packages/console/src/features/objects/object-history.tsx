import { HistoryTab } from '../../entities/kubernetes/history/history-tab.tsx'
import { asKubernetesObject } from './kubernetes-object.ts'
import type { ObjectSubject } from './object-tabs.tsx'

/** What the object was when it changed. */
export function ObjectHistory({ cluster, detail }: ObjectSubject) {
  const { resource, object } = detail
  const { metadata } = asKubernetesObject(object)
  return (
    <HistoryTab
      clusterId={cluster.id}
      object={{
        kind: resource.kind,
        resource: resource.resource,
        namespace: metadata?.namespace ?? '',
        name: metadata?.name ?? '',
      }}
      version={String(metadata?.generation ?? metadata?.resourceVersion ?? '')}
    />
  )
}
