import type { StandardPolicy } from '@bey/contract/reachability/policy'

/** What is read of Kubernetes objects. Everything is optional: it comes from outside. */
type Metadata = {
  name?: string
  namespace?: string
  uid?: string
  resourceVersion?: string
  creationTimestamp?: string
  deletionTimestamp?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  deletionGracePeriodSeconds?: number
  generation?: number
  ownerReferences?: { kind?: string; name?: string; controller?: boolean }[]
}

export type KubeObject = { metadata?: Metadata }

export type KubeList = {
  metadata?: { resourceVersion?: string; continue?: string; remainingItemCount?: number }
  items?: KubeObject[] | null
}

export type WatchEvent = {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  object: KubeObject & { code?: number; message?: string }
}

export type KubeCondition = {
  type?: string
  status?: string
  reason?: string
  message?: string
  lastTransitionTime?: string
}

type Resources = { requests?: Record<string, string>; limits?: Record<string, string> }

export type ContainerSpec = {
  name?: string
  image?: string
  restartPolicy?: string
  resources?: Resources
  ports?: { name?: string; containerPort?: number; protocol?: 'TCP' | 'UDP' | 'SCTP' }[]
  env?: { valueFrom?: { configMapKeyRef?: Named; secretKeyRef?: Named } }[]
  envFrom?: { configMapRef?: Named; secretRef?: Named }[]
}

type Named = { name?: string }

export type ContainerStatus = {
  name?: string
  ready?: boolean
  started?: boolean
  restartCount?: number
  state?: {
    running?: { startedAt?: string }
    waiting?: { reason?: string; message?: string }
    terminated?: Terminated
  }
  lastState?: { terminated?: Terminated }
}

export type Terminated = {
  reason?: string
  exitCode?: number
  signal?: number
  startedAt?: string
  finishedAt?: string
}

export type Pod = KubeObject & {
  spec?: {
    nodeName?: string
    hostNetwork?: boolean
    containers?: ContainerSpec[]
    initContainers?: ContainerSpec[]
    overhead?: Record<string, string>
    volumes?: {
      name?: string
      persistentVolumeClaim?: { claimName?: string }
      ephemeral?: object
      configMap?: Named
      secret?: { secretName?: string }
      projected?: { sources?: { configMap?: Named; secret?: Named }[] }
    }[]
  }
  status?: {
    phase?: string
    reason?: string
    message?: string
    startTime?: string
    podIP?: string
    podIPs?: { ip?: string }[]
    conditions?: KubeCondition[]
    containerStatuses?: ContainerStatus[]
    initContainerStatuses?: ContainerStatus[]
  }
}

export type Node = KubeObject & {
  spec?: { unschedulable?: boolean }
  status?: {
    conditions?: KubeCondition[]
    allocatable?: Record<string, string>
    addresses?: { type?: string; address?: string }[]
    nodeInfo?: { kubeletVersion?: string }
  }
}

export type Namespace = KubeObject & { status?: { phase?: string } }

type Template = Pick<Pod, 'spec'>

/** Deployments, stateful sets and replica sets; the fields that only some of them have are optional like all. */
export type ReplicaWorkload = KubeObject & {
  spec?: { replicas?: number; paused?: boolean; template?: Template }
  status?: {
    observedGeneration?: number
    replicas?: number
    readyReplicas?: number
    updatedReplicas?: number
    availableReplicas?: number
    conditions?: KubeCondition[]
  }
}

export type DaemonSet = KubeObject & {
  spec?: { template?: Template }
  status?: {
    observedGeneration?: number
    desiredNumberScheduled?: number
    numberReady?: number
    numberAvailable?: number
    updatedNumberScheduled?: number
    conditions?: KubeCondition[]
  }
}

export type Job = KubeObject & {
  spec?: { completions?: number; parallelism?: number; suspend?: boolean; template?: Template }
  status?: { active?: number; failed?: number; succeeded?: number; conditions?: KubeCondition[] }
}

export type CronJob = KubeObject & {
  spec?: { suspend?: boolean; jobTemplate?: { spec?: { template?: Template } } }
}

export type Claim = KubeObject & {
  spec?: { resources?: { requests?: Record<string, string> } }
  status?: { phase?: string; capacity?: Record<string, string> }
}

export type Service = KubeObject & {
  spec?: {
    type?: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName'
    clusterIP?: string
    clusterIPs?: string[]
    selector?: Record<string, string>
    externalName?: string
    externalTrafficPolicy?: 'Cluster' | 'Local'
    ports?: {
      name?: string
      port?: number
      protocol?: 'TCP' | 'UDP' | 'SCTP'
      targetPort?: number | string
    }[]
  }
  status?: { loadBalancer?: { ingress?: { ip?: string; hostname?: string }[] } }
}

export type NetworkPolicy = KubeObject & { spec?: StandardPolicy['spec'] }

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
