import type { Health } from '@bey/contract'
import { needsAttention } from '@bey/contract'
import type { Clock } from '../../../platform/clock.ts'
import type { ClusterCache } from '../watch/cluster-cache.ts'
import type { KindName } from '../watch/kinds.ts'
import { healthKinds } from './health-kinds.ts'
import type { Assessment } from './assess.ts'
import { assess } from './assess.ts'
import type { ClaimVolume } from './claim-health.ts'
import type { UnreadableKinds } from './cluster-health.ts'
import { certificateHealth } from './certificate-health.ts'
import { clusterHealth } from './cluster-health.ts'
import { tablesOf } from './tables.ts'

export type ClusterAssessment = Assessment & {
  cluster: Health
  /** What could not be looked at; null when everything was. */
  unreadable: UnreadableKinds | null
  /** Of the certificate that its API server shows. */
  certificate: Health
}

export type Assessor = {
  /**
   * The current assessment of a cluster. Computed again only after a change, or when the passing of time changes it.
   */
  assessed(cache: ClusterCache): ClusterAssessment
  /** The same, once everything was listed or is known not to be listed. */
  settled(cache: ClusterCache): Promise<ClusterAssessment>
  /** Of what has been read so far while first lists are long; computed at each call, and not kept. */
  soFar(cache: ClusterCache): Promise<ClusterAssessment>
}

/** A cache that is not listed yet is asked again after this time. */
const blindForMs = 1_000
/** Readers do not wait longer than this for kinds that a page can do without. */
const settleMs = 2_000

type Volumes = ReadonlyMap<string, ClaimVolume>
type Kept = {
  version: number
  volumes: Volumes | undefined
  certificateEndsAtMs: number | null
  value: ClusterAssessment
  sinceOf: Map<string, string>
}

/**
 * `volumesOf` answers what the volumes of a cluster held when they were measured last: another map each time.
 * `certificateEndOf` answers when the certificate of its API server ends, in milliseconds since 1970; null where that is
 * not known.
 */
export function createAssessor(
  clock: Clock,
  volumesOf: (clusterId: number) => Volumes | undefined = () => undefined,
  certificateEndOf: (clusterId: number) => number | null = () => null,
): Assessor {
  const known = new WeakMap<ClusterCache, Kept>()

  function assessed(cache: ClusterCache): ClusterAssessment {
    const nowMs = clock.now().getTime()
    const kept = known.get(cache)
    // Asked first, since it starts what is not watched yet.
    const unreadable = unreadableKindsOf(cache)
    const version = cache.version(healthKinds)
    const volumes = volumesOf(cache.clusterId)
    const certificateEndsAtMs = certificateEndOf(cache.clusterId)
    const isSame =
      kept?.version === version &&
      kept.volumes === volumes &&
      kept.certificateEndsAtMs === certificateEndsAtMs
    if (isSame && nowMs < kept.value.changesAtMs) return kept.value
    const found = assess({ ...tablesOf(cache), volumes }, nowMs)
    const { workloads, sinceOf } = withMemory(found.workloads, kept?.sinceOf, nowMs)
    const assessment = { ...found, workloads }
    const certificate = certificateHealth(certificateEndsAtMs, nowMs)
    const value = {
      ...assessment,
      changesAtMs: Math.min(
        found.changesAtMs,
        certificate.changesAtMs,
        unreadable ? nowMs + blindForMs : Number.POSITIVE_INFINITY,
      ),
      cluster: clusterHealth(assessment, unreadable, certificate.health),
      unreadable,
      certificate: certificate.health,
    }
    known.set(cache, { version, volumes, certificateEndsAtMs, value, sinceOf })
    return value
  }

  return {
    assessed,
    async soFar(cache) {
      const begun = cache.begin(healthKinds).catch(() => undefined)
      await Promise.race([begun, after(clock, settleMs)])
      const unreadable = unreadableKindsOf(cache)
      const nowMs = clock.now().getTime()
      const found = assess(tablesOf(cache), nowMs)
      const { health: certificate } = certificateHealth(certificateEndOf(cache.clusterId), nowMs)
      // A pod whose owner has not been read yet looks like one that nothing keeps.
      const workloads = found.workloads.filter(({ kind }) => kind !== 'Pod')
      const cluster = clusterHealth(found, unreadable, certificate)
      return { ...found, workloads, cluster, unreadable, certificate }
    },
    async settled(cache) {
      await Promise.race([cache.settle(healthKinds), after(clock, settleMs)])
      return assessed(cache)
    },
  }
}

function unreadableKindsOf(cache: ClusterCache): UnreadableKinds | null {
  const failures = cache.failures(healthKinds)
  const [first] = failures
  return first ? { kinds: failures.map(({ kind }) => kindLabels[kind] ?? kind), reason: first.reason } : null
}

const kindLabels: Partial<Record<KindName, string>> = {
  statefulsets: 'stateful sets',
  daemonsets: 'daemon sets',
  replicasets: 'replica sets',
  cronjobs: 'cron jobs',
  claims: 'volume claims',
}

/** Each crash is news to the cluster; trouble began with the first that was seen and has lasted since. */
function withMemory(
  workloads: Assessment['workloads'],
  before: ReadonlyMap<string, string> | undefined,
  nowMs: number,
): { workloads: Assessment['workloads']; sinceOf: Map<string, string> } {
  const sinceOf = new Map<string, string>()
  const result = workloads.map((workload) => {
    const { health } = workload.verdict
    if (!needsAttention(health)) return workload
    const key = `${workload.kind}/${workload.namespace}/${workload.name}`
    const found = health.since ?? new Date(nowMs).toISOString()
    const known = before?.get(key)
    const since = known !== undefined && known < found ? known : found
    sinceOf.set(key, since)
    return since === health.since
      ? workload
      : { ...workload, verdict: { ...workload.verdict, health: { ...health, since } } }
  })
  return { workloads: result, sinceOf }
}

function after(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimeout(resolve, delayMs))
}
