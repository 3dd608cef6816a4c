import type { Fields } from './fields.ts'
import { at, entries, fields, figure, items, text } from './fields.ts'

/** One container of a pod or of a template of pods. */
export interface Container {
  name: string
  role: 'container' | 'sidecar' | 'init' | 'ephemeral'
  image: string
  /** Null in a template, which does not run. */
  state: ContainerState | null
  restarts: number
  requests: string | null
  limits: string | null
  ports: readonly string[]
  probes: readonly string[]
  /** How it ended the last time: "exit code 137, OOMKilled". */
  lastEnd: { text: string; at: string | null } | null
  mounts: readonly { volume: string; path: string; isReadOnly: boolean }[]
}

interface ContainerState {
  kind: 'running' | 'waiting' | 'ended'
  /** As the table of statuses knows it. */
  status: string
  /** In words: "running", "waiting: image not found", "completed in 1.2 s". */
  words: string
  since: string | null
  isReady: boolean
}

/** All containers of a pod, init containers after those that stay. */
export function containersOf(pod: Fields): readonly Container[] {
  return containersOfSpec(at(pod, 'spec'), at(pod, 'status'))
}

/** The containers of a specification of pods. */
export function containersOfSpec(spec: unknown, status?: unknown): readonly Container[] {
  const of = (list: string, statuses: string, role: (container: Fields) => Container['role']) =>
    items(at(spec, list)).map((container) => {
      const found = items(at(status, statuses)).find((each) => each['name'] === container['name'])
      return containerOf(container, found, role(container))
    })
  return [
    ...of('containers', 'containerStatuses', () => 'container'),
    ...of('initContainers', 'initContainerStatuses', (container) =>
      container['restartPolicy'] === 'Always' ? 'sidecar' : 'init',
    ),
    ...of('ephemeralContainers', 'ephemeralContainerStatuses', () => 'ephemeral'),
  ]
}

function containerOf(spec: Fields, status: Fields | undefined, role: Container['role']): Container {
  const lastEnd = fields(at(status, 'lastState', 'terminated'))
  return {
    name: text(spec['name']) ?? '',
    role,
    image: text(spec['image']) ?? text(status?.['image']) ?? '',
    state: status ? stateOf(status) : null,
    restarts: figure(status?.['restartCount']) ?? 0,
    requests: amounts(at(spec, 'resources', 'requests')),
    limits: amounts(at(spec, 'resources', 'limits')),
    ports: items(spec['ports']).map(portText),
    probes: (['startup', 'readiness', 'liveness'] as const).flatMap(
      (kind) => probeText(kind, spec[`${kind}Probe`]) ?? [],
    ),
    lastEnd:
      Object.keys(lastEnd).length === 0 ? null : { text: endText(lastEnd), at: text(lastEnd['finishedAt']) },
    mounts: items(spec['volumeMounts']).map((mount) => ({
      volume: text(mount['name']) ?? '',
      path: [text(mount['mountPath']), text(mount['subPath'])].filter(Boolean).join(' ← '),
      isReadOnly: mount['readOnly'] === true,
    })),
  }
}

function stateOf(status: Fields): ContainerState {
  const isReady = status['ready'] === true
  const running = at(status, 'state', 'running')
  if (running !== undefined) {
    const since = text(at(running, 'startedAt'))
    return isReady
      ? { kind: 'running', status: 'running', words: 'running', since, isReady }
      : { kind: 'running', status: 'degraded', words: 'running, not ready', since, isReady }
  }
  const ended = at(status, 'state', 'terminated')
  if (ended !== undefined) {
    const isDone = figure(at(ended, 'exitCode')) === 0
    return {
      kind: 'ended',
      status: isDone ? 'completed' : 'failed',
      words: isDone ? completedText(fields(ended)) : endText(fields(ended)),
      since: text(at(ended, 'finishedAt')),
      isReady,
    }
  }
  const reason = text(at(status, 'state', 'waiting', 'reason'))
  const isStarting = reason === null || reason === 'ContainerCreating' || reason === 'PodInitializing'
  return {
    kind: 'waiting',
    status: isStarting ? 'pending' : 'failing',
    words: waitingText(reason, text(at(status, 'state', 'waiting', 'message'))),
    since: null,
    isReady,
  }
}

