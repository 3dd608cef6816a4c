import type { ObjectRelation } from '@bey/contract'
import type { Fields } from './fields.ts'
import { at, fields, items, labelsOf, text } from './fields.ts'
import { referencesOf } from './references.ts'
import { plainSelectorQuery, selectorQuery, selects, selectsPlainly } from './selector.ts'

/** A list in which objects are looked for that refer to another one. */
export type LookUp = {
  relation: ObjectRelation
  resource: string
  /** In this namespace; empty: in all of them. */
  namespace: string
  /** Narrows the list on the API server. */
  labelSelector?: string
  /** What the found object has to do with it, in words; null for no more words, false where it has nothing. */
  match: (found: Fields) => string | null | false
}

const rbac = 'rbac.authorization.k8s.io'
const templates = ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps', 'replicasets.apps']
const users = ['pods', 'deployments.apps', 'statefulsets.apps', 'daemonsets.apps', 'cronjobs.batch']

type Subject = { resource: string; kind: string; namespace: string; name: string }

/** Where to look for what refers to an object, or belongs to it without saying so in it. */
export function lookUpsFor(subject: Subject, object: Fields): readonly LookUp[] {
  const { resource, namespace } = subject
  const spec = at(object, 'spec')
  if (resource === 'pods') return forLabels(namespace, labelsOf(at(object, 'metadata', 'labels')))
  if (templates.includes(resource)) return forWorkload(subject, object)
  switch (resource) {
    case 'services':
      return forService(subject, spec)
    case 'configmaps':
      return usedBy(subject, users)
    case 'secrets':
      return usedBy(subject, [...users, 'ingresses.networking.k8s.io', 'serviceaccounts'])
    case 'persistentvolumeclaims':
      return usedBy(subject, ['pods'])
    case 'serviceaccounts':
      return [
        ...usedBy(subject, ['pods']),
        { ...referring(subject, `rolebindings.${rbac}`, 'granted_by', 'grants_to'), namespace: '' },
        referring(subject, `clusterrolebindings.${rbac}`, 'granted_by', 'grants_to'),
      ]
    case `roles.${rbac}`:
      return [referring(subject, `rolebindings.${rbac}`, 'granted_by', 'grants')]
    case `clusterroles.${rbac}`:
      return [
        referring(subject, `clusterrolebindings.${rbac}`, 'granted_by', 'grants'),
        referring(subject, `rolebindings.${rbac}`, 'granted_by', 'grants'),
      ]
    case 'storageclasses.storage.k8s.io':
      return [
        referring(subject, 'persistentvolumes', 'used_by', 'uses'),
        referring(subject, 'persistentvolumeclaims', 'used_by', 'uses'),
      ]
    case 'ingressclasses.networking.k8s.io':
      return [referring(subject, 'ingresses.networking.k8s.io', 'used_by', 'uses')]
    case 'nodes':
      return usedBy(subject, ['pods'], 'runs', 'runs_on')
    case 'namespaces':
      return forNamespace(subject.name)
    case 'poddisruptionbudgets.policy':
      return podsOf(namespace, selectorQuery(at(spec, 'selector')))
    case 'networkpolicies.networking.k8s.io':
      return podsOf(namespace, selectorQuery(at(spec, 'podSelector')))
    default:
      return []
  }
}

/** Objects of a resource that refer to the subject, as `referencesOf` finds it. */
function referring(
  { resource: wanted, namespace, name }: Subject,
  resource: string,
  relation: ObjectRelation,
  by: ObjectRelation,
): LookUp {
  return {
    relation,
    resource,
    namespace,
    match(found) {
      const each = referencesOf(resource, found).find(
        (target) =>
          target.relation === by &&
          target.resource === wanted &&
          target.namespace === namespace &&
          target.name === name,
      )
      return each ? each.detail : false
    },
  }
}

function usedBy(
  subject: Subject,
  resources: readonly string[],
  relation: ObjectRelation = 'used_by',
  by: ObjectRelation = 'uses',
): readonly LookUp[] {
  return resources.map((resource) => referring(subject, resource, relation, by))
}

/** What selects pods with these labels. */
function forLabels(namespace: string, labels: Readonly<Record<string, string>>): readonly LookUp[] {
  return [
    {
      relation: 'selected_by',
      resource: 'services',
      namespace,
      match: (service) => (selectsPlainly(at(service, 'spec', 'selector'), labels) ? ports(service) : false),
    },
    {
      relation: 'limited_by',
      resource: 'networkpolicies.networking.k8s.io',
      namespace,
      match: (policy) => (selects(at(policy, 'spec', 'podSelector') ?? {}, labels) ? null : false),
    },
    {
      relation: 'protected_by',
      resource: 'poddisruptionbudgets.policy',
      namespace,
      match: (budget) => (selects(at(budget, 'spec', 'selector'), labels) ? allowed(budget) : false),
    },
  ]
}

