import { stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { clone } from '../json.ts'
import { cronJobs, jobs, type CronJob, type Job } from '../types.ts'
import { isTrue } from './conditions.ts'
import { runController, type Controller } from './controller.ts'
import { nextRun, parseSchedule } from './cron-schedule.ts'
import { controlledBy, controllerReference } from './owner.ts'

const component = 'cronjob-controller'
/** How far back a missed start is looked for. */
const mostMissed = 100

function isOver(job: Job): boolean {
  return isTrue(job.status?.conditions, 'Complete') || isTrue(job.status?.conditions, 'Failed')
}

/** The last due time up to now, if one has passed since the last start. */
function missedRun(cron: CronJob, nowMs: number): number | undefined {
  const schedule = parseSchedule(cron.spec.schedule)
  const since = cron.status?.lastScheduleTime ?? cron.metadata.creationTimestamp
  const deadline = cron.spec.startingDeadlineSeconds
  let from = Date.parse(since)
  if (deadline !== undefined) from = Math.max(from, nowMs - deadline * 1000)
  let due: number | undefined
  let time = nextRun(schedule, from, cron.spec.timeZone)
  for (let i = 0; time !== undefined && time <= nowMs; i++) {
    due = time
    // After a long sleep only the latest matters.
    const start = i > mostMissed ? Math.max(time, nowMs - 3_600_000) : time
    time = nextRun(schedule, start, cron.spec.timeZone)
  }
  return due
}

function startJob(cluster: Cluster, cron: CronJob, dueMs: number): Job | undefined {
  const name = `${cron.metadata.name}-${Math.floor(dueMs / 60_000)}`
  if (cluster.store.get(jobs, cron.metadata.namespace, name)) return undefined
  const template = cron.spec.jobTemplate
  const job = cluster.resources.make<Job>(jobs, cron.metadata.namespace, {
    metadata: {
      name,
      labels: { ...template.metadata?.labels },
      annotations: {
        ...template.metadata?.annotations,
        'batch.kubernetes.io/cronjob-scheduled-timestamp': stamp(dueMs),
      },
      ownerReferences: [controllerReference(cron)],
    },
    spec: clone(template.spec),
  })
  cluster.recorder.normal(component, cron, 'SuccessfulCreate', `Created job ${name}`)
  return job
}

function trim(cluster: Cluster, cron: CronJob, list: readonly Job[], type: string, limit: number): void {
  const ended = list
    .filter((job) => isTrue(job.status?.conditions, type))
    .toSorted((a, b) => Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp))
  for (const job of ended.slice(0, Math.max(0, ended.length - limit))) {
    const kind = cluster.registry.stored(jobs.key)
    deleteObject(cluster.resources, kind, job.metadata.namespace, job.metadata.name, {
      propagation: 'Background',
    })
    cluster.recorder.normal(component, cron, 'SuccessfulDelete', `Deleted job ${job.metadata.name}`)
  }
}

function sync(cluster: Cluster, cron: CronJob, again: (delayMs: number) => void): void {
  const { store, resources, recorder, clock } = cluster
  if (cron.metadata.deletionTimestamp) return
  const nowMs = clock.now()
  const mine = controlledBy(store, jobs, cron)
  const wasActive = new Set((cron.status?.active ?? []).map((one) => one.uid))
  for (const job of mine) {
    if (!isOver(job) || !wasActive.has(job.metadata.uid)) continue
    const status = isTrue(job.status?.conditions, 'Complete') ? 'Complete' : 'Failed'
    recorder.normal(
      component,
      cron,
      'SawCompletedJob',
      `Saw completed job: ${job.metadata.name}, condition: ${status}`,
    )
  }
  let lastScheduleTime = cron.status?.lastScheduleTime
  let active = mine.filter((job) => !isOver(job))
  const due = cron.spec.suspend ? undefined : missedRun(cron, nowMs)
  if (due !== undefined) {
    const policy = cron.spec.concurrencyPolicy
    if (policy === 'Forbid' && active.length > 0) {
      recorder.normal(
        component,
        cron,
        'JobAlreadyActive',
        'Not starting job because prior execution is running and concurrency policy is Forbid',
      )
    } else {
      if (policy === 'Replace') {
        for (const job of active) {
          const kind = cluster.registry.stored(jobs.key)
          deleteObject(resources, kind, job.metadata.namespace, job.metadata.name, {
            propagation: 'Background',
          })
        }
        active = []
      }
      const job = startJob(cluster, cron, due)
      if (job) active = [...active, job]
    }
    lastScheduleTime = stamp(due)
  }
  trim(cluster, cron, mine, 'Complete', cron.spec.successfulJobsHistoryLimit ?? 3)
  trim(cluster, cron, mine, 'Failed', cron.spec.failedJobsHistoryLimit ?? 1)
  const succeeded = mine
    .map((job) => job.status?.completionTime ?? '')
    .toSorted()
    .at(-1)
  resources.changeStatus(cronJobs, cron, (draft) => {
    const last = succeeded || cron.status?.lastSuccessfulTime
    draft.status = {
      ...(active.length > 0
        ? {
            active: active.map(({ metadata }) => ({
              apiVersion: 'batch/v1',
              kind: 'Job',
              name: metadata.name,
              namespace: metadata.namespace,
              uid: metadata.uid,
              resourceVersion: metadata.resourceVersion,
            })),
          }
        : {}),
      ...(lastScheduleTime ? { lastScheduleTime } : {}),
      ...(last ? { lastSuccessfulTime: last } : {}),
    }
  })
  const next = cron.spec.suspend
    ? undefined
    : nextRun(parseSchedule(cron.spec.schedule), nowMs, cron.spec.timeZone)
  if (next !== undefined) again(next - nowMs + 20)
}

export function runCronJobs(cluster: Cluster): Controller {
  return runController(cluster, {
    kind: cronJobs,
    owns: [jobs],
    sync: (cron, again) => sync(cluster, cron, again),
  })
}
