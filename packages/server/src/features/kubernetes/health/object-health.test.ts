import { expect, test } from 'vitest'
import { podEntry } from '../watch/entries.ts'
import { healthOfPod } from './object-health.ts'

const nowMs = Date.parse('2026-01-01T01:00:00Z')

/** A pod that crashes, as its cluster answers it. */
const crashing = (restartCount: number) =>
  podEntry({
    metadata: { uid: 'u', name: 'web-1', namespace: 'shop', creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { nodeName: 'n1', containers: [{ name: 'app' }] },
    status: {
      phase: 'Running',
      startTime: '2026-01-01T00:00:01Z',
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:10:00Z' }],
      containerStatuses: [
        {
          name: 'app',
          ready: false,
          restartCount,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: {
            terminated: {
              exitCode: 1,
              reason: 'Error',
              startedAt: '2026-01-01T00:58:00Z',
              finishedAt: '2026-01-01T00:58:05Z',
            },
          },
        },
      ],
    },
  })

test('the health of a pod counts the restarts of the object that its page shows', () => {
  const health = healthOfPod(crashing(82), { nodes: new Map() }, nowMs)
  expect(health).toMatchObject({ state: 'failing', reason: 'CrashLoopBackOff' })
  expect(health.detail).toBe('exit code 1, 82 restarts')
  expect(health.object).toEqual({ kind: 'Pod', namespace: 'shop', name: 'web-1' })
})

test('on a node that does not report, the last word of a pod does not count', () => {
  const node = { name: 'n1', isReady: false } as never
  const nodes = new Map([[node, {} as never]])
  expect(healthOfPod(crashing(82), { nodes }, nowMs)).toMatchObject({
    state: 'unknown',
    reason: 'NodeNotReady',
  })
})
