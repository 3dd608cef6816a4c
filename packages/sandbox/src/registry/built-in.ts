import { componentStatuses } from './component-statuses.ts'
import { allVerbs, type Kind, type Verb } from './kind.ts'

type Row = {
  resource: string
  kind: string
  short?: string
  /** c: cluster-wide; a: in `kubectl get all`; s: has status; S: has scale; g: has generation */
  flags?: string
  model?: string
  verbs?: readonly Verb[]
  sub?: Kind['subresources']
  deprecation?: Kind['deprecation']
}

const replicas = { spec: ['spec', 'replicas'], status: ['status', 'replicas'] }

function rows(group: string, version: string, list: Row[]): Kind[] {
  return list.map(({ resource, kind, short = '', flags = '', model, verbs, sub, deprecation }) => ({
    group,
    version,
    resource,
    kind,
    singular: kind.toLowerCase(),
    shortNames: short ? short.split(',') : [],
    categories: flags.includes('a') ? ['all'] : flags.includes('x') ? ['api-extensions'] : [],
    namespaced: !flags.includes('c'),
    verbs: verbs ?? allVerbs,
    key: group ? `${resource}.${group}` : resource,
    model: model ?? `V1${kind}`,
    hasStatus: flags.includes('s'),
    ...(flags.includes('S') ? { scale: replicas } : {}),
    ...(sub ? { subresources: sub } : {}),
    ...(deprecation ? { deprecation } : {}),
    hasGeneration: flags.includes('g'),
  }))
}

function reviews(group: string, list: Row[]): Kind[] {
  return rows(group, 'v1', list).map((kind) => ({ ...kind, verbs: ['create'] as const, isVirtual: true }))
}

const connect = ['create', 'get'] as const

const proxied = ['create', 'delete', 'get', 'patch', 'update'] as const

