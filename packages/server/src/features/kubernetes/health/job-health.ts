import type { Condition, PodVerdict, WorkloadVerdict } from './workload-health.ts'
import type { Verdict } from './verdict.ts'
import { fine, never, verdict, worstOf } from './verdict.ts'

export type JobFacts = {
  completions: number
  active: number
  failed: number
  succeeded: number
  isSuspended: boolean
  createdAtMs: number | null
  conditions: Condition[]
}

/** A job that failed longer ago than this no longer fails its cluster; it stays to be seen. */
const failedWindowMs = 24 * 60 * 60_000

/** Pure: a job, from its own status and from its pods. */
export function jobHealth(job: JobFacts, pods: readonly PodVerdict[], nowMs: number): WorkloadVerdict {
  const total = Math.max(1, job.completions)
  const failed = job.conditions.find(
    ({ type, isTrue }) => isTrue && (type === 'Failed' || type === 'FailureTarget'),
  )
  if (failed) return { ...failedJob(failed, nowMs), affected: { count: total, total } }
  const isComplete = job.conditions.some(({ type, isTrue }) => isTrue && type === 'Complete')
  const affected = { count: 0, total }
  if (isComplete) return { ...verdict('healthy', 'Completed'), affected }
  if (job.isSuspended) return { ...verdict('healthy', 'Suspended'), affected }
  const living = pods.filter(({ isEnded }) => !isEnded)
  const worst = worstOf(
    living.map(({ object, verdict: { health, changesAtMs } }) => ({
      health: { ...health, object: health.object ?? object },
      changesAtMs,
    })),
  )
  const untilMs = worst?.changesAtMs ?? never
  if (worst && worst.health.state !== 'healthy') {
    const isBad = worst.health.state !== 'starting'
    return { ...worst, affected: { count: isBad ? Math.max(1, living.length) : 0, total } }
  }
  if (job.failed > 0) {
    const detail =
      job.failed === 1 ? '1 attempt failed; it tries again' : `${job.failed} attempts failed; it tries again`
    return {
      ...verdict('degraded', 'Retrying', detail, job.createdAtMs, untilMs),
      affected: { count: 1, total },
    }
  }
  return { ...fine, changesAtMs: untilMs, affected }
}

function failedJob({ reason, message, sinceMs }: Condition, nowMs: number): Verdict {
  const endMs = (sinceMs ?? nowMs) + failedWindowMs
  const isRecent = nowMs < endMs
  return verdict(
    isRecent ? 'failing' : 'degraded',
    reason || 'Failed',
    message,
    sinceMs,
    isRecent ? endMs : never,
  )
}

export type CronJobFacts = { isSuspended: boolean }

/** Pure: a cron job is as healthy as the newest of its jobs that has begun. */
export function cronJobHealth(
  { isSuspended }: CronJobFacts,
  jobs: readonly { createdAtMs: number | null; verdict: WorkloadVerdict }[],
): WorkloadVerdict {
  const newest = jobs.toSorted((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0))[0]
  const affected = { count: 0, total: 1 }
  if (newest && newest.verdict.health.state !== 'healthy') {
    return { ...newest.verdict, affected: { count: newest.verdict.affected.count > 0 ? 1 : 0, total: 1 } }
  }
  if (isSuspended) return { ...verdict('healthy', 'Suspended'), affected }
  return { ...fine, affected }
}
