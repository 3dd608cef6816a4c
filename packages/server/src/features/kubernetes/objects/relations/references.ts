import type { ObjectRelation } from '@bey/contract'
import { resourceOfKind } from '@bey/contract'
import type { Fields } from './fields.ts'
import { at, fields, items, text } from './fields.ts'

/** An object to which another one refers. */
export type Reference = {
  relation: ObjectRelation
  resource: string
  /** Empty for what belongs to none. */
  namespace: string
  name: string
  /** What it is for, in words. */
  detail: string | null
  /** The cluster does without it where it is missing. */
  isOptional: boolean
}

const rbac = 'rbac.authorization.k8s.io'
const maxReferences = 100

/** To which objects an object refers, by what stands in it alone; each of them once, at most 100. */
export function referencesOf(resource: string, object: Fields): readonly Reference[] {
  const found = new Map<string, Reference>()
  for (const each of collect(resource, object, text(at(object, 'metadata', 'namespace')) ?? '')) {
    const key = `${each.relation} ${each.resource} ${each.namespace}/${each.name}`
    const before = found.get(key)
    // What is needed in one place is needed, whatever the others say.
    if (!before || (before.isOptional && !each.isOptional)) found.set(key, each)
    if (found.size === maxReferences) break
  }
  return [...found.values()]
}

/** Where the specification of pods stands in the resources that have one. */
const podSpecPaths: Readonly<Record<string, readonly string[]>> = {
  pods: ['spec'],
  'deployments.apps': ['spec', 'template', 'spec'],
  'statefulsets.apps': ['spec', 'template', 'spec'],
  'daemonsets.apps': ['spec', 'template', 'spec'],
  'replicasets.apps': ['spec', 'template', 'spec'],
  'jobs.batch': ['spec', 'template', 'spec'],
  'cronjobs.batch': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
}

function collect(resource: string, object: Fields, namespace: string): readonly Reference[] {
  const podSpec = Object.hasOwn(podSpecPaths, resource) ? podSpecPaths[resource] : undefined
  const spec = at(object, 'spec')
  const one = (relation: ObjectRelation, target: string, name: unknown, detail: string | null = null) =>
    reference(relation, target, namespace, text(name), detail)
  if (podSpec) {
    const service = resource === 'statefulsets.apps' ? one('uses', 'services', at(spec, 'serviceName')) : []
    return [...podReferences(fields(at(object, ...podSpec)), namespace), ...service]
  }
  switch (resource) {
    case 'ingresses.networking.k8s.io':
      return ingressReferences(spec, namespace)
    case 'horizontalpodautoscalers.autoscaling':
      return byKind('scales', at(spec, 'scaleTargetRef'), namespace)
    case `rolebindings.${rbac}`:
    case `clusterrolebindings.${rbac}`:
      return bindingReferences(object, namespace)
    case 'serviceaccounts':
      return ['secrets', 'imagePullSecrets'].flatMap((list) =>
        items(object[list]).flatMap(({ name }) => one('uses', 'secrets', name)),
      )
    case 'persistentvolumeclaims':
      return [
        ...reference('bound_to', 'persistentvolumes', '', text(at(spec, 'volumeName'))),
        ...reference('uses', 'storageclasses.storage.k8s.io', '', text(at(spec, 'storageClassName'))),
      ]
    case 'persistentvolumes':
      return [
        ...reference(
          'bound_to',
          'persistentvolumeclaims',
          text(at(spec, 'claimRef', 'namespace')) ?? '',
          text(at(spec, 'claimRef', 'name')),
        ),
        ...reference('uses', 'storageclasses.storage.k8s.io', '', text(at(spec, 'storageClassName'))),
      ]
    case 'endpointslices.discovery.k8s.io':
      return one('endpoints_of', 'services', at(object, 'metadata', 'labels', 'kubernetes.io/service-name'))
    case 'mutatingwebhookconfigurations.admissionregistration.k8s.io':
    case 'validatingwebhookconfigurations.admissionregistration.k8s.io':
      return items(object['webhooks']).flatMap((webhook) =>
        serviceReference(at(webhook, 'clientConfig', 'service'), text(webhook['name'])),
      )
    case 'apiservices.apiregistration.k8s.io':
      return serviceReference(at(spec, 'service'), null)
    default:
      return []
  }
}

function reference(
  relation: ObjectRelation,
  resource: string,
  namespace: string,
  name: string | null,
  detail: string | null = null,
  isOptional = false,
): readonly Reference[] {
  return name === null ? [] : [{ relation, resource, namespace, name, detail, isOptional }]
}

