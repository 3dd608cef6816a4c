import type { HealthState } from '@bey/contract'
import { describe, expect, test } from 'vitest'
import { podFacts } from '../watch/facts.ts'
import type { ContainerStatus, Pod } from '../watch/kube-types.ts'
import { podHealth } from './pod-health.ts'

const nowMs = Date.parse('2026-01-01T12:00:00Z')
const ago = (ms: number) => new Date(nowMs - ms).toISOString()
const second = 1000
const minute = 60 * second
const hour = 60 * minute

type Part = {
  spec?: Pod['spec']
  status?: Pod['status']
  metadata?: Pod['metadata']
  container?: ContainerStatus
  init?: ContainerStatus[]
}

/** A pod that has been running and ready for an hour, save what is given. */
function pod({ spec, status, metadata, container, init }: Part = {}): Pod {
  return {
    metadata: { name: 'web-1', namespace: 'shop', creationTimestamp: ago(hour), ...metadata },
    spec: spec ?? { nodeName: 'n1' },
    status: {
      phase: 'Running',
      startTime: ago(hour),
      conditions: [
        { type: 'PodScheduled', status: 'True', lastTransitionTime: ago(hour) },
        { type: 'Ready', status: 'True', lastTransitionTime: ago(hour) },
      ],
      containerStatuses: [
        container ?? {
          name: 'web',
          ready: true,
          restartCount: 0,
          state: { running: { startedAt: ago(hour) } },
        },
      ],
      ...(init && { initContainerStatuses: init }),
      ...status,
    },
  }
}

const waiting = (reason: string, message?: string, rest: Partial<ContainerStatus> = {}): ContainerStatus => ({
  name: 'web',
  ready: false,
  restartCount: 0,
  state: { waiting: { reason, ...(message && { message }) } },
  ...rest,
})

/** A container that runs since `runsMs` ago, after a run of `ranMs` that ended with `exitCode`. */
const restarted = (
  runsMs: number,
  ranMs: number,
  restartCount: number,
  reason = 'Error',
  exitCode = 1,
): ContainerStatus => ({
  name: 'web',
  ready: true,
  restartCount,
  state: { running: { startedAt: ago(runsMs) } },
  lastState: {
    terminated: {
      reason,
      exitCode,
      startedAt: ago(runsMs + ranMs + second),
      finishedAt: ago(runsMs + second),
    },
  },
})

const crashed = (reason: string, exitCode: number, restartCount: number): Partial<ContainerStatus> => ({
  restartCount,
  lastState: { terminated: { reason, exitCode, startedAt: ago(70 * second), finishedAt: ago(65 * second) } },
})

const unready = (sinceMs: number, startedMs: number): Part => ({
  status: {
    phase: 'Running',
    startTime: ago(startedMs),
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: ago(sinceMs) }],
    containerStatuses: [
      { name: 'web', ready: false, restartCount: 0, state: { running: { startedAt: ago(startedMs) } } },
    ],
  },
})

const unscheduled = (
  createdMs: number,
  reason = 'Unschedulable',
  message = '0/3 nodes are available',
): Part => ({
  spec: {},
  metadata: { name: 'web-1', creationTimestamp: ago(createdMs) },
  status: {
    phase: 'Pending',
    startTime: undefined as never,
    conditions: [
      { type: 'PodScheduled', status: 'False', reason, message, lastTransitionTime: ago(createdMs) },
    ],
    containerStatuses: [],
  },
})

const creating = (startedMs: number): Part => ({
  container: waiting('ContainerCreating'),
  status: {
    phase: 'Pending',
    startTime: ago(startedMs),
    conditions: [],
    containerStatuses: [waiting('ContainerCreating')],
  },
})

