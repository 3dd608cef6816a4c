import { expect, test } from 'vitest'
import { containersOf } from './containers.ts'

const pod = {
  spec: {
    containers: [
      {
        name: 'app',
        image: 'shop:1',
        resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } },
        ports: [{ containerPort: 8080, name: 'http' }],
        readinessProbe: { httpGet: { path: '/ready', port: 8080 }, initialDelaySeconds: 5 },
        livenessProbe: { exec: { command: ['cat', '/ok'] }, periodSeconds: 30, failureThreshold: 1 },
      },
      { name: 'proxy', image: 'envoy' },
    ],
    initContainers: [
      { name: 'migrate', image: 'shop:1' },
      { name: 'agent', image: 'agent', restartPolicy: 'Always' },
    ],
  },
  status: {
    containerStatuses: [
      {
        name: 'app',
        ready: false,
        restartCount: 6,
        state: { waiting: { reason: 'CrashLoopBackOff' } },
        lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', finishedAt: '2026-01-01T10:00:00Z' } },
      },
      { name: 'proxy', ready: true, state: { running: { startedAt: '2026-01-01T09:00:00Z' } } },
    ],
    initContainerStatuses: [
      {
        name: 'migrate',
        state: {
          terminated: {
            exitCode: 0,
            startedAt: '2026-01-01T09:00:00.000Z',
            finishedAt: '2026-01-01T09:00:01.200Z',
          },
        },
      },
    ],
  },
}

test('a crashing container says why it waits and how it ended', () => {
  const [app] = containersOf(pod)
  expect(app?.state).toMatchObject({
    kind: 'waiting',
    status: 'failing',
    words: 'waiting: it crashed and restarts after a delay',
  })
  expect(app?.lastEnd).toEqual({ text: 'exit code 137, killed for memory', at: '2026-01-01T10:00:00Z' })
  expect(app).toMatchObject({ restarts: 6, requests: 'cpu 100m, memory 64Mi', limits: 'memory 128Mi' })
})

test.each([
  ['back-off 40s restarting failed container=app pod=app_shop', 'crashed, restarts after 40\u00a0s'],
  ['back-off 2m40s restarting failed container=app', 'crashed, restarts after 2\u00a0min 40\u00a0s'],
  ['back-off 5m0s restarting failed container=app', 'crashed, restarts after 5\u00a0min'],
])('what the kubelet says of its delay, %s, is said as %s', (message, words) => {
  const waiting = { reason: 'CrashLoopBackOff', message }
  const [status] = pod.status.containerStatuses
  const [app] = containersOf({ ...pod, status: { containerStatuses: [{ ...status, state: { waiting } }] } })
  expect(app?.state?.words).toBe(words)
})

test('probes and ports are sentences', () => {
  const [app] = containersOf(pod)
  expect(app?.ports).toEqual(['8080/TCP http'])
  expect(app?.probes).toEqual([
    'Readiness: GET :8080/ready every 10 s, fails after 3, begins after 5 s',
    'Liveness: runs cat /ok every 30 s, fails after 1',
  ])
})

test('each container says of what kind it is, and one that ended how long it took', () => {
  const [, proxy, migrate, agent] = containersOf(pod)
  expect(proxy).toMatchObject({ role: 'container', state: { status: 'running' } })
  expect(migrate).toMatchObject({ role: 'init', state: { words: 'completed in 1.2 s', status: 'completed' } })
  expect(agent).toMatchObject({ role: 'sidecar', state: null })
})

test('an object without a specification has no containers', () => {
  expect(containersOf({})).toEqual([])
  expect(containersOf({ spec: { containers: 'none' } })).toEqual([])
})
