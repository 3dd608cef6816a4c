import type { NodeDetail } from '@bey/contract'
import { expect, test } from 'vitest'
import { nodeSentence } from './node-text.ts'

const none = { failing: 0, degraded: 0, unknown: 0, starting: 0, healthy: 0 }
const detail = (
  node: Partial<NodeDetail['node']>,
  podHealth: Partial<NodeDetail['podHealth']> = {},
): Pick<NodeDetail, 'node' | 'podHealth'> => ({
  node: {
    uid: 'u',
    name: 'workers-1',
    status: 'Ready',
    health: { state: 'healthy', reason: null, detail: null, since: null, object: null },
    isSchedulable: true,
    roles: [],
    version: '',
    internalIp: null,
    zone: null,
    podCount: 0,
    failingCount: 0,
    failing: [],
    cpu: { requested: 0, allocatable: 4000, used: null },
    memory: { requested: 0, allocatable: 0, used: null },
    createdAt: null,
    ...node,
  },
  podHealth: { ...none, ...podHealth },
})

test('the sentence of a node says how it is, what is used of it, and how its pods are', () => {
  const busy = detail(
    { podCount: 7, cpu: { requested: 0, allocatable: 4000, used: 721 } },
    { failing: 1, starting: 2, healthy: 4 },
  )
  expect(nodeSentence(busy)).toBe('Ready, 18% CPU; 7 pods, 1 failing, 2 starting')
  // What is not measured is left out, and is not 0%.
  expect(nodeSentence(detail({ status: 'NotReady,SchedulingDisabled', isSchedulable: false }))).toBe(
    'Not ready, cordoned; no pods',
  )
})
