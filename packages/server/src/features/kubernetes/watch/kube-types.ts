/** What is read of Kubernetes objects. Everything is optional: it comes from outside. */
type Metadata = {
  name?: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  creationTimestamp?: string
  deletionTimestamp?: string
  labels?: Record<string, string>
  ownerReferences?: { kind?: string; name?: string; controller?: boolean }[]
}

export type KubeObject = { metadata?: Metadata }

export type KubeList = {
  metadata?: { resourceVersion?: string; continue?: string }
  items?: KubeObject[] | null
}

export type WatchEvent = {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  object: KubeObject & { code?: number; message?: string }
}

type Condition = { type?: string; status?: string; reason?: string }

type Resources = { requests?: Record<string, string> }

export type ContainerSpec = { name?: string; image?: string; restartPolicy?: string; resources?: Resources }

export type ContainerStatus = {
  name?: string
  ready?: boolean
  started?: boolean
  restartCount?: number
  state?: {
    running?: object
    waiting?: { reason?: string }
    terminated?: { reason?: string; exitCode?: number; signal?: number }
  }
}

export type Pod = KubeObject & {
  spec?: {
    nodeName?: string
    containers?: ContainerSpec[]
    initContainers?: ContainerSpec[]
    overhead?: Record<string, string>
  }
  status?: {
    phase?: string
    reason?: string
    podIP?: string
    conditions?: Condition[]
    containerStatuses?: ContainerStatus[]
    initContainerStatuses?: ContainerStatus[]
  }
}

export type Node = KubeObject & {
  spec?: { unschedulable?: boolean }
  status?: {
    conditions?: Condition[]
    allocatable?: Record<string, string>
    addresses?: { type?: string; address?: string }[]
    nodeInfo?: { kubeletVersion?: string }
  }
}

export type Namespace = KubeObject & { status?: { phase?: string } }

export type Deployment = KubeObject & {
  spec?: { replicas?: number; template?: { spec?: { containers?: ContainerSpec[] } } }
  status?: { readyReplicas?: number; updatedReplicas?: number; availableReplicas?: number }
}

export type Event = KubeObject & {
  type?: string
  reason?: string
  message?: string
  involvedObject?: { kind?: string; name?: string }
  count?: number
  firstTimestamp?: string | null
  lastTimestamp?: string | null
  eventTime?: string | null
  series?: { count?: number; lastObservedTime?: string } | null
}
