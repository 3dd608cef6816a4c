// @vitest-environment node
import type { Health, HealthState } from '@bey/contract'
import { healthy } from '@bey/contract'
import { expect, test } from 'vitest'
import { podStatusText } from './pod-status-text.ts'

const health = (state: HealthState, reason: string): Health => ({ ...healthy, state, reason })

test.each([
  ['between two crashes', health('failing', 'CrashLoopBackOff'), 'Running', 'CrashLoopBackOff'],
  ['on a node that does not report', health('unknown', 'NodeNotReady'), 'Running', 'NodeNotReady'],
  ['without a node', health('failing', 'Unschedulable'), 'Pending', 'Unschedulable'],
  ['that starts', health('starting', 'NotReady'), 'Running', 'Running'],
  ['that is well', healthy, 'Running', 'Running'],
  ['that completed', health('healthy', 'Completed'), 'Completed', 'Completed'],
  ['whose init container crashes', health('failing', 'Error'), 'Init:Error', 'Init:Error'],
])('a pod %s', (_about, found, printed, text) => {
  expect(podStatusText(found, printed)).toBe(text)
})
