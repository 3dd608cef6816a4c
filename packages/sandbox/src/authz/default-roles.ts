import type { Resources } from '../api/resources.ts'
import { clusterRoleBindings, clusterRoles, type ClusterRole } from '../types.ts'
import type { Rule } from './rbac.ts'

const read = ['get', 'list', 'watch']
const write = ['create', 'delete', 'deletecollection', 'patch', 'update']

function rule(apiGroups: string[], resources: string[], verbs: string[]): Rule {
  return { apiGroups, resources, verbs }
}

const viewRules: Rule[] = [
  rule(
    [''],
    [
      'configmaps',
      'endpoints',
      'persistentvolumeclaims',
      'persistentvolumeclaims/status',
      'pods',
      'pods/log',
      'pods/status',
      'replicationcontrollers',
      'replicationcontrollers/scale',
      'serviceaccounts',
      'services',
      'services/status',
      'bindings',
      'events',
      'limitranges',
      'namespaces',
      'namespaces/status',
      'resourcequotas',
      'resourcequotas/status',
    ],
    read,
  ),
  rule(['discovery.k8s.io'], ['endpointslices'], read),
  rule(
    ['apps'],
    [
      'controllerrevisions',
      'daemonsets',
      'daemonsets/status',
      'deployments',
      'deployments/scale',
      'deployments/status',
      'replicasets',
      'replicasets/scale',
      'replicasets/status',
      'statefulsets',
      'statefulsets/scale',
      'statefulsets/status',
    ],
    read,
  ),
  rule(['autoscaling'], ['horizontalpodautoscalers', 'horizontalpodautoscalers/status'], read),
  rule(['batch'], ['cronjobs', 'cronjobs/status', 'jobs', 'jobs/status'], read),
  rule(['policy'], ['poddisruptionbudgets', 'poddisruptionbudgets/status'], read),
  rule(['networking.k8s.io'], ['ingresses', 'ingresses/status', 'networkpolicies'], read),
]

const editRules: Rule[] = [
  ...viewRules,
  rule(
    [''],
    ['secrets', 'services/proxy', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy'],
    read,
  ),
  rule([''], ['serviceaccounts'], ['impersonate']),
  rule([''], ['pods', 'pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy'], write),
  rule([''], ['pods/eviction', 'serviceaccounts/token'], ['create']),
  rule(
    [''],
    [
      'configmaps',
      'events',
      'persistentvolumeclaims',
      'replicationcontrollers',
      'replicationcontrollers/scale',
      'secrets',
      'serviceaccounts',
      'services',
      'services/proxy',
      'endpoints',
    ],
    write,
  ),
  rule(
    ['apps'],
    [
      'daemonsets',
      'deployments',
      'deployments/rollback',
      'deployments/scale',
      'replicasets',
      'replicasets/scale',
      'statefulsets',
      'statefulsets/scale',
    ],
    write,
  ),
  rule(['autoscaling'], ['horizontalpodautoscalers'], write),
  rule(['batch'], ['cronjobs', 'jobs'], write),
  rule(['policy'], ['poddisruptionbudgets'], write),
  rule(['networking.k8s.io'], ['ingresses', 'networkpolicies'], write),
  rule(['coordination.k8s.io'], ['leases'], [...read, ...write]),
]

const adminRules: Rule[] = [
  ...editRules,
  rule(['authorization.k8s.io'], ['localsubjectaccessreviews'], ['create']),
  rule(['rbac.authorization.k8s.io'], ['rolebindings', 'roles'], [...read, ...write]),
]

const metricsRule = rule(['metrics.k8s.io'], ['pods', 'nodes'], ['get', 'list', 'watch'])
const watchMachines = rule([''], ['nodes', 'nodes/status', 'persistentvolumes'], read)
const clusterReading: Rule[] = [
  watchMachines,
  metricsRule,
  rule([''], ['namespaces', 'events'], read),
  rule(['storage.k8s.io'], ['storageclasses'], read),
  rule(['scheduling.k8s.io'], ['priorityclasses'], read),
  rule(['networking.k8s.io'], ['ingressclasses'], read),
  rule(['apiextensions.k8s.io'], ['customresourcedefinitions'], read),
]

const discoveryUrls = [
  '/api',
  '/api/*',
  '/apis',
  '/apis/*',
  '/healthz',
  '/livez',
  '/openapi',
  '/openapi/*',
  '/readyz',
  '/version',
  '/version/',
]

const bootstrap = { 'kubernetes.io/bootstrapping': 'rbac-defaults' }
const aggregate = (name: string) => `rbac.authorization.k8s.io/aggregate-to-${name}`

type RoleBody = { name: string; rules: Rule[]; labels?: Record<string, string>; aggregates?: string }

const defaultRoles: RoleBody[] = [
  { name: 'cluster-admin', rules: [rule(['*'], ['*'], ['*']), { verbs: ['*'], nonResourceURLs: ['*'] }] },
  { name: 'admin', rules: [], aggregates: aggregate('admin') },
  { name: 'edit', rules: [], aggregates: aggregate('edit'), labels: { [aggregate('admin')]: 'true' } },
  { name: 'view', rules: [], aggregates: aggregate('view'), labels: { [aggregate('edit')]: 'true' } },
  { name: 'system:aggregate-to-admin', rules: adminRules, labels: { [aggregate('admin')]: 'true' } },
  { name: 'system:aggregate-to-edit', rules: editRules, labels: { [aggregate('edit')]: 'true' } },
  { name: 'system:aggregate-to-view', rules: viewRules, labels: { [aggregate('view')]: 'true' } },
  {
    name: 'system:aggregated-metrics-reader',
    rules: [metricsRule],
    labels: { [aggregate('admin')]: 'true', [aggregate('edit')]: 'true', [aggregate('view')]: 'true' },
  },
  { name: 'system:discovery', rules: [{ verbs: ['get'], nonResourceURLs: discoveryUrls }] },
  {
    name: 'system:public-info-viewer',
    rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] }],
  },
  {
    name: 'system:monitoring',
    rules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/metrics'] }],
  },
  {
    name: 'system:basic-user',
    rules: [
      rule(['authorization.k8s.io'], ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'], ['create']),
      rule(['authentication.k8s.io'], ['selfsubjectreviews'], ['create']),
    ],
  },
  { name: 'bey:cluster-reader', rules: clusterReading },
  { name: 'bey:cluster-editor', rules: [...clusterReading, rule([''], ['namespaces'], ['create'])] },
]

