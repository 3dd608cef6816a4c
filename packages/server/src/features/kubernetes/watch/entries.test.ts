import { describe, expect, test } from 'vitest'
import { bytes, millicores, quantity } from '@bey/contract/kubernetes/quantity'
import { eventEntry, nodeEntry, podEntry } from './entries.ts'
import type { Pod } from './kube-types.ts'
import { podSummary } from './pod-status.ts'
import { daemonSetEntry, jobEntry, replicaEntry } from './workload-entries.ts'

test.each([
  ['100m', 0.1],
  ['2', 2],
  ['1.5Gi', 1.5 * 2 ** 30],
  ['128974848', 128974848],
  ['129M', 129e6],
  ['2e3', 2000],
  ['1E', 1e18],
  ['.5', 0.5],
  ['250000n', 0.00025],
  ['', 0],
  ['many', 0],
])('the quantity %s is %d', (text, expected) => expect(quantity(text)).toBeCloseTo(expected, 9))

test('cores are counted in thousandths, rounded up', () => {
  expect([millicores('100m'), millicores('0.1'), millicores('1'), millicores('1u'), bytes('1Ki')]).toEqual([
    100, 100, 1000, 1, 1024,
  ])
})

const running = { ready: true, state: { running: {} } }
const waiting = (reason: string) => ({ ready: false, state: { waiting: { reason } } })
const ended = (exitCode: number, reason?: string, signal?: number) => ({
  ready: false,
  state: { terminated: { exitCode, ...(reason && { reason }), ...(signal && { signal }) } },
})
const names = ['a', 'b', 'c']

function pod(
  status: Pod['status'],
  options: { containers?: number; init?: object[]; isDeleted?: boolean } = {},
): Pod {
  return {
    metadata: options.isDeleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {},
    spec: {
      containers: names.slice(0, options.containers ?? 1).map((name) => ({ name })),
      ...(options.init && { initContainers: options.init }),
    },
    ...(status && { status }),
  }
}

describe('a pod’s status is what kubectl prints', () => {
  const isReady = [{ type: 'Ready', status: 'True' }]
  test.each<[string, Pod, string]>([
    ['Pending', pod({ phase: 'Pending' }), 'Pending 0/1 0'],
    [
      'Running',
      pod({ phase: 'Running', containerStatuses: [{ ...running, restartCount: 2 }] }),
      'Running 1/1 2',
    ],
    ['evicted', pod({ phase: 'Failed', reason: 'Evicted' }), 'Evicted 0/1 0'],
    [
      'creating',
      pod({ phase: 'Pending', containerStatuses: [waiting('ContainerCreating')] }),
      'ContainerCreating 0/1 0',
    ],
    [
      'crashing',
      pod({ phase: 'Running', containerStatuses: [{ ...waiting('CrashLoopBackOff'), restartCount: 7 }] }),
      'CrashLoopBackOff 0/1 7',
    ],
    [
      'the first container’s reason wins',
      pod(
        { phase: 'Running', containerStatuses: [waiting('ImagePullBackOff'), ended(1, 'Error')] },
        { containers: 2 },
      ),
      'ImagePullBackOff 0/2 0',
    ],
    ['completed', pod({ phase: 'Succeeded', containerStatuses: [ended(0, 'Completed')] }), 'Completed 0/1 0'],
    [
      'one completed beside one that runs, ready',
      pod(
        { phase: 'Running', conditions: isReady, containerStatuses: [ended(0, 'Completed'), running] },
        { containers: 2 },
      ),
      'Running 1/2 0',
    ],
    [
      'one completed beside one that runs, not ready',
      pod({ phase: 'Running', containerStatuses: [ended(0, 'Completed'), running] }, { containers: 2 }),
      'NotReady 1/2 0',
    ],
    [
      'ended by a signal',
      pod({ phase: 'Failed', containerStatuses: [ended(0, undefined, 9)] }),
      'Signal:9 0/1 0',
    ],
    ['ended with a code', pod({ phase: 'Failed', containerStatuses: [ended(3)] }), 'ExitCode:3 0/1 0'],
    [
      'deleted',
      pod({ phase: 'Running', containerStatuses: [running] }, { isDeleted: true }),
      'Terminating 1/1 0',
    ],
    ['deleted after it had ended', pod({ phase: 'Succeeded' }, { isDeleted: true }), 'Succeeded 0/1 0'],
    ['on a lost node', pod({ phase: 'Running', reason: 'NodeLost' }, { isDeleted: true }), 'Unknown 0/1 0'],
    [
      'gated',
      pod({
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
      }),
      'SchedulingGated 0/1 0',
    ],
    [
      'initializing',
      pod(
        { phase: 'Pending', initContainerStatuses: [ended(0), waiting('PodInitializing')] },
        { init: [{ name: 'x' }, { name: 'y' }] },
      ),
      'Init:1/2 0/1 0',
    ],
    [
      'init failing',
      pod(
        { phase: 'Pending', initContainerStatuses: [{ ...waiting('CrashLoopBackOff'), restartCount: 3 }] },
        { init: [{ name: 'x' }] },
      ),
      'Init:CrashLoopBackOff 0/1 3',
    ],
    [
      'init ended badly',
      pod({ phase: 'Pending', initContainerStatuses: [ended(2)] }, { init: [{ name: 'x' }] }),
      'Init:ExitCode:2 0/1 0',
    ],
    [
      'init error with a reason',
      pod({ phase: 'Pending', initContainerStatuses: [ended(2, 'Error')] }, { init: [{ name: 'x' }] }),
      'Init:Error 0/1 0',
    ],
    [
      'with a sidecar',
      pod(
        {
          phase: 'Running',
          initContainerStatuses: [
            { name: 's', started: true, ready: true, restartCount: 1, state: { running: {} } },
          ],
          containerStatuses: [running],
        },
        { init: [{ name: 's', restartPolicy: 'Always' }] },
      ),
      'Running 2/2 1',
    ],
  ])('%s', (_name, value, expected) => {
    const { status, ready, total, restarts } = podSummary(value)
    expect(`${status} ${ready}/${total} ${restarts}`).toBe(expected)
  })
})

