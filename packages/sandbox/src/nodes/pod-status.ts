import { createHash } from 'node:crypto'
import { stamp } from '../clock.ts'
import { withCondition } from '../controllers/conditions.ts'
import type { Container, ContainerStatus, Pod, PodStatus } from '../types.ts'

type State = NonNullable<ContainerStatus['state']>

/** Every container of a pod, the initial and the ephemeral ones too. */
export function containersOf({ spec }: Pod): Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])]
}

export function statusesOf(status: PodStatus | undefined): ContainerStatus[] {
  return [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ]
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function containerId(pod: Pod, name: string, restart: number): string {
  return `containerd://${digest(`${pod.metadata.uid}/${name}/${restart}`)}`
}

export function imageId(image: string): string {
  return `${image.split(/[:@]/)[0]}@sha256:${digest(image)}`
}

export function waitingStatus(container: Container, reason: string, message?: string): ContainerStatus {
  const state: State = { waiting: { reason, ...(message ? { message } : {}) } }
  return {
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    lastState: {},
    ready: false,
    restartCount: 0,
    started: false,
    state,
  }
}

function isDone(status: ContainerStatus | undefined): boolean {
  return status?.state?.terminated?.exitCode === 0
}

/** Init containers that keep running beside the others. */
export function isSidecar(container: Container): boolean {
  return container.restartPolicy === 'Always'
}

function phaseOf(pod: Pod, status: PodStatus): PodStatus['phase'] {
  const main = status.containerStatuses ?? []
  const initial = status.initContainerStatuses ?? []
  const policy = pod.spec.restartPolicy ?? 'Always'
  const failedInit = initial.some((one, i) => {
    const container = pod.spec.initContainers?.[i]
    return container && !isSidecar(container) && one.state?.terminated && !isDone(one) && policy === 'Never'
  })
  if (failedInit) return 'Failed'
  if (main.length > 0 && policy !== 'Always' && main.every((one) => one.state?.terminated)) {
    if (main.every(isDone)) return 'Succeeded'
    if (policy === 'Never') return 'Failed'
  }
  const hasStarted = main.some((one) => one.state?.running || one.state?.terminated || one.restartCount > 0)
  return hasStarted &&
    main.every(
      (one) =>
        one.state?.running || one.state?.terminated || one.lastState?.terminated || one.restartCount > 0,
    )
    ? 'Running'
    : 'Pending'
}

const conditionOrder = [
  'PodReadyToStartContainers',
  'Initialized',
  'Ready',
  'ContainersReady',
  'PodScheduled',
]

/** As a kubelet writes them: those of others first, then its own. */
function inOrder(conditions: PodStatus['conditions']): PodStatus['conditions'] {
  return conditions?.toSorted((a, b) => conditionOrder.indexOf(a.type) - conditionOrder.indexOf(b.type))
}

/** Draws from the container statuses what the pod as a whole is: phase and conditions. */
export function summarize(pod: Pod, status: PodStatus, nowMs: number): PodStatus {
  const phase = phaseOf(pod, status)
  const main = status.containerStatuses ?? []
  const initial = status.initContainerStatuses ?? []
  const isInitialized = (pod.spec.initContainers ?? []).every((container, i) =>
    isSidecar(container) ? initial[i]?.started === true : isDone(initial[i]),
  )
  const unready = main.filter((one) => !one.ready).map((one) => one.name)
  const isOver = phase === 'Succeeded' || phase === 'Failed'
  const areReady = unready.length === 0 && main.length > 0 && !isOver
  const gatesPass = (pod.spec.readinessGates ?? []).every((gate) =>
    status.conditions?.some((one) => one.type === gate.conditionType && one.status === 'True'),
  )
  const reason =
    phase === 'Succeeded' ? 'PodCompleted' : phase === 'Failed' ? 'PodFailed' : 'ContainersNotReady'
  const message = `containers with unready status: [${unready.join(' ')}]`
  const not = { status: 'False', reason, ...(isOver ? {} : { message }) }
  const waiting = (pod.spec.initContainers ?? [])
    .filter((_one, i) => !isDone(initial[i]))
    .map((one) => one.name)
  const notInitialized = {
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${waiting.join(' ')}]`,
  }
  let conditions = status.conditions
  const set = (type: string, value: { status: string; reason?: string; message?: string }) => {
    const old = conditions?.find((one) => one.type === type)
    if (old && value.status === 'True') {
      delete old.reason
      delete old.message
    }
    conditions = withCondition(conditions, { type, ...value }, nowMs)
  }
  const yes = { status: 'True' }
  set('PodReadyToStartContainers', status.podIP === undefined || isOver ? { status: 'False' } : yes)
  const completed = { status: 'True', reason: 'PodCompleted' }
  set('Initialized', phase === 'Succeeded' ? completed : isInitialized ? yes : notInitialized)
  set(
    'Ready',
    areReady && gatesPass ? yes : areReady ? { status: 'False', reason: 'ReadinessGatesNotReady' } : not,
  )
  set('ContainersReady', areReady ? yes : not)
  conditions = inOrder(conditions)
  return { ...status, phase, conditions, startTime: status.startTime ?? stamp(nowMs) }
}
