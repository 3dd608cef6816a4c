import { ActivityTable } from '../../entities/audit/activity-table.tsx'
import { asKubernetesObject } from './kubernetes-object.ts'
import type { ObjectSubject } from './object-tabs.tsx'

/** Who did what to the object through Bey. */
export function ObjectActivity({ cluster, detail }: ObjectSubject) {
  const { metadata } = asKubernetesObject(detail.object)
  const { resource } = detail.resource
  return (
    <ActivityTable
      subject={{
        targetType: 'cluster',
        targetId: String(cluster.id),
        object: `${resource}/${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`,
      }}
      empty="Changes, shells and reads of its secrets through Bey are listed here, for consoles and kubectl alike. What happened in the cluster itself is under Events."
    />
  )
}
