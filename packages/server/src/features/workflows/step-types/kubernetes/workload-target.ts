import { z } from 'zod'

import { clusterField, namespaceField, objectName } from './cluster-session.ts'

/** Fields of a config that name one workload of apps/v1. */
export const workloadFields = (kinds: readonly [string, ...string[]]) => ({
  cluster: clusterField,
  kind: z.enum(kinds).default('Deployment').meta({ title: 'Kind' }),
  namespace: namespaceField.default('default').meta({ title: 'Namespace', 'x-widget': 'namespace' }),
  name: objectName.meta({ title: 'Name' }),
})

export type WorkloadTarget = { kind: string; namespace: string; name: string }

export function workloadPath({ kind, namespace, name }: WorkloadTarget): string {
  return `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/${kind.toLowerCase()}s/${encodeURIComponent(name)}`
}

export const mergePatch = 'application/merge-patch+json'