const bindings: [name: string, role: string, group: string][] = [
  ['cluster-admin', 'cluster-admin', 'system:masters'],
  ['system:discovery', 'system:discovery', 'system:authenticated'],
  ['system:basic-user', 'system:basic-user', 'system:authenticated'],
  ['system:monitoring', 'system:monitoring', 'system:monitoring'],
  ['system:public-info-viewer', 'system:public-info-viewer', 'system:unauthenticated'],
  ['bey:admins', 'cluster-admin', 'bey:admins'],
  ['bey:editors', 'edit', 'bey:editors'],
  ['bey:editors:cluster', 'bey:cluster-editor', 'bey:editors'],
  ['bey:viewers', 'view', 'bey:viewers'],
  ['bey:viewers:cluster', 'bey:cluster-reader', 'bey:viewers'],
]

/** Makes the roles and bindings that every cluster has, where they are missing. */
export function createDefaultRoles(resources: Resources): void {
  const { store } = resources
  for (const { name, rules, labels, aggregates } of defaultRoles) {
    if (store.get(clusterRoles, undefined, name)) continue
    const selectors = aggregates ? [{ matchLabels: { [aggregates]: 'true' } }] : undefined
    const own = rules.length > 0 ? rules : (aggregatedRules(aggregates) ?? [])
    resources.make<ClusterRole>(clusterRoles, undefined, {
      metadata: { name, labels: { ...bootstrap, ...labels } },
      rules: own,
      ...(selectors ? { aggregationRule: { clusterRoleSelectors: selectors } } : {}),
    })
  }
  for (const [name, role, group] of bindings) {
    if (store.get(clusterRoleBindings, undefined, name)) continue
    resources.make(clusterRoleBindings, undefined, {
      metadata: { name, labels: bootstrap },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: group }],
    })
  }
}

/** What an aggregating role shows as its rules at first: those of all that carry its label. */
function aggregatedRules(label: string | undefined): Rule[] | undefined {
  if (label === undefined) return undefined
  return defaultRoles.filter((role) => role.labels?.[label] === 'true').flatMap((role) => role.rules)
}
