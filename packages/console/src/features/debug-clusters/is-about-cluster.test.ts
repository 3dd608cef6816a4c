import { expect, test } from 'vitest'
import { isAboutCluster } from './is-about-cluster.ts'

const cluster = { id: 7, lastRun: { workflowId: 'w', runId: 'r' } }

test.each([
  [{ data: { clusterId: 7 } }, true],
  [{ data: { cluster_id: '7' } }, true],
  [{ data: { clusterId: 8, runId: 'r' } }, false],
  [{ data: { runId: 'r' } }, true],
  [{ data: { runId: 'other' } }, false],
  [{ data: { clusters: [{ id: 1 }, { id: 7 }] } }, true],
  [{ data: { clusters: [{ id: 1 }, null] } }, false],
  [{ payload: {} }, false],
  [{ data: 'text' }, false],
])('%j concerns cluster 7: %s', (frame, expected) => {
  expect(isAboutCluster(frame, cluster)).toBe(expected)
})
