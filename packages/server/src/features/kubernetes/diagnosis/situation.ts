import type { EventRow, MeasuredVolume } from '@bey/contract'

/** What rules read of objects. Everything is optional: it comes from a cluster. */
type Meta = {
  name?: string
  namespace?: string
  uid?: string
  creationTimestamp?: string
  deletionTimestamp?: string
  annotations?: Record<string, string>
  labels?: Record<string, string>
  finalizers?: string[]
  ownerReferences?: { kind?: string; name?: string; apiVersion?: string; controller?: boolean }[]
}

type Ended = {
  reason?: string
  message?: string
  exitCode?: number
  signal?: number
  startedAt?: string
  finishedAt?: string
}

export type ContainerStatus = {
  name?: string
  ready?: boolean
  restartCount?: number
  image?: string
  state?: {
    running?: { startedAt?: string }
    waiting?: { reason?: string; message?: string }
    terminated?: Ended
  }
  lastState?: { terminated?: Ended }
}

type Container = {
  name?: string
  image?: string
  command?: string[]
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
}

export type Condition = {
  type?: string
  status?: string
  reason?: string
  message?: string
  lastTransitionTime?: string
}

export type PodObject = {
  metadata?: Meta
  spec?: {
    nodeName?: string
    nodeSelector?: Record<string, string>
    containers?: Container[]
    initContainers?: Container[]
  }
  status?: {
    phase?: string
    reason?: string
    message?: string
    conditions?: Condition[]
    containerStatuses?: ContainerStatus[]
    initContainerStatuses?: ContainerStatus[]
  }
}

export type AnyObject = {
  apiVersion?: string
  kind?: string
  metadata?: Meta
  spec?: Record<string, unknown>
  status?: Record<string, unknown> & { conditions?: Condition[] }
}

/** A revision of a deployment: one of its replica sets. */
export type Revision = { revision: number; images: readonly string[]; createdAt: string }

/** Everything that was read about an object that is not healthy. Rules look at nothing else. */
export type Situation = {
  /** The object that the question is about. */
  subject: { kind: string; resource: string; namespace: string; name: string; object: AnyObject }
  /** The pod at fault: the subject itself, or the worst of a workload's. */
  pod: PodObject | null
  /** The container of that pod that is in trouble. */
  container: { spec: Container; status: ContainerStatus; isInit: boolean } | null
  /** The last lines that the container wrote, of the run before this one if it crashed. */
  log: string | null
  /** About the subject and the pod, the latest first. */
  events: readonly EventRow[]
  /** The node of the pod. */
  node: AnyObject | null
  /** What keeps the pod running, topmost: a deployment rather than its replica set. */
  workload: { kind: string; resource: string; namespace: string; name: string } | null
  /** Of the deployment, newest first. */
  revisions: readonly Revision[]
  /** Objects that the subject names and that do not exist. */
  missing: readonly { kind: string; resource: string; name: string }[]
  /** Objects that the pod at fault, or else the subject, cannot do without. */
  references: {
    count: number
    /** Whether it is known of each if it exists. */
    areAllRead: boolean
    /** Config maps and secrets among them whose contents cannot be changed, as `kind/name`. */
    immutable: readonly string[]
  }
  /** Claims that the pod mounts and that wait for a storage class that does not exist. */
  claimsWithoutClass: readonly { claim: string; storageClass: string }[]
  /** Pods that the subject, a service, selects. */
  selectedPods: readonly string[]
  /** Ready addresses by service: of an ingress and of a service by name, of webhooks by `namespace/name`. */
  readyEndpoints: Readonly<Record<string, number>>
  /** The pods that mount the claim, where the subject is one. */
  mountedBy: readonly string[]
  /** What the volume of the claim holds, where the subject is one and it was measured. */
  volume: MeasuredVolume | null
  nowMs: number
}
