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
  return `/apis/apps/v1/namespaces/${encodeURIComponent(namespace)}/${pluralOf(kind)}/${encodeURIComponent(name)}`
}

/** How an audit entry names a workload, so that it is found as that of the object. */
export function auditedWorkload({ kind, namespace, name }: WorkloadTarget) {
  return { resource: pluralOf(kind), group: 'apps', namespace, name }
}

const pluralOf = (kind: string) => `${kind.toLowerCase()}s`

export const mergePatch = 'application/merge-patch+json'
