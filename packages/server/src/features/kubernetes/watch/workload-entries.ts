import { bytes } from '@bey/contract/kubernetes/quantity'
import type { ClaimFacts } from '../health/claim-health.ts'
import type { CronJobFacts, JobFacts } from '../health/job-health.ts'
import type { ReplicaFacts } from '../health/workload-health.ts'
import { baseEntry, type Entry, type Labels, labelsOf } from './entries.ts'
import { conditionsOf, timeMs } from './facts.ts'
import type {
  Claim,
  ContainerSpec,
  CronJob,
  DaemonSet,
  Job,
  KubeObject,
  ReplicaWorkload,
} from './kube-types.ts'
import { podReads, type PodReads } from './pod-reads.ts'

type Counts = {
  desired: number
  ready: number
  upToDate: number
  available: number
  images: readonly string[]
  labels: Labels
}

/** What the pods of its template read; null where nothing. Missing in what was kept before this was read. */
type WithReads = { reads?: PodReads | null }

/** Deployments, stateful sets, daemon sets and replica sets, as far as they are shown. */
export type ReplicaEntry = Entry &
  Counts & {
    owner: string | null
    /** Which revision of its deployment a replica set is; null for everything else. */
    revision: number | null
    facts: ReplicaFacts
  } & WithReads
export type JobEntry = Entry & Counts & { owner: string | null; facts: JobFacts } & WithReads
export type CronJobEntry = Entry & {
  images: readonly string[]
  labels: Labels
  facts: CronJobFacts
} & WithReads
export type ClaimEntry = Entry & {
  labels: Labels
  requestedBytes: number
  boundBytes: number
  facts: ClaimFacts
}

export function replicaEntry(workload: ReplicaWorkload): ReplicaEntry {
  const { metadata, spec, status = {} } = workload
  const desired = spec?.replicas ?? 1
  const ready = status.readyReplicas ?? 0
  // Replica sets replace nothing, so that all their pods are of the newest kind.
  const upToDate = status.updatedReplicas ?? status.replicas ?? 0
  const available = status.availableReplicas ?? ready
  return {
    ...baseEntry(workload),
    labels: labelsOf(workload),
    desired,
    ready,
    upToDate,
    available,
    images: imagesOf(spec?.template?.spec?.containers),
    reads: podReads(spec?.template ?? {}),
    owner: ownerOf(workload),
    revision: Number(metadata?.annotations?.['deployment.kubernetes.io/revision']) || null,
    facts: {
      desired,
      available,
      upToDate,
      isPaused: spec?.paused === true,
      createdAtMs: timeMs(metadata?.creationTimestamp),
      isObserved: isObserved(metadata?.generation, status.observedGeneration),
      conditions: conditionsOf(status.conditions),
    },
  }
}

export function daemonSetEntry(daemonSet: DaemonSet): ReplicaEntry {
  const { metadata, spec, status = {} } = daemonSet
  const desired = status.desiredNumberScheduled ?? 0
  const upToDate = status.updatedNumberScheduled ?? 0
  const available = status.numberAvailable ?? 0
  return {
    ...baseEntry(daemonSet),
    labels: labelsOf(daemonSet),
    desired,
    ready: status.numberReady ?? 0,
    upToDate,
    available,
    images: imagesOf(spec?.template?.spec?.containers),
    reads: podReads(spec?.template ?? {}),
    owner: ownerOf(daemonSet),
    revision: null,
    facts: {
      desired,
      available,
      upToDate,
      isPaused: false,
      createdAtMs: timeMs(metadata?.creationTimestamp),
      isObserved: isObserved(metadata?.generation, status.observedGeneration),
      conditions: conditionsOf(status.conditions),
    },
  }
}

export function jobEntry(job: Job): JobEntry {
  const { metadata, spec, status = {} } = job
  const completions = spec?.completions ?? 1
  const succeeded = status.succeeded ?? 0
  const active = status.active ?? 0
  return {
    ...baseEntry(job),
    labels: labelsOf(job),
    desired: completions,
    ready: succeeded,
    upToDate: active + succeeded,
    available: succeeded,
    images: imagesOf(spec?.template?.spec?.containers),
    reads: podReads(spec?.template ?? {}),
    owner: ownerOf(job),
    facts: {
      completions,
      active,
      failed: status.failed ?? 0,
      succeeded,
      isSuspended: spec?.suspend === true,
      createdAtMs: timeMs(metadata?.creationTimestamp),
      conditions: conditionsOf(status.conditions),
    },
  }
}

export function cronJobEntry(cronJob: CronJob): CronJobEntry {
  const template = cronJob.spec?.jobTemplate?.spec?.template
  return {
    ...baseEntry(cronJob),
    labels: labelsOf(cronJob),
    images: imagesOf(template?.spec?.containers),
    reads: podReads(template ?? {}),
    facts: { isSuspended: cronJob.spec?.suspend === true },
  }
}

export function claimEntry(claim: Claim): ClaimEntry {
  const phase = claim.status?.phase ?? 'Pending'
  return {
    ...baseEntry(claim),
    labels: labelsOf(claim),
    requestedBytes: bytes(claim.spec?.resources?.requests?.['storage']),
    boundBytes: phase === 'Bound' ? bytes(claim.status?.capacity?.['storage']) : 0,
    facts: { phase, createdAtMs: timeMs(claim.metadata?.creationTimestamp) },
  }
}

function imagesOf(containers: readonly ContainerSpec[] | undefined): readonly string[] {
  return containers?.map(({ image }) => image ?? '') ?? []
}

/** "ReplicaSet/web-5d9": kind and name of the controller. */
function ownerOf({ metadata }: KubeObject): string | null {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller)
  return owner ? `${owner.kind}/${owner.name}` : null
}

/** Not every object counts its generations. */
function isObserved(generation: number | undefined, observed: number | undefined): boolean {
  return generation === undefined || observed === undefined || observed >= generation
}
