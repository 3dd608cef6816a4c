import type { Clock } from './clock.ts'

export type NodeTaint = {
  key: string
  value?: string
  effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute'
}

/** Machines of one size. Their names are cluster name, group name and a number. */
export type NodeGroup = {
  name: string
  count: number
  /** Cores, as a quantity; '4' unless given. */
  cpu?: string
  /** Bytes, as a quantity; '16Gi' unless given. */
  memory?: string
  labels?: Record<string, string>
  taints?: NodeTaint[]
}

export type SandboxOptions = {
  /** Where the state lives: created with mode 0700 if missing, locked while running. */
  dir: string
  /** Name of the cluster and prefix of its nodes' names; 'sandbox' unless given. */
  name?: string
  /** Machines that exist at the start when the state is new: one control plane and two workers unless given. */
  nodes?: NodeGroup[]
  /** 0 for any; the same port is taken again after a restart when it is free. */
  port?: number
  /** 127.0.0.1 unless given. */
  host?: string
  seed?: number
  clock?: Clock
  /** Simulated delays are divided by this; 1 unless given. */
  speed?: number
  /** The nodes' topology.kubernetes.io/region; their zones are a, b and c of it. */
  region?: string
  /** 'v1.33.4-sandbox' unless given. */
  kubernetesVersion?: string
  /**
   * Addresses besides the cluster's own services that admission webhooks may be called on, such as `127.0.0.1:9443`
   * or `10.0.0.0/8`; none unless given.
   */
  webhookTargets?: readonly string[]
  /**
   * Local TCP ports that ports of pods may lead to, for tests: a pod says which by the annotation
   * `sandbox.bey/forward-5432: "34567"`. None unless given.
   */
  forwardedPorts?: readonly number[]
  /** Programs of this machine that commands in pods run instead of simulated ones, by name, for tests. None unless given. */
  hostPrograms?: Readonly<Record<string, string>>
  /** Bytes of all objects as JSON, beyond which writes are refused; no limit unless given. */
  maxStoredBytes?: number
  /** Objects of all kinds, beyond which creations are refused; no limit unless given. */
  maxObjects?: number
  /** How long it may go without a request below /sandbox/ before `onAbandoned` is called; for ever unless given. */
  claimWithinMs?: number
  /** Called once when nobody looks after the sandbox any more, or when its directory is gone. */
  onAbandoned?: (reason: string) => void
}

export const defaultNodes: NodeGroup[] = [
  {
    name: 'control-plane',
    count: 1,
    cpu: '2',
    memory: '4Gi',
    labels: { 'node-role.kubernetes.io/control-plane': '' },
    taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
  },
  { name: 'worker', count: 2, cpu: '4', memory: '16Gi', labels: { 'node-role.kubernetes.io/worker': '' } },
]