const cases: [string, Part, HealthState, string | null, string | RegExp | null][] = [
  ['runs and is ready', {}, 'healthy', null, null],
  ['completed', { status: { phase: 'Succeeded' } }, 'healthy', 'Completed', null],
  [
    'crashes',
    { container: waiting('CrashLoopBackOff', 'back-off 5m0s', crashed('Error', 1, 31)) },
    'failing',
    'CrashLoopBackOff',
    'exit code 1, 31 restarts',
  ],
  [
    'is killed for its memory again and again',
    { container: waiting('CrashLoopBackOff', '', crashed('OOMKilled', 137, 4)) },
    'failing',
    'OOMKilled',
    /killed for memory, 4 restarts/,
  ],
  [
    'cannot pull its image',
    { container: waiting('ImagePullBackOff', 'Back-off pulling image "x:typo"') },
    'failing',
    'ImagePullBackOff',
    'x:typo cannot be pulled',
  ],
  [
    'names an image that does not exist',
    { container: waiting('ErrImagePull', 'rpc error: pulling image "x:typo": x:typo: not found') },
    'failing',
    'ErrImagePull',
    'x:typo was not found',
  ],
  [
    'may not pull its image',
    { container: waiting('ErrImagePull', 'pulling image "x:1": 401 Unauthorized') },
    'failing',
    'ErrImagePull',
    'x:1 may not be pulled',
  ],
  [
    'cannot pull its image for the first time',
    { container: waiting('ErrImagePull') },
    'failing',
    'ErrImagePull',
    'the image cannot be pulled',
  ],
  [
    'has an image name that is none',
    { container: waiting('InvalidImageName') },
    'failing',
    'InvalidImageName',
    /not valid/,
  ],
  [
    'names a secret that is not there',
    { container: waiting('CreateContainerConfigError', 'secret "db" not found') },
    'failing',
    'CreateContainerConfigError',
    'secret "db" not found',
  ],
  [
    'cannot be created',
    { container: waiting('CreateContainerError') },
    'failing',
    'CreateContainerError',
    /cannot be created/,
  ],
  [
    'cannot be started',
    { container: waiting('RunContainerError') },
    'failing',
    'RunContainerError',
    /cannot be started/,
  ],
  [
    'has just ended with an error',
    {
      container: {
        name: 'web',
        restartCount: 0,
        state: { terminated: { reason: 'Error', exitCode: 2, finishedAt: ago(second) } },
      },
    },
    'failing',
    'Error',
    'exit code 2',
  ],
  [
    'has just ended well and will be run again',
    {
      container: {
        name: 'web',
        restartCount: 0,
        state: { terminated: { reason: 'Completed', exitCode: 0 } },
      },
    },
    'starting',
    'Completed',
    null,
  ],
  [
    'runs for a moment between two crashes',
    { container: restarted(5 * second, 3 * second, 4) },
    'failing',
    'CrashLoopBackOff',
    'exit code 1, 4 restarts',
  ],
  [
    'has run well since its crashes, but not for long',
    { container: restarted(3 * minute, 3 * second, 4) },
    'degraded',
    'Restarted',
    'exit code 1, 4 restarts',
  ],
  ['crashed long ago', { container: restarted(11 * minute, 3 * second, 4) }, 'healthy', null, null],
  ['crashed once', { container: restarted(2 * minute, hour, 1) }, 'healthy', null, null],
  [
    'was killed once for its memory',
    { container: restarted(2 * minute, hour, 1, 'OOMKilled', 137) },
    'degraded',
    'OOMKilled',
    /memory/,
  ],
  [
    'was asked to end and started again',
    { container: restarted(2 * minute, hour, 3, 'Error', 143) },
    'healthy',
    null,
    null,
  ],
  ['is not ready yet', unready(20 * second, 20 * second), 'starting', 'NotReady', /not ready yet/],
  ['does not become ready', unready(10 * minute, 10 * minute), 'degraded', 'NotReady', /probe/],
  ['was ready and is not any more', unready(minute, hour), 'degraded', 'NotReady', /probe/],
  ['is being created', creating(20 * second), 'starting', 'ContainerCreating', null],
  ['is not created in time', creating(6 * minute), 'degraded', 'ContainerCreating', /5 minutes/],
  ['waits for a node since a moment', unscheduled(5 * second), 'starting', 'Unschedulable', /nodes/],
  ['fits on no node', unscheduled(10 * minute), 'failing', 'Unschedulable', '0/3 nodes are available'],
  [
    'is held back on purpose',
    unscheduled(hour, 'SchedulingGated', 'held'),
    'starting',
    'SchedulingGated',
    'held',
  ],
  [
    'was evicted',
    { status: { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' } },
    'failing',
    'Evicted',
    /low on resource/,
  ],
  [
    'failed',
    {
      status: {
        phase: 'Failed',
        containerStatuses: [{ name: 'web', state: { terminated: { reason: 'Error', exitCode: 3 } } }],
      },
    },
    'failing',
    'Error',
    'exit code 3',
  ],
  [
    'is being deleted',
    { metadata: { name: 'web-1', deletionTimestamp: ago(-20 * second) } },
    'starting',
    'Terminating',
    null,
  ],
  [
    'crashes while it is being deleted',
    { metadata: { name: 'web-1', deletionTimestamp: ago(0) }, container: waiting('CrashLoopBackOff') },
    'starting',
    'Terminating',
    null,
  ],
  [
    'does not go',
    { metadata: { name: 'web-1', deletionTimestamp: ago(10 * minute) } },
    'degraded',
    'Terminating',
    /should have terminated/,
  ],
  [
    'is on a node that was lost',
    { status: { phase: 'Running', reason: 'NodeLost' } },
    'unknown',
    'NodeLost',
    /does not report/,
  ],
  [
    'runs its init container',
    {
      init: [{ name: 'migrate', state: { running: { startedAt: ago(minute) } } }],
      container: waiting('PodInitializing'),
    },
    'degraded',
    'PodInitializing',
    /15 minutes/,
  ],
  [
    'has an init container that crashes',
    {
      init: [{ ...waiting('CrashLoopBackOff', '', crashed('Error', 1, 3)), name: 'migrate' }],
      container: waiting('PodInitializing'),
    },
    'failing',
    'CrashLoopBackOff',
    'exit code 1, 3 restarts',
  ],
  [
    'has finished its init containers',
    { init: [{ name: 'migrate', state: { terminated: { exitCode: 0 } } }] },
    'healthy',
    null,
    null,
  ],
]

describe('a pod that', () => {
  test.each(cases)('%s', (_about, part, state, reason, detail) => {
    const { health } = podHealth(podFacts(pod(part)), true, nowMs)
    expect({ state: health.state, reason: health.reason }).toEqual({ state, reason })
    if (detail === null) expect(health.detail).toBeNull()
    else expect(health.detail).toMatch(detail)
  })
})

test('what a node says that does not report is not believed', () => {
  expect(podHealth(podFacts(pod()), false, nowMs).health).toMatchObject({
    state: 'unknown',
    reason: 'NodeNotReady',
  })
})

test('a verdict says when time alone changes it, and is another one then', () => {
  const facts = podFacts(pod(unready(20 * second, 20 * second)))
  const { changesAtMs, health } = podHealth(facts, true, nowMs)
  expect(health.state).toBe('starting')
  expect(changesAtMs).toBe(nowMs + 100 * second)
  expect(podHealth(facts, true, changesAtMs - 1).health.state).toBe('starting')
  expect(podHealth(facts, true, changesAtMs).health.state).toBe('degraded')
})

test('a pod that never stopped crashing has done so since it was started', () => {
  const since = (restarts: number) =>
    podHealth(
      podFacts(pod({ container: waiting('CrashLoopBackOff', '', crashed('Error', 1, restarts)) })),
      true,
      nowMs,
    ).health.since
  expect(since(31)).toBe(ago(hour))
  expect(since(3)).toBe(ago(65 * second))
})

test('trouble is as old as the pod is not ready, and not as its last crash', () => {
  const facts = podFacts(
    pod({
      status: {
        phase: 'Running',
        startTime: ago(hour),
        conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: ago(40 * minute) }],
        containerStatuses: [waiting('CrashLoopBackOff', '', crashed('Error', 1, 9))],
      },
    }),
  )
  expect(podHealth(facts, true, nowMs).health.since).toBe(ago(40 * minute))
})
