import type { Cluster, Remedy } from '@bey/contract'
import { roleHas } from '@bey/contract'
import type { ReactNode } from 'react'
import { useRole } from '../../data/session.ts'
import { useActionHost } from '../../entities/kubernetes/actions/action-host.tsx'
import { objectActions } from '../../entities/kubernetes/actions/action-table.ts'

type Action = NonNullable<Remedy['action']>

/** Carries out the ways out that an explanation offers; nothing where the role may not change the cluster. */
export function useRemedies({ id: clusterId, title: clusterTitle }: Pick<Cluster, 'id' | 'title'>): {
  onAction: ((action: Action) => void) | undefined
  dialog: ReactNode
} {
  const host = useActionHost()
  const role = useRole()
  const start = ({ id, object }: Action) => {
    const { resource, namespace, name } = object
    const action = objectActions.find((each) => each.id === id)
    if (action && resource !== null)
      host.start(action, [{ clusterId, clusterTitle, resource, namespace, name }])
  }
  return { onAction: roleHas(role, 'kubernetes.write') ? start : undefined, dialog: host.dialog }
}
