import type {
  ClusterCapacity,
  ClusterProvider as ClusterProviderInfo,
  ClusterProviderId,
  Fault,
  NodeGroup,
  SandboxUsage,
} from '@bey/contract'

import type { StepContext } from '../workflows/definition/definition.ts'

/** How to speak to a cluster's API server, in whose name, and what to check of it. */
export type ClusterConnection = {
  /** https, with a path where the API is not at the root. */
  url: string
  /** Authorities of its certificate; empty: those that the system trusts. */
  caPem: string
  /** Empty where a client certificate says who Bey is. */
  token: string
  /** Whether it takes members' names from Bey (Impersonate-User and -Group); else Bey acts as itself. */
  impersonate: boolean
  clientCertificate?: { certificatePem: string; keyPem: string }
  /** Its certificate is not checked at all. */
  skipsTlsVerify?: true
  /** The name that its certificate is for, where that is not the host of its URL. */
  tlsServerName?: string
  /** An HTTP or HTTPS proxy, perhaps with a password. */
  proxyUrl?: string
  /** Whom Bey itself acts as, because its credentials say so. */
  actsAs?: { user: string; groups: string[]; uid?: string; extra?: Record<string, string[]> }
  /** How the cluster calls Bey, where that is known. */
  identity?: string
  /** Bey started it itself, so that its address needs no check. */
  isOwn?: true
  /** What Bey watches instead of all namespaces, where it may not watch those. */
  namespaces?: readonly string[]
}

/** What a provider is given of the cluster that it works on. */
export type ProviderCluster = {
  id: number
  organizationId: number
  title: string
  region: string
  version: string
  nodeGroups: NodeGroup[]
  /** Where it was before, if it ever was; null for what it has not got yet. */
  placement: ClusterPlacement | null
}

/** Where a sandbox lives. `machineId` names the data directory of the server that keeps it. */
export type ClusterPlacement = { machineId: string; dir: string; port: number }

/** A cluster whose control plane answers. */
export type LiveCluster = ClusterPlacement & { url: string; caPem: string; token: string; pid: number }

/** What happened in a cluster, as it begins with it: see `Chapter` of the sandbox. */
export type ClusterPast = {
  seed: number
  chapters: readonly { atMs: number; passMs: number; manager: string; objects: readonly object[] }[]
}

/** What a cluster with a past recorded of it: versions of objects, and use at the same moments for every series. */
export type PastRecord = {
  versions: { atMs: number; object: Record<string, unknown> }[]
  usage: {
    momentsMs: number[]
    pods: number
    nodes: number
    series: {
      /** None: of the cluster as a whole. */
      labels: Record<string, string>
      requested: [cpuMillicores: number, memoryBytes: number]
      allocatable?: [cpuMillicores: number, memoryBytes: number]
      cpu: number[]
      memory: number[]
    }[]
  }
}

/** The part of a step that a provider may use. Lines are read by people: name addresses, nodes, counts. */
export type ProviderStep = Pick<StepContext, 'log' | 'progress' | 'signal' | 'sleep'>

/** What can be broken on purpose in a cluster; each answers the whole list as it is then. */
export type FaultPort = {
  list(connection: ClusterConnection): Promise<Fault[]>
  apply(connection: ClusterConnection, faultId: string): Promise<Fault[]>
  end(connection: ClusterConnection, faultId: string): Promise<Fault[]>
}

/**
 * A kind of infrastructure on which clusters can be created. Each operation looks at what is there before it acts, for it
 * is called again after a crash; it throws `StepFailure` with the cause in words for what people can mend.
 */
export type ClusterProvider = {
  id: ClusterProviderId
  describe(): Omit<ClusterProviderInfo, 'capacity'>
  /** Chooses where the cluster will run and makes nothing: the choice is recorded before anything is made there. */
  choosePlacement(cluster: ProviderCluster): Promise<ClusterPlacement>
  /** Reserves what the cluster will run on. What it leaves when it fails, `removeState` removes. */
  allocateMachines(cluster: ProviderCluster, placement: ClusterPlacement, step: ProviderStep): Promise<void>
  /**
   * Makes a place for a cluster whose nodes, objects and past are invented, so that `keepRunning` finds all of it; absent
   * where clusters cannot have that. Throws StepFailure where there is no room.
   */
  prepare?(cluster: ProviderCluster, placement: ClusterPlacement, past: ClusterPast): Promise<void>
  /** What it recorded of that past since; undefined before it has started, and once `forgetPast` was called. */
  readPast?(placement: ClusterPlacement): Promise<PastRecord | undefined>
  forgetPast?(placement: ClusterPlacement): Promise<void>
  /** Starts the control plane, or finds the one that runs there already. */
  startControlPlane(
    cluster: ProviderCluster,
    placement: ClusterPlacement,
    step: ProviderStep,
  ): Promise<LiveCluster>
  joinNodes(cluster: ProviderCluster, live: LiveCluster, step: ProviderStep): Promise<void>
  installAddons(cluster: ProviderCluster, live: LiveCluster, step: ProviderStep): Promise<void>
  /** Asks the cluster itself whether it is as it should be. */
  verify(
    cluster: ProviderCluster,
    live: LiveCluster,
    step: ProviderStep,
  ): Promise<{ version: string; nodeCount: number }>
  stopControlPlane(cluster: ProviderCluster, step: ProviderStep): Promise<void>
  removeState(cluster: ProviderCluster, step: ProviderStep): Promise<void>
  /**
   * For a cluster that should be running: adopts its process or starts it again where it was. `startedBecause` is a
   * sentence about why it had to be started; absent when it was running.
   */
  keepRunning(cluster: ProviderCluster): Promise<LiveCluster & { startedBecause?: string }>
  /** Whether this process can run a cluster at that placement. */
  isHere(placement: ClusterPlacement): boolean
  /** What this machine has left for clusters; absent where that is not limited by this machine. */
  capacity?(): Promise<ClusterCapacity>
  /** What all clusters of this machine take together, and what its operator should mend. */
  machineUsage?(): Promise<{ usedMemoryBytes: number; usedDiskBytes: number; problem: string | null }>
  /** What one cluster takes. Throws when it does not answer. */
  usage?(connection: Omit<ClusterConnection, 'impersonate'>): Promise<SandboxUsage>
  /** Absent where nothing can be broken on purpose. */
  faults?: FaultPort
  /** Calls back with the cause when the process of a cluster that this process looks after has ended. */
  onExit(callback: (clusterId: number, reason: string) => void): void
  /** Stops the processes that this one looks after; their state stays. */
  stopAll(): Promise<void>
}
