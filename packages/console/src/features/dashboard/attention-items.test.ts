import type { Cluster, Dashboard, Run } from '@bey/contract'
import { expect, test } from 'vitest'
import { attentionItems } from './attention-items.ts'
import { objectsHref, partsText, successText } from './figure-text.ts'

// Only what the list reads.
const failedRun = {
  id: 'r1',
  workflowId: 'w1',
  workflowName: 'Provision cluster',
  status: 'failed',
  subject: null,
  error: { message: 'The port is taken.', stepKey: null },
  finishedAt: '2026-11-21T06:00:00.000Z',
  queuedAt: '',
} as unknown as Run
const broken = {
  id: 1,
  title: 'prod',
  error: 'The port is taken.',
  updatedAt: '',
  lastRun: { workflowId: 'w1', runId: 'r1' },
} as unknown as Cluster
const figures = {
  unreachableClusters: [{ id: 2, title: 'edge', reason: 'Connection refused.' }],
  clusterRows: [
    { id: 3, title: 'staging', pods: { total: 4, byPhase: { Running: 3, Failed: 1 } } },
    { id: 4, title: 'calm', pods: { total: 1, byPhase: { Running: 1 } } },
  ],
} as unknown as Dashboard

test('what is wrong is listed by gravity, and nothing that is well', () => {
  const items = attentionItems({ figures, clusters: [broken], runs: [{ ...failedRun, id: 'r2' }] })
  expect(items.map((item) => item.key)).toEqual(['cluster-1', 'unreachable-2', 'pods-3', 'run-r2'])
  expect(items[2]).toMatchObject({
    name: '1 pod',
    place: 'staging',
    href: '/kubernetes/clusters/3/pods?status=Failed',
  })
})

test('the failed run of a cluster in error is told once', () => {
  expect(attentionItems({ figures: undefined, clusters: [broken], runs: [failedRun] })).toHaveLength(1)
})

test('parts of a figure leave out what is zero, and begin with the greatest', () => {
  expect(partsText({ ERROR: 1, RUNNING: 12, PENDING: 0, timed_out: 2 })).toBe(
    '12 running, 2 timed out, 1 error',
  )
})

test('no share is shown while no run is over', () => {
  expect(successText({ running: 2 })).toBeUndefined()
  expect(successText({ completed: 49, failed: 1 })).toBe('98% completed')
})

test('figures of one cluster lead into it, those of several to the list', () => {
  expect(objectsHref([7], 'pods')).toBe('/kubernetes/clusters/7/pods')
  expect(objectsHref([7, 8], 'pods')).toBe('/kubernetes/clusters')
  expect(objectsHref([], 'pods')).toBe('/kubernetes/clusters')
})
