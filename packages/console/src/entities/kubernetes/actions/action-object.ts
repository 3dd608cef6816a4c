/** What actions read of an object. Everything is optional: it comes from a cluster. */
export interface ActionObject {
  apiVersion?: string
  kind?: string
  metadata?: ObjectMeta
  spec?: ActionSpec
  status?: ActionStatus
  /** Of a storage class. */
  allowVolumeExpansion?: boolean
  /** Of a list. */
  items?: readonly ActionObject[]
  /** Of a controller revision. */
  data?: { spec?: { template?: PodTemplate } }
  /** Of a controller revision. */
  revision?: number
}

export interface ObjectMeta {
  name?: string
  namespace?: string
  uid?: string
  generation?: number
  resourceVersion?: string
  creationTimestamp?: string
  deletionTimestamp?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: readonly OwnerReference[]
}

interface OwnerReference {
  apiVersion?: string
  kind?: string
  name?: string
  uid?: string
  controller?: boolean
}

export interface PodTemplate {
  metadata?: ObjectMeta
  spec?: PodSpec
}

interface PodSpec {
  containers?: readonly Container[]
  initContainers?: readonly Container[]
}

export interface Container {
  name?: string
  image?: string
}

interface ActionSpec extends PodSpec {
  replicas?: number
  paused?: boolean
  suspend?: boolean
  unschedulable?: boolean
  selector?: { matchLabels?: Record<string, string> }
  template?: PodTemplate
  jobTemplate?: { metadata?: ObjectMeta; spec?: Record<string, unknown> }
  /** Of a claim. */
  storageClassName?: string
  volumeName?: string
  resources?: { requests?: Record<string, string> }
  /** Of an autoscaler. */
  minReplicas?: number
  maxReplicas?: number
  scaleTargetRef?: { kind?: string; name?: string }
  /** Of a persistent volume. */
  claimRef?: { namespace?: string; name?: string }
  /** Of a custom resource definition. */
  group?: string
  names?: { plural?: string; kind?: string }
}

interface ActionStatus {
  replicas?: number
  desiredNumberScheduled?: number
  updateRevision?: string
  phase?: string
  capacity?: Record<string, string>
  conditions?: readonly { type?: string; status?: string }[]
}

/** The wire says nothing about the shape of an object; its kind does. */
export function asActionObject(object: unknown): ActionObject {
  return typeof object === 'object' && object !== null ? object : {}
}