/** The kubelet says how long it waits: "back-off 40s restarting failed container=app …". */
function waitingText(reason: string | null, message: string | null): string {
  if (reason === null) return 'waiting'
  const [, delay] = /^back-off ((?:\d+m)?(?:\d+s)?) restarting/.exec(message ?? '') ?? []
  if (reason === 'CrashLoopBackOff' && delay) {
    const spaced = delay.replace(/(\d+)m(0s)?/, '$1\u00a0min ').replace(/(\d+)s/, '$1\u00a0s')
    return `crashed, restarts after ${spaced.trim()}`
  }
  return `waiting: ${waitingWords[reason] ?? reason}`
}

/** Why the kubelet holds a container back, in words. */
const waitingWords: Readonly<Record<string, string>> = {
  ContainerCreating: 'being created',
  PodInitializing: 'init containers run first',
  CrashLoopBackOff: 'it crashed and restarts after a delay',
  ImagePullBackOff: 'its image cannot be pulled',
  ErrImagePull: 'its image cannot be pulled',
  InvalidImageName: 'its image has no valid name',
  ErrImageNeverPull: 'its image is not on the node',
  CreateContainerConfigError: 'its configuration is missing or wrong',
  CreateContainerError: 'it could not be created',
  RunContainerError: 'it could not be started',
}

function endText(end: Fields): string {
  const exitCode = text(end['exitCode'])
  const signal = figure(end['signal'])
  const reason = text(end['reason'])
  return [
    exitCode === null ? null : `exit code ${exitCode}`,
    signal ? `signal ${signal}` : null,
    reason === 'OOMKilled' ? 'killed for memory' : reason === 'Error' ? null : reason,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

function completedText(end: Fields): string {
  const ms = Date.parse(text(end['finishedAt']) ?? '') - Date.parse(text(end['startedAt']) ?? '')
  return Number.isNaN(ms) ? 'completed' : `completed in ${seconds(ms / 1000)}`
}

function portText(port: Fields): string {
  const protocol = text(port['protocol']) ?? 'TCP'
  const name = text(port['name'])
  const host = text(port['hostPort'])
  return [
    `${text(port['containerPort']) ?? ''}/${protocol}`,
    name ? ` ${name}` : '',
    host ? `, on the node ${host}` : '',
  ].join('')
}

const probeNames = { startup: 'Startup', readiness: 'Readiness', liveness: 'Liveness' } as const

/** "Readiness: GET :8080/healthz every 10 s, fails after 3". */
function probeText(kind: keyof typeof probeNames, value: unknown): string | null {
  const probe = fields(value)
  if (Object.keys(probe).length === 0) return null
  const every = figure(probe['periodSeconds']) ?? 10
  const failures = figure(probe['failureThreshold']) ?? 3
  const delay = figure(probe['initialDelaySeconds']) ?? 0
  return [
    `${probeNames[kind]}: ${probeWay(probe)} every ${every} s`,
    `fails after ${failures}`,
    ...(delay > 0 ? [`begins after ${delay} s`] : []),
  ].join(', ')
}

function probeWay(probe: Fields): string {
  const http = fields(probe['httpGet'])
  if (Object.keys(http).length > 0) {
    const scheme = text(http['scheme']) === 'HTTPS' ? 'HTTPS ' : ''
    return `${scheme}GET :${text(http['port']) ?? ''}${text(http['path']) ?? '/'}`
  }
  if (probe['tcpSocket'] !== undefined) return `connects to :${text(at(probe, 'tcpSocket', 'port')) ?? ''}`
  if (probe['grpc'] !== undefined) return `gRPC :${text(at(probe, 'grpc', 'port')) ?? ''}`
  const command = at(probe, 'exec', 'command')
  return Array.isArray(command) ? `runs ${command.join(' ')}` : 'checks'
}

/** "cpu 100m, memory 128Mi". */
function amounts(value: unknown): string | null {
  return (
    entries(value)
      .map(([name, amount]) => `${name} ${amount}`)
      .join(', ') || null
  )
}

function seconds(value: number): string {
  return value < 60 ? `${Number(value.toFixed(1))} s` : `${Math.round(value / 60)} min`
}