function podReferences(spec: Fields, namespace: string): readonly Reference[] {
  const needs = (resource: string, name: unknown, detail: string | null, isOptional: unknown = false) =>
    reference('uses', resource, namespace, text(name), detail, isOptional === true)
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) =>
    items(spec[list]),
  )
  return [
    ...reference('runs_on', 'nodes', '', text(spec['nodeName'])),
    ...needs('serviceaccounts', spec['serviceAccountName'], null),
    ...reference('uses', 'priorityclasses.scheduling.k8s.io', '', text(spec['priorityClassName'])),
    ...reference('uses', 'runtimeclasses.node.k8s.io', '', text(spec['runtimeClassName'])),
    ...items(spec['volumes']).flatMap((volume) => volumeReferences(volume, needs)),
    ...containers.flatMap((container) => environmentReferences(container, needs)),
    ...items(spec['imagePullSecrets']).flatMap(({ name }) => needs('secrets', name, 'to pull images')),
  ]
}

type Needs = (
  resource: string,
  name: unknown,
  detail: string | null,
  isOptional?: unknown,
) => readonly Reference[]

function volumeReferences(volume: Fields, needs: Needs): readonly Reference[] {
  const detail = `volume ${text(volume['name']) ?? ''}`
  const source = (each: unknown) => [
    ...needs('configmaps', at(each, 'configMap', 'name'), detail, at(each, 'configMap', 'optional')),
    ...needs('secrets', at(each, 'secret', 'name'), detail, at(each, 'secret', 'optional')),
  ]
  return [
    ...source(volume),
    ...needs('secrets', at(volume, 'secret', 'secretName'), detail, at(volume, 'secret', 'optional')),
    ...needs('persistentvolumeclaims', at(volume, 'persistentVolumeClaim', 'claimName'), detail),
    ...items(at(volume, 'projected', 'sources')).flatMap(source),
  ]
}

function environmentReferences(container: Fields, needs: Needs): readonly Reference[] {
  const detail = `environment of ${text(container['name']) ?? ''}`
  return [
    ...items(container['env']).flatMap(({ valueFrom }) => [
      ...needs(
        'configmaps',
        at(valueFrom, 'configMapKeyRef', 'name'),
        detail,
        at(valueFrom, 'configMapKeyRef', 'optional'),
      ),
      ...needs(
        'secrets',
        at(valueFrom, 'secretKeyRef', 'name'),
        detail,
        at(valueFrom, 'secretKeyRef', 'optional'),
      ),
    ]),
    ...items(container['envFrom']).flatMap((from) => [
      ...needs('configmaps', at(from, 'configMapRef', 'name'), detail, at(from, 'configMapRef', 'optional')),
      ...needs('secrets', at(from, 'secretRef', 'name'), detail, at(from, 'secretRef', 'optional')),
    ]),
  ]
}

function ingressReferences(spec: unknown, namespace: string): readonly Reference[] {
  const backend = (value: unknown, detail: string) => [
    ...reference('routes_to', 'services', namespace, text(at(value, 'service', 'name')), detail),
    ...byKind('routes_to', at(value, 'resource'), namespace),
  ]
  return [
    ...items(at(spec, 'rules')).flatMap((rule) =>
      items(at(rule, 'http', 'paths')).flatMap((path) =>
        backend(path['backend'], `${text(rule['host']) ?? ''}${text(path['path']) ?? '/'}`),
      ),
    ),
    ...backend(at(spec, 'defaultBackend'), 'everything else'),
    ...items(at(spec, 'tls')).flatMap(({ secretName }) =>
      reference('uses', 'secrets', namespace, text(secretName), 'certificate'),
    ),
    ...reference('uses', 'ingressclasses.networking.k8s.io', '', text(at(spec, 'ingressClassName'))),
  ]
}

function bindingReferences(binding: Fields, namespace: string): readonly Reference[] {
  const isCluster = at(binding, 'roleRef', 'kind') === 'ClusterRole'
  const role = text(at(binding, 'roleRef', 'name'))
  return [
    ...(isCluster
      ? reference('grants', `clusterroles.${rbac}`, '', role)
      : reference('grants', `roles.${rbac}`, namespace, role)),
    ...items(binding['subjects'])
      .filter(({ kind }) => kind === 'ServiceAccount')
      .flatMap((subject) =>
        reference(
          'grants_to',
          'serviceaccounts',
          text(subject['namespace']) ?? namespace,
          text(subject['name']),
        ),
      ),
  ]
}

function serviceReference(service: unknown, detail: string | null): readonly Reference[] {
  return reference(
    'calls',
    'services',
    text(at(service, 'namespace')) ?? '',
    text(at(service, 'name')),
    detail,
  )
}

/** By kind, where it is one of Kubernetes' own; others need the cluster's discovery, and have no page here. */
function byKind(relation: ObjectRelation, target: unknown, namespace: string): readonly Reference[] {
  const resource = resourceOfKind(text(at(target, 'kind')) ?? '')
  return resource ? reference(relation, resource, namespace, text(at(target, 'name'))) : []
}
