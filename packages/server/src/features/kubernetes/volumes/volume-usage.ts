import type { MeasuredVolume } from '@bey/contract'
import { nearlyFullShare, volumeShare } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { whyUnreachable } from '../connection/cluster-agents.ts'
import type { Connect } from '../connection/ports.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { measureVolumes } from './measure-volumes.ts'

/** The volumes of one cluster as they were measured last. */
export type VolumeMeasurement = {
  /** By claim, as `namespace/name`. What its node does not say at the moment stands as it was measured before. */
  volumes: ReadonlyMap<string, KnownVolume>
  /** Nodes that gave no figures, and why. */
  silentNodes: ReadonlyMap<string, string>
  /** Why no node could be asked, as a sentence; null where they were. */
  failure: string | null
  /** Nodes that run a pod with the claim, by claim. */
  mounts: Mounts
}

type Mounts = ReadonlyMap<string, readonly string[]>

type KnownVolume = MeasuredVolume & {
  measuredAtMs: number
  /** Null below nine tenths. */
  nearlyFullSinceMs: number | null
}

type MeasuredCluster = { id: number; organizationId: number; title: string }

export type VolumeUsage = {
  /**
   * What the volumes of a cluster hold: measured at most once a minute however many read, and only on nodes that mount
   * one. Waits at most 2 s; then, what was measured before, or undefined. Never throws. `cached` must hold the pods.
   */
  read(cluster: MeasuredCluster, cached: ClusterCache): Promise<VolumeMeasurement | undefined>
  /** What was measured last, at any time; starts nothing. */
  last(clusterId: number): VolumeMeasurement | undefined
  /** Measures a cluster once a minute until stopped, for what nobody may be reading. */
  follow(cluster: MeasuredCluster, cached: () => ClusterCache): { stop(): void }
  forget(clusterId: number): void
}

/** Kubelets themselves measure volumes once a minute. */
const periodMs = 60_000
/** A claim that was mounted since is measured sooner. */
const leastPauseMs = 5_000
/** Large clusters are asked less often: so many nodes a second on average. */
const nodesPerSecond = 4
/** Rights that are missing are seldom granted. */
const refusedMs = 5 * 60_000
const failedMs = 15_000
/** A page does not wait longer for what is only additional. */
const readerTimeoutMs = 2_000

type Known = {
  measurement: VolumeMeasurement
  leastUntilMs: number
  untilMs: number
  /** When each claim was first seen mounted. */
  mountedAtMs: ReadonlyMap<string, number>
}