const podSubresources = [
  { name: 'attach', kind: 'PodAttachOptions', verbs: connect },
  { name: 'binding', kind: 'Binding', verbs: ['create'] },
  { name: 'ephemeralcontainers', kind: 'Pod', verbs: ['get', 'patch', 'update'] },
  { name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
  { name: 'exec', kind: 'PodExecOptions', verbs: connect },
  { name: 'log', kind: 'Pod', verbs: ['get'] },
  { name: 'portforward', kind: 'PodPortForwardOptions', verbs: connect },
  { name: 'proxy', kind: 'PodProxyOptions', verbs: proxied },
  { name: 'resize', kind: 'Pod', verbs: ['get', 'patch', 'update'] },
]

const token = [
  { name: 'token', kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1', verbs: ['create'] },
]

/** Every built-in kind. The order is the one in which discovery lists them. */
export const builtInKinds: readonly Kind[] = [
  ...reviews('', [{ resource: 'bindings', kind: 'Binding' }]),
  componentStatuses,
  ...rows('', 'v1', [
    { resource: 'configmaps', kind: 'ConfigMap', short: 'cm' },
    {
      resource: 'endpoints',
      kind: 'Endpoints',
      short: 'ep',
      deprecation: { minor: 33, instead: 'discovery.k8s.io/v1 EndpointSlice' },
    },
    { resource: 'events', kind: 'Event', short: 'ev', model: 'CoreV1Event' },
    { resource: 'limitranges', kind: 'LimitRange', short: 'limits' },
    {
      resource: 'namespaces',
      kind: 'Namespace',
      short: 'ns',
      flags: 'cs',
      verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
      sub: [{ name: 'finalize', kind: 'Namespace', verbs: ['update'] }],
    },
    {
      resource: 'nodes',
      kind: 'Node',
      short: 'no',
      flags: 'cs',
      sub: [{ name: 'proxy', kind: 'NodeProxyOptions', verbs: proxied }],
    },
    { resource: 'persistentvolumeclaims', kind: 'PersistentVolumeClaim', short: 'pvc', flags: 's' },
    { resource: 'persistentvolumes', kind: 'PersistentVolume', short: 'pv', flags: 'cs' },
    { resource: 'pods', kind: 'Pod', short: 'po', flags: 'asg', sub: podSubresources },
    { resource: 'podtemplates', kind: 'PodTemplate', flags: 'g' },
    { resource: 'replicationcontrollers', kind: 'ReplicationController', short: 'rc', flags: 'asSg' },
    { resource: 'resourcequotas', kind: 'ResourceQuota', short: 'quota', flags: 's' },
    { resource: 'secrets', kind: 'Secret' },
    { resource: 'serviceaccounts', kind: 'ServiceAccount', short: 'sa', sub: token },
    {
      resource: 'services',
      kind: 'Service',
      short: 'svc',
      flags: 'as',
      sub: [{ name: 'proxy', kind: 'ServiceProxyOptions', verbs: proxied }],
    },
  ]),
  ...rows('apps', 'v1', [
    { resource: 'controllerrevisions', kind: 'ControllerRevision' },
    { resource: 'daemonsets', kind: 'DaemonSet', short: 'ds', flags: 'asg' },
    { resource: 'deployments', kind: 'Deployment', short: 'deploy', flags: 'asSg' },
    { resource: 'replicasets', kind: 'ReplicaSet', short: 'rs', flags: 'asSg' },
    { resource: 'statefulsets', kind: 'StatefulSet', short: 'sts', flags: 'asSg' },
  ]),
  ...rows('batch', 'v1', [
    { resource: 'cronjobs', kind: 'CronJob', short: 'cj', flags: 'asg' },
    { resource: 'jobs', kind: 'Job', flags: 'asg' },
  ]),
  ...rows('autoscaling', 'v2', [
    {
      resource: 'horizontalpodautoscalers',
      kind: 'HorizontalPodAutoscaler',
      short: 'hpa',
      flags: 'as',
      model: 'V2HorizontalPodAutoscaler',
    },
  ]),
  ...rows('networking.k8s.io', 'v1', [
    { resource: 'ingressclasses', kind: 'IngressClass', flags: 'cg' },
    { resource: 'ingresses', kind: 'Ingress', short: 'ing', flags: 'sg' },
    { resource: 'ipaddresses', kind: 'IPAddress', short: 'ip', flags: 'c' },
    { resource: 'networkpolicies', kind: 'NetworkPolicy', short: 'netpol', flags: 'g' },
    { resource: 'servicecidrs', kind: 'ServiceCIDR', flags: 'cs' },
  ]),
  ...rows('policy', 'v1', [
    { resource: 'poddisruptionbudgets', kind: 'PodDisruptionBudget', short: 'pdb', flags: 'sg' },
  ]),
  ...rows('rbac.authorization.k8s.io', 'v1', [
    { resource: 'clusterrolebindings', kind: 'ClusterRoleBinding', flags: 'c' },
    { resource: 'clusterroles', kind: 'ClusterRole', flags: 'c' },
    { resource: 'rolebindings', kind: 'RoleBinding' },
    { resource: 'roles', kind: 'Role' },
  ]),
  ...rows('storage.k8s.io', 'v1', [
    { resource: 'csidrivers', kind: 'CSIDriver', flags: 'c' },
    { resource: 'csinodes', kind: 'CSINode', flags: 'c' },
    { resource: 'csistoragecapacities', kind: 'CSIStorageCapacity' },
    { resource: 'storageclasses', kind: 'StorageClass', short: 'sc', flags: 'c' },
    { resource: 'volumeattachments', kind: 'VolumeAttachment', flags: 'cs' },
  ]),
  ...rows('discovery.k8s.io', 'v1', [{ resource: 'endpointslices', kind: 'EndpointSlice', flags: 'g' }]),
  ...rows('coordination.k8s.io', 'v1', [{ resource: 'leases', kind: 'Lease' }]),
  ...rows('scheduling.k8s.io', 'v1', [
    { resource: 'priorityclasses', kind: 'PriorityClass', short: 'pc', flags: 'cg' },
  ]),
  ...rows('node.k8s.io', 'v1', [{ resource: 'runtimeclasses', kind: 'RuntimeClass', flags: 'c' }]),
  ...rows('certificates.k8s.io', 'v1', [
    {
      resource: 'certificatesigningrequests',
      kind: 'CertificateSigningRequest',
      short: 'csr',
      flags: 'cs',
      sub: [{ name: 'approval', kind: 'CertificateSigningRequest', verbs: ['get', 'patch', 'update'] }],
    },
  ]),
  ...rows('flowcontrol.apiserver.k8s.io', 'v1', [
    { resource: 'flowschemas', kind: 'FlowSchema', flags: 'csg' },
    { resource: 'prioritylevelconfigurations', kind: 'PriorityLevelConfiguration', flags: 'csg' },
  ]),
  ...rows('admissionregistration.k8s.io', 'v1', [
    { resource: 'mutatingwebhookconfigurations', kind: 'MutatingWebhookConfiguration', flags: 'cgx' },
    { resource: 'validatingadmissionpolicies', kind: 'ValidatingAdmissionPolicy', flags: 'csgx' },
    { resource: 'validatingadmissionpolicybindings', kind: 'ValidatingAdmissionPolicyBinding', flags: 'cgx' },
    { resource: 'validatingwebhookconfigurations', kind: 'ValidatingWebhookConfiguration', flags: 'cgx' },
  ]),
  ...rows('apiextensions.k8s.io', 'v1', [
    {
      resource: 'customresourcedefinitions',
      kind: 'CustomResourceDefinition',
      short: 'crd,crds',
      flags: 'csgx',
    },
  ]),
  ...rows('apiregistration.k8s.io', 'v1', [{ resource: 'apiservices', kind: 'APIService', flags: 'csx' }]),
  ...reviews('authentication.k8s.io', [
    { resource: 'selfsubjectreviews', kind: 'SelfSubjectReview', flags: 'c' },
    { resource: 'tokenreviews', kind: 'TokenReview', flags: 'c' },
  ]),
  ...reviews('authorization.k8s.io', [
    { resource: 'localsubjectaccessreviews', kind: 'LocalSubjectAccessReview' },
    { resource: 'selfsubjectaccessreviews', kind: 'SelfSubjectAccessReview', flags: 'c' },
    { resource: 'selfsubjectrulesreviews', kind: 'SelfSubjectRulesReview', flags: 'c' },
    { resource: 'subjectaccessreviews', kind: 'SubjectAccessReview', flags: 'c' },
  ]),
]
