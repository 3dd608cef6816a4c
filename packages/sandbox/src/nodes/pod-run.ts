import { stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import type { Container, ContainerStatus, Pod, PodStatus } from '../types.ts'
import { annotation, behaviorOf, pullOf } from './behavior.ts'
import { containerId, containersOf, imageId, isSidecar, statusesOf, waitingStatus } from './pod-status.ts'

const component = 'kubelet'
const firstBackoffMs = 10_000
const longestBackoffMs = 300_000
const startMs = 250
const settleMs = 400

type Stage =
  | { type: 'idle' }
  | { type: 'pulling'; dueMs: number; sinceMs: number }
  | { type: 'starting'; dueMs: number }
  | { type: 'backoff'; dueMs: number }
  | { type: 'running'; endMs: number | undefined; readyMs: number | undefined }
  | { type: 'ended' }

/** Which of a pod's lists of containers one stands in. */
type Place = 'initContainers' | 'containers' | 'ephemeralContainers'

type Surroundings = {
  nowMs: number
  /** Images that the node has already; pulled ones are added. */
  images: Set<string>
  missingEnvironment(container: Container): string | undefined
}

function endedBy(exitCode: number): { exitCode: number; reason: string } {
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' }
}

/** The containers of one pod on their way through pulling, starting, running, ending and starting again. */
export class PodRun {
  readonly #cluster: Cluster
  readonly #stages = new Map<string, Stage>()
  readonly #pullFailures = new Map<string, number>()
  /** When a pod that is being deleted will have stopped. */
  stopAtMs: number | undefined

  constructor(pod: Pod, cluster: Cluster) {
    this.#cluster = cluster
    // After a restart of the sandbox, what ran goes on running.
    for (const container of containersOf(pod)) {
      const status = statusesOf(pod.status).find((one) => one.name === container.name)
      const startedAt = status?.state?.running?.startedAt
      if (startedAt) this.#stages.set(container.name, this.#running(pod, container, Date.parse(startedAt)))
      else if (status?.state?.terminated) this.#stages.set(container.name, { type: 'ended' })
    }
  }

  /** Statuses of containers that cannot start yet for a reason outside them. */
  wait(status: PodStatus, pod: Pod): void {
    this.#ensure(status, pod)
  }

  /** Moves every container as far as it has come by now. Returns when to look again. */
  advance(pod: Pod, status: PodStatus, around: Surroundings): number | undefined {
    this.#ensure(status, pod)
    const due: number[] = []
    const add = (dueMs: number | undefined) => {
      if (dueMs !== undefined) due.push(dueMs)
    }
    for (const [i, container] of (pod.spec.initContainers ?? []).entries()) {
      const own = status.initContainerStatuses?.[i]
      if (!own) continue
      add(this.#step(pod, container, own, around, 'initContainers'))
      const isPassed = isSidecar(container) ? own.started === true : own.state?.terminated?.exitCode === 0
      if (isPassed) {
        own.ready = true
        continue
      }
      return due.length > 0 ? Math.min(...due) : undefined
    }
    for (const [i, container] of pod.spec.containers.entries()) {
      const own = status.containerStatuses?.[i]
      if (own) add(this.#step(pod, container, own, around, 'containers'))
    }
    for (const [i, container] of (pod.spec.ephemeralContainers ?? []).entries()) {
      const own = status.ephemeralContainerStatuses?.[i]
      if (own) add(this.#step(pod, container, own, around, 'ephemeralContainers'))
    }
    return due.length > 0 ? Math.min(...due) : undefined
  }

  /** The status when everything has been stopped. */
  terminated(pod: Pod, status: PodStatus, nowMs: number): PodStatus {
    for (const own of statusesOf(status)) {
      const startedAt = own.state?.running?.startedAt
      own.ready = false
      own.started = false
      if (startedAt === undefined) continue
      const restart = own.restartCount
      own.state = {
        terminated: {
          exitCode: 0,
          reason: 'Completed',
          startedAt,
          finishedAt: stamp(nowMs),
          containerID: containerId(pod, own.name, restart),
        },
      }
    }
    return status
  }

  #ensure(status: PodStatus, pod: Pod): void {
    const reason = pod.spec.initContainers?.length ? 'PodInitializing' : 'ContainerCreating'
    const fill = (containers: readonly Container[], old: readonly ContainerStatus[] | undefined) =>
      containers.map(
        (container) => old?.find((one) => one.name === container.name) ?? waitingStatus(container, reason),
      )
    status.containerStatuses = fill(pod.spec.containers, status.containerStatuses)
    if (pod.spec.initContainers?.length)
      status.initContainerStatuses = fill(pod.spec.initContainers, status.initContainerStatuses)
    if (pod.spec.ephemeralContainers?.length)
      status.ephemeralContainerStatuses = fill(
        pod.spec.ephemeralContainers,
        status.ephemeralContainerStatuses,
      )
  }

  #delay(ms: number): number {
    return ms / this.#cluster.speed
  }

  #event(
    pod: Pod,
    container: Container,
    isWarning: boolean,
    reason: string,
    message: string,
    place: Place = 'containers',
  ): void {
    const more = {
      host: pod.spec.nodeName ?? '',
      fieldPath: `spec.${place}{${container.name}}`,
    }
    if (isWarning) this.#cluster.recorder.warning(component, pod, reason, message, more)
    else this.#cluster.recorder.normal(component, pod, reason, message, more)
  }

  #running(pod: Pod, container: Container, startedMs: number): Stage {
    const { runsMs } = behaviorOf(pod, container)
    const probe = container.readinessProbe
    const startup = container.startupProbe
    let readyAfter = 0
    if (startup) readyAfter += Math.max((startup.initialDelaySeconds ?? 0) * 1000, settleMs)
    if (probe) readyAfter += Math.max((probe.initialDelaySeconds ?? 0) * 1000, settleMs * 2)
    return {
      type: 'running',
      endMs: runsMs === undefined ? undefined : startedMs + this.#delay(runsMs),
      readyMs: startedMs + this.#delay(readyAfter),
    }
  }

  #step(
    pod: Pod,
    container: Container,
    own: ContainerStatus,
    around: Surroundings,
    place: Place,
  ): number | undefined {
    const { nowMs } = around
    for (;;) {
      const stage = this.#stages.get(container.name) ?? { type: 'idle' }
      const next = this.#next(pod, container, own, stage, around, place)
      if (typeof next === 'number') return next > nowMs ? next : nowMs + 1
      if (next === undefined) return undefined
      this.#stages.set(container.name, next)
    }
  }

  /** The stage that follows, or when it will, or undefined when nothing will happen by itself. */
  #next(
    pod: Pod,
    container: Container,
    own: ContainerStatus,
    stage: Stage,
    around: Surroundings,
    place: Place,
  ): Stage | number | undefined {
    const { nowMs } = around
    switch (stage.type) {
      case 'idle':
        return this.#prepare(pod, container, own, around, place)
      case 'pulling':
        return stage.dueMs > nowMs
          ? stage.dueMs
          : this.#pulled(pod, container, own, stage.sinceMs, around, place)
      case 'starting':
        return stage.dueMs > nowMs ? stage.dueMs : this.#start(pod, container, own, around, place)
      case 'backoff':
        return stage.dueMs > nowMs ? stage.dueMs : { type: 'idle' }
      case 'running':
        return this.#run(pod, container, own, stage, nowMs)
      case 'ended':
        return this.#afterEnd(pod, container, own, nowMs, place)
    }
  }

  #prepare(
    pod: Pod,
    container: Container,
    own: ContainerStatus,
    around: Surroundings,
    place: Place,
  ): Stage | undefined {
    const image = container.image ?? ''
    const { nowMs } = around
    if (around.images.has(image) && container.imagePullPolicy !== 'Always') {
      this.#event(
        pod,
        container,
        false,
        'Pulled',
        `Container image "${image}" already present on machine`,
        place,
      )
      return { type: 'starting', dueMs: nowMs + this.#delay(startMs) }
    }
    if (container.imagePullPolicy === 'Never') {
      const message = `Container image "${image}" is not present with pull policy of Never`
      own.state = { waiting: { reason: 'ErrImageNeverPull', message } }
      this.#event(pod, container, true, 'ErrImageNeverPull', message, place)
      return undefined
    }
    const result = pullOf(pod, image)
    if (!result.ok && result.invalid) {
      own.state = { waiting: { reason: 'InvalidImageName', message: result.message } }
      this.#event(pod, container, true, 'InspectFailed', result.message, place)
      return undefined
    }
    this.#event(pod, container, false, 'Pulling', `Pulling image "${image}"`, place)
    const isKnown = around.images.has(image)
    const durationMs = result.ok ? (isKnown ? 300 : result.durationMs) : 900
    return { type: 'pulling', sinceMs: nowMs, dueMs: nowMs + this.#delay(durationMs) }
  }

  #pulled(
    pod: Pod,
    container: Container,
    own: ContainerStatus,
    sinceMs: number,
    around: Surroundings,
    place: Place,
  ): Stage {
    const image = container.image ?? ''
    const { nowMs } = around
    const result = pullOf(pod, image)
    if (result.ok) {
      around.images.add(image)
      this.#pullFailures.delete(container.name)
      const seconds = (((nowMs - sinceMs) * this.#cluster.speed) / 1000).toFixed(3)
      this.#event(
        pod,
        container,
        false,
        'Pulled',
        `Successfully pulled image "${image}" in ${seconds}s (${seconds}s including waiting). Image size: ${result.bytes} bytes.`,
        place,
      )
      return { type: 'starting', dueMs: nowMs + this.#delay(startMs) }
    }
    const failures = (this.#pullFailures.get(container.name) ?? 0) + 1
    this.#pullFailures.set(container.name, failures)
    this.#event(pod, container, true, 'Failed', `Failed to pull image "${image}": ${result.message}`, place)
    this.#event(pod, container, true, 'Failed', 'Error: ErrImagePull', place)
    const backoffMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failures - 1))
    if (failures === 1) own.state = { waiting: { reason: 'ErrImagePull', message: result.message } }
    else {
      own.state = {
        waiting: {
          reason: 'ImagePullBackOff',
          message: `Back-off pulling image "${image}": ErrImagePull: ${result.message}`,
        },
      }
      this.#event(pod, container, false, 'BackOff', `Back-off pulling image "${image}"`, place)
      this.#event(pod, container, true, 'Failed', 'Error: ImagePullBackOff', place)
    }
    // The first failure turns into a back-off a moment later, as people are used to see.
    return { type: 'backoff', dueMs: nowMs + this.#delay(failures === 1 ? 2000 : backoffMs) }
  }

  #start(pod: Pod, container: Container, own: ContainerStatus, around: Surroundings, place: Place): Stage {
    const { nowMs } = around
    const missing = around.missingEnvironment(container)
    if (missing !== undefined) {
      own.state = { waiting: { reason: 'CreateContainerConfigError', message: missing } }
      this.#event(pod, container, true, 'Failed', `Error: ${missing}`, place)
      return { type: 'backoff', dueMs: nowMs + this.#delay(firstBackoffMs) }
    }
    this.#event(pod, container, false, 'Created', `Created container: ${container.name}`, place)
    this.#event(pod, container, false, 'Started', `Started container ${container.name}`, place)
    if (own.lastState?.terminated) own.restartCount += 1
    own.state = { running: { startedAt: stamp(nowMs) } }
    own.image = container.image ?? ''
    own.imageID = imageId(container.image ?? '')
    own.containerID = containerId(pod, container.name, own.restartCount)
    own.started = container.startupProbe === undefined
    own.ready = false
    return this.#running(pod, container, nowMs)
  }

  #run(
    pod: Pod,
    container: Container,
    own: ContainerStatus,
    stage: Stage & { type: 'running' },
    nowMs: number,
  ): Stage | number | undefined {
    const left = this.#cluster.endings.take(pod, container)
    if (left !== undefined || (stage.endMs !== undefined && stage.endMs <= nowMs)) {
      const { exitCode, reason } = left === undefined ? behaviorOf(pod, container) : endedBy(left)
      const startedAt = own.state?.running?.startedAt ?? stamp(nowMs)
      const finishedAt = stamp(left === undefined ? (stage.endMs ?? nowMs) : nowMs)
      const id = containerId(pod, container.name, own.restartCount)
      own.state = { terminated: { exitCode, reason, startedAt, finishedAt, containerID: id } }
      own.ready = false
      own.started = false
      return { type: 'ended' }
    }
    const isReadyByNow = stage.readyMs !== undefined && stage.readyMs <= nowMs
    const isKept =
      annotation(pod, 'behavior') === 'never-ready' || annotation(pod, 'fail-readiness') === 'true'
    if (isReadyByNow) own.started = true
    if (isKept && isReadyByNow && container.readinessProbe && own.ready) {
      const message = 'Readiness probe failed: HTTP probe failed with statuscode: 503'
      this.#event(pod, container, true, 'Unhealthy', message)
    }
    own.ready = isReadyByNow && !isKept
    const due = [stage.endMs, isReadyByNow ? undefined : stage.readyMs].filter((one) => one !== undefined)
    return due.length > 0 ? Math.min(...due) : undefined
  }

  #afterEnd(
    pod: Pod,
    container: Container,
    own: ContainerStatus,
    nowMs: number,
    place: Place,
  ): Stage | number | undefined {
    const { terminated } = own.state ?? {}
    if (!terminated) return { type: 'idle' }
    const policy =
      place === 'ephemeralContainers'
        ? 'Never'
        : place === 'initContainers' && !isSidecar(container) && pod.spec.restartPolicy === 'Always'
          ? 'OnFailure'
          : isSidecar(container)
            ? 'Always'
            : pod.spec.restartPolicy
    if (policy === 'Never' || (policy === 'OnFailure' && terminated.exitCode === 0)) return undefined
    const finishedMs = Date.parse(terminated.finishedAt ?? '')
    // The first restart comes at once; after that the waiting doubles.
    const backoffMs =
      own.restartCount === 0 ? 0 : Math.min(longestBackoffMs, firstBackoffMs * 2 ** (own.restartCount - 1))
    const showMs = finishedMs + this.#delay(1500)
    if (nowMs < showMs) return showMs
    own.lastState = { terminated }
    if (backoffMs > 0) {
      const { namespace, name, uid } = pod.metadata
      const id = `${name}_${namespace}(${uid})`
      const message = `back-off ${backoffMs < 60_000 ? `${backoffMs / 1000}s` : `${Math.floor(backoffMs / 60_000)}m${(backoffMs % 60_000) / 1000}s`} restarting failed container=${container.name} pod=${id}`
      own.state = { waiting: { reason: 'CrashLoopBackOff', message } }
      this.#event(
        pod,
        container,
        true,
        'BackOff',
        `Back-off restarting failed container ${container.name} in pod ${id}`,
        place,
      )
    } else own.state = { waiting: { reason: 'ContainerCreating' } }
    return { type: 'backoff', dueMs: nowMs + this.#delay(backoffMs) }
  }
}
