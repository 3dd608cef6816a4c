import type { KindName } from '../watch/kinds.ts'

/** What the health of a cluster is derived from. */
export const healthKinds: readonly KindName[] = [
  'nodes',
  'namespaces',
  'pods',
  'deployments',
  'statefulsets',
  'daemonsets',
  'replicasets',
  'jobs',
  'cronjobs',
  'claims',
]
