import type { WorkloadKind } from '@bey/contract'
import type { PodEntry } from '../watch/entries.ts'
import type { ReplicaEntry } from '../watch/workload-entries.ts'
import { cronJobHealth, jobHealth } from './job-health.ts'
import type { HealthTables } from './tables.ts'
import type { Verdict } from './verdict.ts'
import { about } from './verdict.ts'
import type { PodVerdict, WorkloadVerdict } from './workload-health.ts'
import { replicaHealth } from './workload-health.ts'

/** What keeps pods running, or a pod that nothing keeps. */
export type AssessedWorkload = {
  kind: WorkloadKind
  uid: string
  namespace: string
  name: string
  desired: number
  ready: number
  upToDate: number
  available: number
  images: readonly string[]
  labels: Readonly<Record<string, string>>
  createdAt: string | null
  verdict: WorkloadVerdict
}

/** Workloads that nothing else owns, each with its verdict. Pods count for the topmost owner that is known. */
export function assessWorkloads(
  tables: HealthTables,
  verdicts: ReadonlyMap<PodEntry, Verdict>,
  nowMs: number,
): AssessedWorkload[] {
  const known = new Set<string>()
  const ownerOf = new Map<string, string | null>()
  const add = (kind: WorkloadKind, each: { namespace: string; name: string; owner?: string | null }) => {
    const key = `${each.namespace}/${kind}/${each.name}`
    known.add(key)
    ownerOf.set(key, each.owner ? `${each.namespace}/${each.owner}` : null)
  }
  for (const each of tables.deployments) add('Deployment', each)
  for (const each of tables.statefulsets) add('StatefulSet', each)
  for (const each of tables.daemonsets) add('DaemonSet', each)
  for (const each of tables.replicasets) add('ReplicaSet', each)
  for (const each of tables.jobs) add('Job', each)
  for (const each of tables.cronjobs) add('CronJob', each)
  const isOwned = (key: string) => known.has(ownerOf.get(key) ?? '')

  const podsOf = new Map<string, PodVerdict[]>()
  const unowned: AssessedWorkload[] = []
  for (const pod of tables.pods) {
    const verdict = verdicts.get(pod)
    if (!verdict) continue
    let key = `${pod.namespace}/${pod.owner}`
    if (pod.owner === null || !known.has(key)) {
      unowned.push(unownedPod(pod, verdict))
      continue
    }
    // A cron job is judged by its jobs, and a job by its pods.
    const owner = ownerOf.get(key)
    if (owner && known.has(owner) && owner.includes('/Deployment/')) key = owner
    const found = podsOf.get(key)
    const one = podVerdict(pod, verdict)
    if (found) found.push(one)
    else podsOf.set(key, [one])
  }

  const rows: AssessedWorkload[] = []
  const replicas = (kind: WorkloadKind, entries: readonly ReplicaEntry[]) => {
    for (const entry of entries) {
      const key = `${entry.namespace}/${kind}/${entry.name}`
      if (isOwned(key)) continue
      const { facts: _facts, owner: _owner, ...row } = entry
      const verdict = replicaHealth(entry.facts, podsOf.get(key) ?? [], nowMs)
      rows.push({ ...row, kind, verdict: named(kind, entry, verdict) })
    }
  }
  replicas('Deployment', tables.deployments)
  replicas('StatefulSet', tables.statefulsets)
  replicas('DaemonSet', tables.daemonsets)
  replicas('ReplicaSet', tables.replicasets)

  const jobsOf = new Map<string, { createdAtMs: number | null; verdict: WorkloadVerdict }[]>()
  for (const job of tables.jobs) {
    const key = `${job.namespace}/Job/${job.name}`
    const verdict = named('Job', job, jobHealth(job.facts, podsOf.get(key) ?? [], nowMs))
    const owner = ownerOf.get(key)
    if (owner && known.has(owner)) {
      const one = { createdAtMs: job.facts.createdAtMs, verdict }
      const found = jobsOf.get(owner)
      if (found) found.push(one)
      else jobsOf.set(owner, [one])
      continue
    }
    const { facts: _facts, owner: _owner, ...row } = job
    rows.push({ ...row, kind: 'Job', verdict })
  }
  for (const cronJob of tables.cronjobs) {
    const jobs = jobsOf.get(`${cronJob.namespace}/CronJob/${cronJob.name}`) ?? []
    const { facts, ...row } = cronJob
    const verdict = named('CronJob', cronJob, cronJobHealth(facts, jobs))
    const counts = { desired: 0, ready: 0, upToDate: 0, available: 0 }
    rows.push({ ...row, ...counts, kind: 'CronJob', verdict })
  }
  return [...rows, ...unowned]
}

function named(
  kind: string,
  entry: { namespace: string; name: string },
  verdict: WorkloadVerdict,
): WorkloadVerdict {
  const { namespace, name } = entry
  return { ...about({ kind, namespace, name }, verdict), affected: verdict.affected }
}

function podVerdict(pod: PodEntry, verdict: Verdict): PodVerdict {
  const { namespace, name } = pod
  const ended = pod.facts.containers.map(({ state, sinceMs }) =>
    state === 'terminated' ? (sinceMs ?? 0) : 0,
  )
  return {
    object: { kind: 'Pod', namespace, name },
    verdict,
    isEnded: pod.isTerminal,
    endedAtMs: pod.isTerminal
      ? Math.max(pod.facts.ready?.sinceMs ?? 0, ...ended) || pod.facts.startedAtMs
      : null,
  }
}

function unownedPod(pod: PodEntry, verdict: Verdict): AssessedWorkload {
  const { uid, namespace, name, createdAt } = pod
  const isBad = verdict.health.state !== 'healthy' && verdict.health.state !== 'starting'
  const isReady = pod.total > 0 && pod.ready === pod.total ? 1 : 0
  return {
    kind: 'Pod',
    uid,
    namespace,
    name,
    desired: 1,
    ready: isReady,
    upToDate: 1,
    available: isReady,
    images: [],
    labels: pod.labels,
    createdAt,
    verdict: { ...verdict, affected: { count: isBad ? 1 : 0, total: 1 } },
  }
}
