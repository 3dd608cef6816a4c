import type { Cluster } from '@bey/contract'
import { kindOfResource, noNamespace, resourceOfKind } from '@bey/contract'
import { z } from 'zod'
import { AppError } from '../../platform/errors.ts'
import type { ToolContext } from './tool.ts'

export const clusterField = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('Name or id of the cluster, as list_clusters answers it.')
export const namespaceField = z
  .string()
  .regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'Send the name of a namespace.')
  .describe('Namespace in the cluster.')
export const nameField = z
  .string()
  .min(1)
  .max(253)
  // A segment of a path must not change where the path leads.
  .regex(/^(?!\.{1,2}$)[^/%\\]+$/, 'Send the name of an object.')
  .describe('Name of the object.')
export const kindField = z
  .string()
  .min(1)
  .max(100)
  .describe('Kind such as Deployment, StatefulSet, DaemonSet or Pod, or a resource such as deployments.apps.')

export const objectFields = {
  cluster: clusterField,
  kind: kindField,
  namespace: namespaceField.optional().describe('Namespace; leave it out for what has none, such as a Node.'),
  name: nameField,
}

/** The cluster that a name or an id means. Throws AppError `not_found` with names that there are. */
export async function findCluster({ call }: ToolContext, text: string): Promise<Cluster> {
  if (/^\d{1,10}$/.test(text)) return call('clusters.get', { params: { id: Number(text) } })
  const { clusters } = await call('clusters.list', { query: { search: text, limit: 200 } })
  const found = clusters.find(({ title }) => title === text)
  if (found) return found
  const { clusters: some } = await call('clusters.list', { query: { limit: 10 } })
  const names = some.map(({ title }) => title).join(', ')
  throw new AppError(
    'not_found',
    `There is no cluster "${text}" among those that you may see${names === '' ? '' : `: ${names}`}.`,
  )
}

export type ObjectTarget = {
  cluster: Cluster
  resource: string
  namespace: string
  name: string
  label: string
}

/** The object that fields of a tool mean; whether it exists is not looked up. */
export async function findObject(
  context: ToolContext,
  fields: { cluster: string; kind: string; namespace?: string | undefined; name: string },
): Promise<ObjectTarget> {
  const cluster = await findCluster(context, fields.cluster)
  const { name, namespace = '' } = fields
  const resource = resourceOf(fields.kind)
  const kind = kindOfResource(resource) ?? fields.kind
  const label = `${kind} ${namespace === '' ? '' : `${namespace}/`}${name} of ${cluster.title}`
  return { cluster, resource, namespace, name, label }
}

/** Parameters of the endpoints that are about one object. */
export function objectParams({ cluster, resource, namespace, name }: ObjectTarget) {
  return { id: cluster.id, resource, namespace: namespace || noNamespace, name }
}

/** `deployments.apps` of `Deployment`, `deployment`, `deploy` or itself. */
function resourceOf(kind: string): string {
  const word = kind.toLowerCase()
  const short = shortNames[word]
  if (short !== undefined) return short
  const capital = knownKinds.find((each) => each.toLowerCase() === word || `${each.toLowerCase()}s` === word)
  return (capital && resourceOfKind(capital)) ?? word
}

const shortNames: Readonly<Record<string, string>> = {
  deploy: 'deployments.apps',
  sts: 'statefulsets.apps',
  ds: 'daemonsets.apps',
  rs: 'replicasets.apps',
  po: 'pods',
  svc: 'services',
  pvc: 'persistentvolumeclaims',
  pv: 'persistentvolumes',
  ns: 'namespaces',
  no: 'nodes',
  cm: 'configmaps',
  hpa: 'horizontalpodautoscalers.autoscaling',
  ing: 'ingresses.networking.k8s.io',
}

const knownKinds = [
  'Pod',
  'Node',
  'Namespace',
  'Service',
  'ConfigMap',
  'Secret',
  'ServiceAccount',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'ResourceQuota',
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'Job',
  'CronJob',
  'HorizontalPodAutoscaler',
  'PodDisruptionBudget',
  'Ingress',
  'NetworkPolicy',
  'StorageClass',
]
