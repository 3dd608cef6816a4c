import { expect, test } from 'vitest'

import { StepFailure } from '../../../platform/engine/step-failure.ts'
import { podTrouble, storageTrouble } from './pod-trouble.ts'
import { waitForCluster } from './wait-for-cluster.ts'

type Said = { phase?: string; readyInstances?: number; phaseReason?: string }

/** Waits for a Cluster that says what the script answers at each second; time passes by waiting alone. */
async function waiting(script: (second: number) => Said | undefined, pods: object[] = []) {
  let nowMs = 0
  const lines: string[] = []
  const context = {
    log: (line: string) => void lines.push(line),
    progress: () => undefined,
    sleep: async (durationMs: number) => void (nowMs += durationMs),
  }
  const call = async (_method: string, path: string) => {
    if (path.includes('/pods')) return { status: 200, body: { items: pods } }
    const status = script(nowMs / 1_000)
    return status === undefined
      ? { status: 404, body: {} }
      : { status: 200, body: { metadata: { name: 'orders' }, spec: { instances: 2 }, status } }
  }
  const subject = { namespace: 'shop', name: 'orders', call }
  const isDone = (_object: unknown, { status }: { status: string }) => status === 'available'
  const end = await waitForCluster(context, { monotonicMs: () => nowMs }, { ...subject, isDone }).then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof StepFailure) return error.message
      throw error
    },
  )
  return { end, seconds: nowMs / 1_000, lines }
}

const pulling = {
  metadata: { name: 'orders-1' },
  status: {
    initContainerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } }],
  },
}

test('each phase of a new Cluster is a line of the log, until all of its instances are ready', async () => {
  const { end, lines } = await waiting((second) => {
    if (second < 2) return { phase: 'Setting up primary', readyInstances: 0 }
    if (second < 5) return { phase: 'Creating a new replica', readyInstances: 1 }
    return { phase: 'Cluster in healthy state', readyInstances: 2 }
  })
  expect(end).toBe('done')
  expect(lines).toEqual([
    'Setting up primary; 0 of 2 instances are ready.',
    'Creating a new replica; 1 of 2 instances are ready.',
  ])
})

test('an operator that says nothing for a minute is named', async () => {
  const { end, seconds } = await waiting(() => ({}))
  expect(end).toContain('CloudNativePG has not taken up the Cluster "orders" for 60 s')
  expect(seconds).toBe(61)
})

test('an image that cannot be pulled is logged at once, and fails the step when it lasts', async () => {
  const { end, seconds, lines } = await waiting(() => ({ phase: 'Setting up primary' }), [pulling])
  const sentence =
    'The image of the pod "orders-1" cannot be pulled: not found. Check the version and the registry.'
  expect([end, lines.at(-1)]).toEqual([sentence, sentence])
  expect(seconds).toBe(121)
})

test('what waits for a person fails, and a Cluster that somebody deletes is said', async () => {
  const stuck = await waiting(() => ({
    phase: 'Invalid cluster definition',
    phaseReason: 'no such parameter',
  }))
  expect(stuck.end).toBe('CloudNativePG refuses its definition: no such parameter.')
  const gone = await waiting((second) => (second < 3 ? { phase: 'Setting up primary' } : undefined))
  expect(gone.end).toBe('The Cluster "orders" is gone from the namespace "shop".')
})

test('a pod that no node takes is said with the reason of the scheduler', () => {
  const message = '0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.'
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }]
  expect(podTrouble([{ metadata: { name: 'orders-1' }, status: { conditions } }])).toBe(
    `No node takes the pod "orders-1": ${message}`,
  )
  expect(podTrouble([{ metadata: { name: 'orders-1' }, status: { phase: 'Running' } }])).toBeUndefined()
})

test('a cluster without a default storage class is said before volumes are asked of it', async () => {
  const answer = (items: object[]) => async () => ({ status: 200, body: { items } })
  expect(await storageTrouble(answer([]), null)).toContain('no storage class')
  expect(await storageTrouble(answer([{ metadata: { name: 'fast' } }]), null)).toContain(
    'no default storage class',
  )
  expect(await storageTrouble(async () => ({ status: 403, body: {} }), null)).toBeUndefined()
})