test('a pod takes of its node what the scheduler reckons', () => {
  const container = (cpu: string, restartPolicy?: string) => ({
    resources: { requests: { cpu } },
    ...(restartPolicy && { restartPolicy }),
  })
  const cpu = (spec: Pod['spec']) => podEntry({ spec }).cpuMillicores
  expect(cpu({ containers: [container('100m'), container('0.2')] })).toBe(300)
  expect(cpu({ containers: [container('100m')], initContainers: [container('1')] })).toBe(1000)
  expect(
    cpu({ containers: [container('100m')], initContainers: [container('50m', 'Always'), container('500m')] }),
  ).toBe(550)
  expect(cpu({ containers: [container('1')], overhead: { cpu: '250m' } })).toBe(1250)
})

test('what is shown of a node, deployment and event', () => {
  const node = nodeEntry({
    metadata: {
      name: 'n1',
      labels: { 'node-role.kubernetes.io/control-plane': '', 'topology.kubernetes.io/zone': 'a' },
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { unschedulable: true },
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      allocatable: { cpu: '3800m', memory: '1Gi', pods: '110' },
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      nodeInfo: { kubeletVersion: 'v1.33.4' },
    },
  })
  expect(node).toMatchObject({
    status: 'Ready,SchedulingDisabled',
    isReady: true,
    roles: ['control-plane'],
    zone: 'a',
    cpuMillicores: 3800,
    memoryBytes: 2 ** 30,
    maxPods: 110,
    internalIp: '10.0.0.1',
    createdAt: '2026-01-01T00:00:00.000Z',
  })
  expect(replicaEntry({})).toMatchObject({ desired: 1, ready: 0, images: [], owner: null })
  expect(daemonSetEntry({})).toMatchObject({ desired: 0, ready: 0, images: [] })
  expect(jobEntry({})).toMatchObject({ desired: 1, ready: 0, facts: { failed: 0, isSuspended: false } })
  expect(
    eventEntry({
      reason: 'Scheduled',
      eventTime: '2026-01-01T00:00:00.123456Z',
      involvedObject: { kind: 'Pod', name: 'x' },
      lastTimestamp: null,
    }),
  ).toMatchObject({ object: 'Pod/x', count: 1, type: 'Normal', lastSeenAt: '2026-01-01T00:00:00.123Z' })
})
