import { expect, test } from 'vitest'
import { AppError } from '../../../platform/errors.ts'
import { fakeClock } from '../../../testing/clock.ts'
import type { LivePort } from '../connection/ports.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { KubeError } from '../watch/kube-client.ts'
import { streamMetrics } from './metrics-stream.ts'
import { createUsageSource, measurePeriodMs } from './usage.ts'

const cluster = { id: 7, organizationId: 1 }

function source() {
  const clock = fakeClock()
  const state = { asked: 0, answer: (): unknown => ({ items: [] }) }
  const client: Pick<KubeClient, 'get'> = {
    get: async (_connection, path) => {
      if (path.endsWith('/pods')) return { items: [] }
      state.asked += 1
      return state.answer()
    },
  }
  const usage = createUsageSource({ client, connect: async () => ({}) as never, clock })
  const round = async (byMs = measurePeriodMs) => {
    const before = state.asked
    clock.advance(byMs)
    await expect.poll(() => state.asked).toBe(before + 1)
    // The answer is handled in the turns after it was given.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { clock, usage, state, round }
}

const oneNode = () => ({ items: [{ metadata: { name: 'n1' }, usage: { cpu: '250m', memory: '1Ki' } }] })

test('followers hear of each measurement, of a failure once, and nothing after the last has left', async () => {
  const { clock, usage, state, round } = source()
  const events: Parameters<LivePort['local']>[0][] = []
  let hook: (() => () => void) | undefined
  streamMetrics({
    clock,
    usage,
    live: {
      local: (event) => events.push(event),
      onSubscription: (_kind, start) => {
        hook = () => start({ kind: 'cluster_metrics', clusterId: 7 } as never, 1)
      },
    },
  })

  state.answer = oneNode
  const stop = hook?.()
  await round(0)
  expect(events).toEqual([
    {
      organizationId: 1,
      type: 'CLUSTER_METRICS_UPDATE',
      data: {
        clusterId: 7,
        nodes: [{ name: 'n1', cpuMillicores: 250, memoryBytes: 1024 }],
        at: '2026-01-01T00:00:00.000Z',
      },
    },
  ])

  state.answer = () => Promise.reject(new AppError('cluster_unreachable', 'It is gone.'))
  await round()
  await round()
  expect(events.slice(1)).toEqual([
    { organizationId: 1, type: 'METRICS_STREAMING_ERROR', data: { clusterId: 7, error: 'It is gone.' } },
  ])

  state.answer = () => Promise.reject(new KubeError(404))
  for (let passed = 0; passed < 60_000; passed += measurePeriodMs) await round()
  expect(events.at(-1)).toMatchObject({ data: { error: expect.stringContaining('has no metrics') } })

  stop?.()
  const before = events.length
  clock.advance(10 * measurePeriodMs)
  expect(events).toHaveLength(before)
})

test('a cluster is measured once for a collector, followers and readers together', async () => {
  const { clock, usage, state, round } = source()
  state.answer = oneNode
  const heard: string[] = []
  const stops = ['collector', 'viewer', 'another viewer'].map((name) =>
    usage.follow(cluster, () => heard.push(name)),
  )
  await round(0)
  expect(heard).toEqual(['collector', 'viewer', 'another viewer'])
  for (let index = 0; index < 3; index += 1) await usage.recent(cluster)
  expect(state.asked).toBe(1)

  // Who comes later hears of the last measurement, not of one of their own.
  stops.push(usage.follow(cluster, () => heard.push('late')))
  clock.advance(0)
  expect(heard.at(-1)).toBe('late')
  expect(state.asked).toBe(1)

  await round()
  expect(state.asked).toBe(2)
  for (const stop of stops) stop()
  clock.advance(10 * measurePeriodMs)
  expect(state.asked).toBe(2)
})
