import { stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import { deleteObject } from '../api/deletion.ts'
import { clone } from '../json.ts'
import { StatusError } from '../status-error.ts'
import { jobs, pods, type Job, type Pod } from '../types.ts'
import { isTrue } from './conditions.ts'
import { runController, type Controller } from './controller.ts'
import { controlledBy, controllerReference } from './owner.ts'
import { isReady } from './pod-state.ts'

const component = 'job-controller'
const indexAnnotation = 'batch.kubernetes.io/job-completion-index'
const firstBackoffMs = 10_000
const longestBackoffMs = 600_000

type Condition = NonNullable<NonNullable<Job['status']>['conditions']>[number]

function indexOf(pod: Pod): number {
  return Number(pod.metadata.annotations?.[indexAnnotation] ?? -1)
}

/** `0-2,5` from a set of numbers. */
function ranges(indexes: ReadonlySet<number>): string {
  const sorted = [...indexes].toSorted((a, b) => a - b)
  const parts: string[] = []
  for (let i = 0; i < sorted.length; i++) {
    const from = sorted[i]
    while (sorted[i + 1] === (sorted[i] ?? 0) + 1) i += 1
    parts.push(from === sorted[i] ? String(from) : `${from}-${sorted[i]}`)
  }
  return parts.join(',')
}

function createPod(cluster: Cluster, job: Job, index: number | undefined): void {
  const { template } = job.spec
  const annotations = {
    ...template.metadata?.annotations,
    ...(index === undefined ? {} : { [indexAnnotation]: String(index) }),
  }
  const spec = clone(template.spec)
  if (!spec) return
  if (index !== undefined) {
    for (const container of spec.containers) {
      container.env = [...(container.env ?? []), { name: 'JOB_COMPLETION_INDEX', value: String(index) }]
    }
  }
  const prefix = index === undefined ? `${job.metadata.name}-` : `${job.metadata.name}-${index}-`
  try {
    const pod = cluster.resources.make<Pod>(pods, job.metadata.namespace, {
      metadata: {
        generateName: prefix,
        labels: { ...template.metadata?.labels },
        ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
        ownerReferences: [controllerReference(job)],
      },
      spec,
    })
    cluster.recorder.normal(component, job, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`)
  } catch (error) {
    if (error instanceof StatusError)
      cluster.recorder.warning(component, job, 'FailedCreate', `Error creating: ${error.message}`)
    throw error
  }
}

function removePods(cluster: Cluster, job: Job, list: readonly Pod[]): void {
  for (const pod of list) {
    if (pod.metadata.deletionTimestamp) continue
    deleteObject(
      cluster.resources,
      cluster.registry.stored(pods.key),
      pod.metadata.namespace,
      pod.metadata.name,
    )
    cluster.recorder.normal(component, job, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`)
  }
}

function restarts(list: readonly Pod[]): number {
  return list.reduce(
    (sum, pod) =>
      sum + (pod.status?.containerStatuses ?? []).reduce((inner, one) => inner + one.restartCount, 0),
    0,
  )
}

function verdict(
  job: Job,
  failed: number,
  active: readonly Pod[],
  nowMs: number,
): { reason: string; message: string } | undefined {
  const limit = job.spec.backoffLimit ?? 6
  const tries = failed + (job.spec.template.spec?.restartPolicy === 'OnFailure' ? restarts(active) : 0)
  if (tries > limit)
    return { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' }
  const started = job.status?.startTime
  const deadline = job.spec.activeDeadlineSeconds
  if (started && deadline !== undefined && nowMs - Date.parse(started) >= deadline * 1000) {
    return { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' }
  }
  return undefined
}

function sync(cluster: Cluster, job: Job, again: (delayMs: number) => void): void {
  const { store, resources, recorder, clock } = cluster
  const nowMs = clock.now()
  const ended = job.status?.conditions?.find(
    (one) => (one.type === 'Complete' || one.type === 'Failed') && one.status === 'True',
  )
  if (ended) {
    const ttl = job.spec.ttlSecondsAfterFinished
    if (ttl === undefined || job.metadata.deletionTimestamp) return
    const dueMs = Date.parse(ended.lastTransitionTime ?? '') + (ttl * 1000) / cluster.speed - nowMs
    if (dueMs > 0) return again(dueMs)
    deleteObject(resources, cluster.registry.stored(jobs.key), job.metadata.namespace, job.metadata.name, {
      propagation: 'Foreground',
    })
    return
  }
  if (job.metadata.deletionTimestamp) return
  const all = controlledBy(store, pods, job)
  const succeeded = all.filter((pod) => pod.status?.phase === 'Succeeded')
  const failedPods = all.filter((pod) => pod.status?.phase === 'Failed')
  let active = all.filter(
    (pod) =>
      pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed' && !pod.metadata.deletionTimestamp,
  )
  const isIndexed = job.spec.completionMode === 'Indexed'
  const doneIndexes = new Set(succeeded.map(indexOf).filter((index) => index >= 0))
  const done = isIndexed ? doneIndexes.size : succeeded.length
  const wanted = job.spec.completions
  const parallelism = job.spec.parallelism ?? 1
  const isSuspended = job.spec.suspend === true
  let conditions: Condition[] = [...(job.status?.conditions ?? [])]
  const set = (type: string, status: string, reason?: string, message?: string) => {
    const old = conditions.find((one) => one.type === type)
    if (old?.status === status) return
    const time = stamp(nowMs)
    const condition = {
      type,
      status,
      lastProbeTime: time,
      lastTransitionTime: time,
      ...(reason ? { reason, message } : {}),
    }
    conditions = [...conditions.filter((one) => one.type !== type), condition]
  }
  let startTime = job.status?.startTime
  let completionTime: string | undefined
  const failure = verdict(job, failedPods.length, active, nowMs)
  const isComplete = wanted === undefined ? done > 0 && active.length === 0 : done >= wanted
  if (failure) {
    set('FailureTarget', 'True', failure.reason, failure.message)
    removePods(cluster, job, active)
    active = []
    set('Failed', 'True', failure.reason, failure.message)
    recorder.warning(component, job, failure.reason, failure.message)
  } else if (isComplete) {
    set('SuccessCriteriaMet', 'True', 'CompletionsReached', 'Reached expected number of succeeded pods')
    removePods(cluster, job, active)
    active = []
    set('Complete', 'True', 'CompletionsReached', 'Reached expected number of succeeded pods')
    completionTime = stamp(nowMs)
    recorder.normal(component, job, 'Completed', 'Job completed')
  } else if (isSuspended) {
    removePods(cluster, job, active)
    active = []
    startTime = undefined
    if (!isTrue(conditions, 'Suspended')) recorder.normal(component, job, 'Suspended', 'Job suspended')
    set('Suspended', 'True', 'JobSuspended', 'Job suspended')
  } else {
    if (isTrue(conditions, 'Suspended')) {
      recorder.normal(component, job, 'Resumed', 'Job resumed')
      set('Suspended', 'False', 'JobResumed', 'Job resumed')
    }
    startTime ??= stamp(nowMs)
    const left = wanted === undefined ? (done > 0 ? active.length : parallelism) : wanted - done
    const room = Math.min(parallelism, left) - active.length
    const lastFailureMs = Math.max(0, ...failedPods.map(finishedMs))
    const backoffMs =
      failedPods.length === 0
        ? 0
        : Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failedPods.length - 1)) / cluster.speed
    const waitMs = lastFailureMs + backoffMs - nowMs
    if (room > 0 && waitMs > 0) again(waitMs)
    else if (room > 0) {
      const busy = new Set([...doneIndexes, ...active.map(indexOf)])
      let index = 0
      for (let i = 0; i < room; i++) {
        while (isIndexed && busy.has(index)) index += 1
        createPod(cluster, job, isIndexed ? index : undefined)
        busy.add(index)
      }
      active = controlledBy(store, pods, job).filter(
        (pod) =>
          !pod.metadata.deletionTimestamp && !['Succeeded', 'Failed'].includes(pod.status?.phase ?? ''),
      )
    } else if (room < 0) {
      removePods(cluster, job, active.slice(room))
      active = active.slice(0, room)
    }
    const deadline = job.spec.activeDeadlineSeconds
    if (deadline !== undefined) again(Date.parse(startTime) + deadline * 1000 - nowMs)
  }
  resources.changeStatus(jobs, job, (draft) => {
    draft.status = {
      ...(conditions.length > 0 ? { conditions } : {}),
      ...(startTime ? { startTime } : {}),
      ...(completionTime ? { completionTime } : {}),
      ...(active.length > 0 ? { active: active.length } : {}),
      ...(done > 0 ? { succeeded: done } : {}),
      ...(failedPods.length > 0 ? { failed: failedPods.length } : {}),
      ...(isIndexed && doneIndexes.size > 0 ? { completedIndexes: ranges(doneIndexes) } : {}),
      ready: active.filter(isReady).length,
      terminating: 0,
      uncountedTerminatedPods: {},
    }
  })
}

function finishedMs(pod: Pod): number {
  const times = (pod.status?.containerStatuses ?? []).map((one) =>
    Date.parse(one.state?.terminated?.finishedAt ?? ''),
  )
  return Math.max(Date.parse(pod.metadata.creationTimestamp), ...times.filter((time) => !Number.isNaN(time)))
}

export function runJobs(cluster: Cluster): Controller {
  return runController(cluster, { kind: jobs, owns: [pods], sync: (job, again) => sync(cluster, job, again) })
}
