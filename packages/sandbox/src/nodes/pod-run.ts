import { stamp } from '../clock.ts'
import type { Cluster } from '../api/context.ts'
import type { Container, ContainerStatus, Pod, PodStatus } from '../types.ts'
import { annotation, behaviorOf } from './behavior.ts'
import { ExecProbes } from './exec-probes.ts'
import { ImagePulls, type Place, type PullStage } from './image-pulls.ts'
import { containerId, containersOf, imageId, isSidecar, statusesOf, waitingStatus } from './pod-status.ts'
import { programOf, startFault } from './program.ts'

const component = 'kubelet'
const firstBackoffMs = 10_000
const longestBackoffMs = 300_000
const startMs = 250
const settleMs = 400
const laxestMs = 5000

type Stage = { type: 'idle' } | PullStage | Running | { type: 'ended' }

type Running = {
  type: 'running'
  startedMs: number
  endMs: number | undefined
  readyMs: number
  probes: ExecProbes
  /** When it will have been killed for what its probes said. */
  killMs?: number
}

type Surroundings = {
  nowMs: number
  /** Images that the node has already; pulled ones are added. */
  images: Set<string>
  missingEnvironment(container: Container): string | undefined
}

function endedBy(exitCode: number): { exitCode: number; reason: string } {
  return { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' }
}

function policyOf(pod: Pod, container: Container, place: Place): string | undefined {
  if (place === 'ephemeralContainers') return 'Never'
  if (isSidecar(container)) return 'Always'
  const { restartPolicy } = pod.spec
  return place === 'initContainers' && restartPolicy === 'Always' ? 'OnFailure' : restartPolicy
}

/** The containers of one pod on their way through pulling, starting, running, ending and starting again. */
export class PodRun {
  readonly #cluster: Cluster
  readonly #stages = new Map<string, Stage>()
  readonly #pulls: ImagePulls
  /** When a pod that is being deleted will have stopped. */
  stopAtMs: number | undefined

  constructor(pod: Pod, cluster: Cluster) {
    this.#cluster = cluster
    this.#pulls = new ImagePulls(cluster.speed, (...event) => this.#event(...event))
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
    const runsMs = behaviorOf(pod, container)?.runsMs
    const probe = container.readinessProbe
    const startup = container.startupProbe
    let readyAfter = 0
    if (startup && !startup.exec) readyAfter += Math.max((startup.initialDelaySeconds ?? 0) * 1000, settleMs)
    if (probe && !probe.exec) readyAfter += Math.max((probe.initialDelaySeconds ?? 0) * 1000, settleMs * 2)
    return {
      type: 'running',
      startedMs,
      endMs: runsMs === undefined ? undefined : startedMs + this.#delay(runsMs),
      readyMs: startedMs + this.#delay(readyAfter),
      probes: new ExecProbes(this.#cluster, container, startedMs),
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
        return this.#pulls.begin(pod, container, own, around, place)
      case 'pulling':
        return stage.dueMs > nowMs
          ? stage.dueMs
          : this.#pulls.finish(pod, container, own, stage.sinceMs, around, place)
      case 'starting':
        return stage.dueMs > nowMs ? stage.dueMs : this.#start(pod, container, own, around, place)
      case 'backoff':
        return stage.dueMs > nowMs ? stage.dueMs : { type: 'idle' }
      case 'running':
        return this.#run(pod, container, own, stage, nowMs, place)
      case 'ended':
        return this.#afterEnd(pod, container, own, nowMs, place)
    }
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
    if (own.lastState?.terminated) own.restartCount += 1
    own.image = container.image ?? ''
    own.imageID = imageId(container.image ?? '')
    own.containerID = containerId(pod, container.name, own.restartCount)
    own.started = container.startupProbe === undefined
    own.ready = false
    const fault =
      annotation(pod, 'behavior') === undefined ? startFault(this.#cluster, pod, container) : undefined
    if (fault !== undefined) {
      own.started = false
      const { containerID } = own
      const terminated = {
        exitCode: 128,
        reason: 'StartError',
        message: fault,
        startedAt: stamp(0),
        finishedAt: stamp(nowMs),
        containerID,
      }
      this.#event(pod, container, true, 'Failed', `Error: ${fault}`, place)
      if (policyOf(pod, container, place) === 'Never') own.state = { terminated }
      else {
        own.lastState = { terminated }
        own.state = { waiting: { reason: 'RunContainerError', message: fault } }
      }
      return { type: 'ended' }
    }
    this.#event(pod, container, false, 'Started', `Started container ${container.name}`, place)
    own.state = { running: { startedAt: stamp(nowMs) } }
    return this.#running(pod, container, nowMs)
  }

  #run(
    pod: Pod,
    container: Container,
    own: ContainerStatus,
    stage: Running,
    nowMs: number,
    place: Place,
  ): Stage | number | undefined {
    const behavior = behaviorOf(pod, container)
    const { startedMs } = stage
    const program = behavior
      ? undefined
      : programOf(this.#cluster, { pod, container, run: own.restartCount, startedMs })
    program?.advance(nowMs)
    const left = this.#cluster.endings.take(pod, container)
    const isOver = stage.endMs !== undefined && stage.endMs <= nowMs
    const ended =
      left !== undefined
        ? { ...endedBy(left), timeMs: nowMs }
        : program?.end
          ? { reason: endedBy(program.end.exitCode).reason, ...program.end }
          : stage.killMs !== undefined && stage.killMs <= nowMs
            ? { ...endedBy(program ? 137 : 0), timeMs: stage.killMs }
            : isOver && behavior
              ? { exitCode: behavior.exitCode, reason: behavior.reason, timeMs: stage.endMs ?? nowMs }
              : undefined
    if (ended) {
      const { exitCode, reason, timeMs } = ended
      program?.stop()
      const startedAt = own.state?.running?.startedAt ?? stamp(nowMs)
      const containerID = containerId(pod, container.name, own.restartCount)
      const message = 'message' in ended ? { message: ended.message } : {}
      own.state = {
        terminated: { exitCode, reason, ...message, startedAt, finishedAt: stamp(timeMs), containerID },
      }
      own.ready = false
      own.started = false
      return { type: 'ended' }
    }
    // A loop that goes round every second needs no look every second: its end is dated right all the same.
    const laxMs = Math.min(laxestMs, (nowMs - startedMs) / 10)
    const goesOnMs = program?.nextMs === undefined ? undefined : Math.max(program.nextMs, nowMs + laxMs)
    const probedMs = this.#probe(pod, container, stage, nowMs, place)
    const isReadyByNow = stage.readyMs <= nowMs && stage.probes.isPassing('startup')
    const isKept =
      annotation(pod, 'behavior') === 'never-ready' || annotation(pod, 'fail-readiness') === 'true'
    if (isReadyByNow) own.started = true
    if (isKept && isReadyByNow && container.readinessProbe && own.ready) {
      const message = 'Readiness probe failed: HTTP probe failed with statuscode: 503'
      this.#event(pod, container, true, 'Unhealthy', message)
    }
    own.ready = isReadyByNow && !isKept && stage.probes.isPassing('readiness')
    const readyMs = stage.readyMs <= nowMs ? undefined : stage.readyMs
    const due = [stage.endMs, stage.killMs, readyMs, goesOnMs, probedMs].filter((one) => one !== undefined)
    return due.length > 0 ? Math.min(...due) : undefined
  }

  /** Runs the commands that say how the container is. Returns when the next one is due. */
  #probe(pod: Pod, container: Container, stage: Running, nowMs: number, place: Place): number | undefined {
    if (stage.killMs !== undefined) return undefined
    const { warnings, kill, nextMs } = stage.probes.advance(pod, nowMs)
    for (const warning of warnings) this.#event(pod, container, true, 'Unhealthy', warning, place)
    if (kill === undefined) return nextMs
    this.#event(pod, container, false, 'Killing', kill, place)
    // A shell that is its container's first process does not hear the signal that asks it to end.
    const graceMs = behaviorOf(pod, container)
      ? startMs
      : (pod.spec.terminationGracePeriodSeconds ?? 30) * 1000
    stage.killMs = nowMs + this.#delay(graceMs)
    return undefined
  }

  #afterEnd(
    pod: Pod,
    container: Container,
    own: ContainerStatus,
    nowMs: number,
    place: Place,
  ): Stage | number | undefined {
    const terminated =
      own.state?.terminated ??
      (own.state?.waiting?.reason === 'RunContainerError' ? own.lastState?.terminated : undefined)
    if (!terminated) return { type: 'idle' }
    const policy = policyOf(pod, container, place)
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