export function createVolumeUsage(deps: {
  client: Pick<KubeClient, 'get'>
  connect: Connect
  clock: Clock
}): VolumeUsage {
  const { client, connect, clock } = deps
  const known = new Map<number, Known>()
  const asking = new Map<number, Promise<VolumeMeasurement>>()

  async function measure(cluster: MeasuredCluster, mounts: Mounts): Promise<VolumeMeasurement> {
    const nodes = new Set([...mounts.values()].flat())
    const earlier = known.get(cluster.id)
    const before = earlier?.measurement.volumes
    const keep = (
      found: { volumes?: ReadonlyMap<string, MeasuredVolume>; silentNodes?: ReadonlyMap<string, string> },
      failure: string | null,
      keptMs: number,
    ) => {
      const volumes = knownVolumes(mounts.keys(), found.volumes, before, clock.now().getTime())
      const measurement = { volumes, silentNodes: found.silentNodes ?? new Map(), failure, mounts }
      const nowMs = clock.monotonicMs()
      const leastMs = Math.min(keptMs, Math.max(leastPauseMs, (nodes.size / nodesPerSecond) * 1000))
      const mountedAtMs = new Map(
        [...mounts.keys()].map((claim) => [claim, earlier?.mountedAtMs.get(claim) ?? nowMs]),
      )
      known.set(cluster.id, {
        measurement,
        leastUntilMs: nowMs + leastMs,
        untilMs: nowMs + keptMs,
        mountedAtMs,
      })
      return measurement
    }
    if (nodes.size === 0) return keep({}, null, periodMs)
    try {
      const connection = await connect(cluster.organizationId, cluster.id)
      const found = await measureVolumes(client, connection, nodes, () => clock.monotonicMs())
      if (found.isRefused) return keep({}, refusal(cluster.title), refusedMs)
      const isSilent = found.volumes.size === 0 && found.silentNodes.size > 0
      const keptMs = Math.max(isSilent ? failedMs : periodMs, (nodes.size / nodesPerSecond) * 1000)
      return keep(found, null, keptMs)
    } catch (error) {
      const failure =
        error instanceof AppError ? error.message : `The cluster does not answer: ${whyUnreachable(error)}.`
      return keep({}, failure, failedMs)
    }
  }

  function fetch(cluster: MeasuredCluster, mounts: Mounts): Promise<VolumeMeasurement> {
    const found = asking.get(cluster.id)
    if (found) return found
    const asked = measure(cluster, mounts).finally(() => asking.delete(cluster.id))
    asking.set(cluster.id, asked)
    return asked
  }

  const source: VolumeUsage = {
    async read(cluster, cached) {
      const found = known.get(cluster.id)
      // A cache that was let go of meanwhile holds no pods any more.
      const mounts = cached.holds('pods') ? mountsOf(cached) : undefined
      if (!mounts || (found && isCurrent(found, mounts, clock.monotonicMs()))) return found?.measurement
      return (await within(clock, fetch(cluster, mounts))) ?? found?.measurement
    },
    last: (clusterId) => known.get(clusterId)?.measurement,
    follow(cluster, cached) {
      const look = () => void source.read(cluster, cached())
      const stops = [clock.setTimeout(look, leastPauseMs), clock.setInterval(look, periodMs)]
      return {
        stop() {
          for (const stop of stops) stop()
        },
      }
    },
    forget: (clusterId) => void known.delete(clusterId),
  }
  return source
}

const refusal = (title: string) =>
  `The account that Bey uses in the cluster "${title}" may not ask nodes for their statistics (get nodes/proxy). Whoever administers the cluster can grant the right.`

/** Where each claim is mounted: nodes of pods that run or begin to. */
function mountsOf(cached: ClusterCache): Mounts {
  const mounts = new Map<string, string[]>()
  for (const { namespace, claims, node, isTerminal } of cached.table('pods').values()) {
    if (node === null || isTerminal) continue
    for (const name of claims) {
      const nodes = mounts.get(`${namespace}/${name}`)
      if (nodes) nodes.push(node)
      else mounts.set(`${namespace}/${name}`, [node])
    }
  }
  return mounts
}

function isCurrent(
  { measurement, leastUntilMs, untilMs, mountedAtMs }: Known,
  mounts: Mounts,
  nowMs: number,
): boolean {
  if (nowMs >= untilMs) return false
  if (nowMs < leastUntilMs) return true
  const { volumes, silentNodes, failure } = measurement
  return [...mounts].every(([claim, nodes]) => {
    const mountedMs = mountedAtMs.get(claim)
    if (mountedMs === undefined) return false
    if (volumes.has(claim) || failure !== null || nodes.every((node) => silentNodes.has(node))) return true
    // A kubelet knows a volume some seconds after its pod was bound to the node; of a raw device it never says anything.
    return nowMs - mountedMs >= periodMs
  })
}

function knownVolumes(
  mounted: Iterable<string>,
  found: ReadonlyMap<string, MeasuredVolume> | undefined,
  before: VolumeMeasurement['volumes'] | undefined,
  nowMs: number,
): VolumeMeasurement['volumes'] {
  const volumes = new Map<string, KnownVolume>()
  for (const claim of mounted) {
    const earlier = before?.get(claim)
    const now = found?.get(claim)
    if (now) {
      const isNearlyFull = volumeShare(now) >= nearlyFullShare
      const sinceMs = earlier?.nearlyFullSinceMs ?? nowMs
      volumes.set(claim, { ...now, measuredAtMs: nowMs, nearlyFullSinceMs: isNearlyFull ? sinceMs : null })
    } else if (earlier) volumes.set(claim, earlier)
  }
  return volumes
}

/** The measurement, or undefined when it takes longer than a reader waits. */
function within<T>(clock: Clock, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.setTimeout(() => resolve(undefined), readerTimeoutMs)
    void work.then((found) => {
      cancel()
      resolve(found)
    })
  })
}