function forWorkload({ resource, kind, namespace, name }: Subject, object: Fields): readonly LookUp[] {
  const uid = text(at(object, 'metadata', 'uid'))
  const selector = selectorQuery(at(object, 'spec', 'selector'))
  return [
    ...forLabels(namespace, labelsOf(at(object, 'spec', 'template', 'metadata', 'labels'))),
    {
      relation: 'scaled_by',
      resource: 'horizontalpodautoscalers.autoscaling',
      namespace,
      match(autoscaler) {
        const target = at(autoscaler, 'spec', 'scaleTargetRef')
        return at(target, 'kind') === kind && at(target, 'name') === name ? scale(autoscaler) : false
      },
    },
    ...(resource === 'deployments.apps' && selector
      ? [
          {
            relation: 'revision' as const,
            resource: 'replicasets.apps',
            namespace,
            labelSelector: selector,
            match: (set: Fields) => (ownerUids(set).includes(uid) ? revision(set) : false),
          },
        ]
      : []),
  ]
}

function forService({ namespace, name }: Subject, spec: unknown): readonly LookUp[] {
  return [
    ...usedBy(
      { resource: 'services', kind: 'Service', namespace, name },
      ['ingresses.networking.k8s.io'],
      'routed_by',
      'routes_to',
    ),
    {
      relation: 'endpoints',
      resource: 'endpointslices.discovery.k8s.io',
      namespace,
      labelSelector: `kubernetes.io/service-name=${name}`,
      match: endpoints,
    },
    ...podsOf(namespace, plainSelectorQuery(at(spec, 'selector'))),
  ]
}

function forNamespace(namespace: string): readonly LookUp[] {
  const limits = (resource: string, match: LookUp['match']): LookUp => ({
    relation: 'limited_by',
    resource,
    namespace,
    match,
  })
  return [
    limits('resourcequotas', quota),
    limits('limitranges', () => null),
    limits('networkpolicies.networking.k8s.io', () => null),
  ]
}

function podsOf(namespace: string, labelSelector: string | undefined): readonly LookUp[] {
  if (labelSelector === undefined) return []
  return [{ relation: 'selects', resource: 'pods', namespace, labelSelector, match: () => null }]
}

const ownerUids = (object: Fields) =>
  items(at(object, 'metadata', 'ownerReferences')).map(({ uid }) => text(uid))

function ports(service: Fields): string | null {
  return (
    items(at(service, 'spec', 'ports'))
      .map(({ port, protocol }) => `${String(port)}/${text(protocol) ?? 'TCP'}`)
      .join(', ') || null
  )
}

function allowed(budget: Fields): string {
  const count = at(budget, 'status', 'disruptionsAllowed')
  return `${typeof count === 'number' ? count : 0} disruptions allowed`
}

function scale(autoscaler: Fields): string {
  const { minReplicas = 1, maxReplicas } = fields(at(autoscaler, 'spec'))
  const now = at(autoscaler, 'status', 'currentReplicas')
  return `${typeof now === 'number' ? `${now} of ` : ''}${String(minReplicas)}–${String(maxReplicas)}`
}

function revision(set: Fields): string {
  const number = text(at(set, 'metadata', 'annotations', 'deployment.kubernetes.io/revision'))
  const images = items(at(set, 'spec', 'template', 'spec', 'containers')).flatMap(
    ({ image }) => text(image) ?? [],
  )
  const replicas = at(set, 'status', 'readyReplicas')
  const count = typeof replicas === 'number' ? replicas : 0
  return [`revision ${number ?? '?'}`, images.join(', '), ...(count > 0 ? [`${count} ready`] : [])].join(
    ' · ',
  )
}

function endpoints(slice: Fields): string {
  const all = items(slice['endpoints'])
  const ready = all.filter((each) => at(each, 'conditions', 'ready') !== false).length
  const rest = all.length - ready
  return rest > 0 ? `${ready} ready, ${rest} not ready` : `${ready} ready`
}

function quota(found: Fields): string | null {
  const used = fields(at(found, 'status', 'used'))
  const hard = labelsOf(at(found, 'status', 'hard'))
  const parts = Object.entries(hard).map(
    ([resource, limit]) => `${resource} ${text(used[resource]) ?? '0'} of ${limit}`,
  )
  return parts.join(', ') || null
}
