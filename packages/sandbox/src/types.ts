import type {
  CoreV1Event,
  V1CertificateSigningRequest,
  V1ClusterRole,
  V1ClusterRoleBinding,
  V1ConfigMap,
  V1ControllerRevision,
  V1CronJob,
  V1CustomResourceDefinition,
  V1DaemonSet,
  V1Deployment,
  V1EndpointSlice,
  V1Endpoints,
  V1FlowSchema,
  V1IPAddress,
  V1Ingress,
  V1IngressClass,
  V1Job,
  V1Lease,
  V1LimitRange,
  V1Namespace,
  V1NetworkPolicy,
  V1Node,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1PriorityClass,
  V1PriorityLevelConfiguration,
  V1ReplicaSet,
  V1ReplicationController,
  V1ResourceQuota,
  V1Role,
  V1RoleBinding,
  V1Secret,
  V1Service,
  V1ServiceAccount,
  V1ServiceCIDR,
  V1StatefulSet,
  V1StorageClass,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node'
import type { Json, JsonObject } from './json.ts'

/** A type of the Kubernetes API as it looks in JSON: times are RFC 3339 text, and `default` has no underscore. */
type Wire<T> = T extends Date
  ? string
  : T extends (infer U)[]
    ? Wire<U>[]
    : T extends object
      ? { [K in keyof T as K extends `_${infer Name}` ? Name : K]: Wire<T[K]> }
      : T

export type OwnerReference = {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export type ManagedFields = {
  manager: string
  operation: 'Apply' | 'Update'
  apiVersion: string
  time: string
  fieldsType: 'FieldsV1'
  fieldsV1: JsonObject
  subresource?: string
}

/** metadata of an object that is in the store. `namespace` is absent on cluster-wide kinds. */
export type Metadata = {
  name: string
  namespace?: string
  uid: string
  resourceVersion: string
  creationTimestamp: string
  generation?: number
  generateName?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: OwnerReference[]
  finalizers?: string[]
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  managedFields?: ManagedFields[]
}

/** Any stored object. Immutable once written: change a clone. */
export type KubeObject = { [key: string]: Json | undefined } & {
  apiVersion: string
  kind: string
  metadata: Metadata
}

type Head = { apiVersion: string; kind: string; metadata: Metadata }
type Plain<T> = Head & Omit<Wire<T>, 'apiVersion' | 'kind' | 'metadata'>
type WithSpec<T extends { spec?: unknown }> = Head &
  Omit<Wire<T>, 'apiVersion' | 'kind' | 'metadata' | 'spec'> & { spec: NonNullable<Wire<T>['spec']> }

export type Pod = WithSpec<V1Pod>
export type Node = WithSpec<V1Node>
export type Namespace = Plain<V1Namespace>
export type Service = WithSpec<V1Service>
export type ConfigMap = Plain<V1ConfigMap>
export type Secret = Plain<V1Secret>
export type ServiceAccount = Plain<V1ServiceAccount>
export type Event = Plain<CoreV1Event>
export type Endpoints = Plain<V1Endpoints>
export type EndpointSlice = Plain<V1EndpointSlice>
export type PersistentVolume = WithSpec<V1PersistentVolume>
export type PersistentVolumeClaim = WithSpec<V1PersistentVolumeClaim>
export type ResourceQuota = WithSpec<V1ResourceQuota>
export type LimitRange = WithSpec<V1LimitRange>
export type Deployment = WithSpec<V1Deployment>
export type ReplicaSet = WithSpec<V1ReplicaSet>
export type ReplicationController = WithSpec<V1ReplicationController>
export type StatefulSet = WithSpec<V1StatefulSet>
export type DaemonSet = WithSpec<V1DaemonSet>
export type ControllerRevision = Plain<V1ControllerRevision>
export type Job = WithSpec<V1Job>
export type CronJob = WithSpec<V1CronJob>
export type HorizontalPodAutoscaler = WithSpec<V2HorizontalPodAutoscaler>
export type Ingress = WithSpec<V1Ingress>
export type IPAddress = WithSpec<V1IPAddress>
export type ServiceCIDR = WithSpec<V1ServiceCIDR>
export type FlowSchema = WithSpec<V1FlowSchema>
export type PriorityLevelConfiguration = WithSpec<V1PriorityLevelConfiguration>
export type NetworkPolicy = WithSpec<V1NetworkPolicy>
export type IngressClass = WithSpec<V1IngressClass>
export type PodDisruptionBudget = WithSpec<V1PodDisruptionBudget>
export type Role = Plain<V1Role>
export type RoleBinding = Plain<V1RoleBinding>
export type ClusterRole = Plain<V1ClusterRole>
export type ClusterRoleBinding = Plain<V1ClusterRoleBinding>
export type StorageClass = Plain<V1StorageClass>
export type CertificateSigningRequest = WithSpec<V1CertificateSigningRequest>
export type Lease = WithSpec<V1Lease>
export type PriorityClass = Plain<V1PriorityClass>
export type CustomResourceDefinition = WithSpec<V1CustomResourceDefinition>

export type PodSpec = Pod['spec']
export type PodTemplate = Deployment['spec']['template']
export type Container = PodSpec['containers'][number]
export type ContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number]
export type PodStatus = NonNullable<Pod['status']>
export type LabelSelector = Deployment['spec']['selector']
export type Toleration = NonNullable<PodSpec['tolerations']>[number]
export type Taint = NonNullable<Node['spec']['taints']>[number]

/** A kind's key in the store (`pods`, `deployments.apps`) together with the type of its objects. */
export type KindKey<T> = { readonly key: string; readonly of?: T }

function key<T>(name: string): KindKey<T> {
  return { key: name }
}

export const pods = key<Pod>('pods')
export const nodes = key<Node>('nodes')
export const namespaces = key<Namespace>('namespaces')
export const services = key<Service>('services')
export const configMaps = key<ConfigMap>('configmaps')
export const secrets = key<Secret>('secrets')
export const serviceAccounts = key<ServiceAccount>('serviceaccounts')
export const events = key<Event>('events')
export const endpoints = key<Endpoints>('endpoints')
export const endpointSlices = key<EndpointSlice>('endpointslices.discovery.k8s.io')
export const volumes = key<PersistentVolume>('persistentvolumes')
export const claims = key<PersistentVolumeClaim>('persistentvolumeclaims')
export const quotas = key<ResourceQuota>('resourcequotas')
export const limitRanges = key<LimitRange>('limitranges')
export const deployments = key<Deployment>('deployments.apps')
export const replicaSets = key<ReplicaSet>('replicasets.apps')
export const replicationControllers = key<ReplicationController>('replicationcontrollers')
export const statefulSets = key<StatefulSet>('statefulsets.apps')
export const daemonSets = key<DaemonSet>('daemonsets.apps')
export const controllerRevisions = key<ControllerRevision>('controllerrevisions.apps')
export const jobs = key<Job>('jobs.batch')
export const cronJobs = key<CronJob>('cronjobs.batch')
export const autoscalers = key<HorizontalPodAutoscaler>('horizontalpodautoscalers.autoscaling')
export const networkPolicies = key<NetworkPolicy>('networkpolicies.networking.k8s.io')
export const ingresses = key<Ingress>('ingresses.networking.k8s.io')
export const ingressClasses = key<IngressClass>('ingressclasses.networking.k8s.io')
export const ipAddresses = key<IPAddress>('ipaddresses.networking.k8s.io')
export const serviceRanges = key<ServiceCIDR>('servicecidrs.networking.k8s.io')
export const budgets = key<PodDisruptionBudget>('poddisruptionbudgets.policy')
export const roles = key<Role>('roles.rbac.authorization.k8s.io')
export const roleBindings = key<RoleBinding>('rolebindings.rbac.authorization.k8s.io')
export const clusterRoles = key<ClusterRole>('clusterroles.rbac.authorization.k8s.io')
export const clusterRoleBindings = key<ClusterRoleBinding>('clusterrolebindings.rbac.authorization.k8s.io')
export const storageClasses = key<StorageClass>('storageclasses.storage.k8s.io')
export const storageNodes = key<KubeObject>('csinodes.storage.k8s.io')
const admission = 'admissionregistration.k8s.io'
export const policies = key<KubeObject>(`validatingadmissionpolicies.${admission}`)
export const policyBindings = key<KubeObject>(`validatingadmissionpolicybindings.${admission}`)
export const validatingWebhooks = key<KubeObject>(`validatingwebhookconfigurations.${admission}`)
export const mutatingWebhooks = key<KubeObject>(`mutatingwebhookconfigurations.${admission}`)
export const signingRequests = key<CertificateSigningRequest>(
  'certificatesigningrequests.certificates.k8s.io',
)
export const apiServices = key<KubeObject>('apiservices.apiregistration.k8s.io')
export const leases = key<Lease>('leases.coordination.k8s.io')
export const priorityClasses = key<PriorityClass>('priorityclasses.scheduling.k8s.io')
export const runtimeClasses = key<KubeObject>('runtimeclasses.node.k8s.io')
export const flowSchemas = key<FlowSchema>('flowschemas.flowcontrol.apiserver.k8s.io')
export const priorityLevels = key<PriorityLevelConfiguration>(
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
)
export const definitions = key<CustomResourceDefinition>('customresourcedefinitions.apiextensions.k8s.io')
