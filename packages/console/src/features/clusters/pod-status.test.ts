import { expect, test } from 'vitest'
import { podStatus } from './pod-status.ts'

const ready = { ready: 1, total: 1 }

test.each([
  ['Running', 'running'],
  ['Completed', 'completed'],
  ['Succeeded', 'completed'],
  ['Pending', 'pending'],
  ['ContainerCreating', 'creating'],
  ['Init:0/1', 'creating'],
  ['Init:CrashLoopBackOff', 'error'],
  ['Terminating', 'terminating'],
  ['CrashLoopBackOff', 'error'],
  ['ImagePullBackOff', 'error'],
  ['OOMKilled', 'error'],
  ['Failed', 'error'],
  ['Unknown', 'unknown'],
])('a pod that kubectl calls %s looks %s and keeps its word', (word, status) => {
  expect(podStatus({ status: word, phase: 'Running', ready })).toEqual({ status, label: word })
})

test('a running pod that is not ready does not look healthy', () => {
  const pod = { status: 'Running', phase: 'Running', ready: { ready: 1, total: 2 } }
  expect(podStatus(pod).status).toBe('updating')
})
