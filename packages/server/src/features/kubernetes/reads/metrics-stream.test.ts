import { expect, test } from 'vitest'
import { AppError } from '../../../platform/errors.ts'
import { fakeClock } from '../../../testing/clock.ts'
import { metricsPeriodMs, streamMetrics } from './metrics-stream.ts'
import type { LivePort } from '../connection/ports.ts'
import type { Usage } from './usage.ts'

test('followers hear of usage every few seconds, of a failure once, and nothing after the last has left', async () => {
  const clock = fakeClock()
  const events: Parameters<LivePort['local']>[0][] = []
  let answer: () => Promise<Usage | undefined> = async () => undefined
  let asked = 0
  let hook: (() => () => void) | undefined
  streamMetrics({
    clock,
    usage: {
      recent: async () => undefined,
      forget: () => undefined,
      fetch: () => {
        asked += 1
        return answer()
      },
    },
    live: {
      local: (event) => events.push(event),
      onSubscription: (_kind, start) => {
        hook = () => start({ kind: 'cluster_metrics', clusterId: 7 } as never, 1)
      },
    },
  })
  const round = async () => {
    const before = asked
    clock.advance(metricsPeriodMs)
    await expect.poll(() => asked).toBe(before + 1)
    // The answer is handled in the turn after it was given.
    await new Promise((resolve) => setImmediate(resolve))
  }

  answer = async () => ({
    nodes: new Map([['n1', { cpuMillicores: 250, memoryBytes: 1024 }]]),
    pods: new Map(),
    atMs: 0,
  })
  const stop = hook?.()
  await round()
  expect(events).toEqual([
    {
      organizationId: 1,
      type: 'CLUSTER_METRICS_UPDATE',
      data: {
        clusterId: 7,
        nodes: [{ name: 'n1', cpuMillicores: 250, memoryBytes: 1024 }],
        at: '1970-01-01T00:00:00.000Z',
      },
    },
  ])

  answer = () => Promise.reject(new AppError('cluster_unreachable', 'It is gone.'))
  await round()
  await round()
  expect(events.slice(1)).toEqual([
    { organizationId: 1, type: 'METRICS_STREAMING_ERROR', data: { clusterId: 7, error: 'It is gone.' } },
  ])

  answer = async () => undefined
  for (let passed = 0; passed < 60_000; passed += metricsPeriodMs) await round()
  expect(events.at(-1)).toMatchObject({ data: { error: expect.stringContaining('has no metrics') } })

  stop?.()
  const before = events.length
  clock.advance(10 * metricsPeriodMs)
  expect(events).toHaveLength(before)
})
