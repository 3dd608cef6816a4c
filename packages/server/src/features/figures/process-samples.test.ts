import { metricDescription, processMetrics } from '@bey/contract'
import { expect, test } from 'vitest'
import { realClock } from '../../platform/clock.ts'
import { createLog } from '../../platform/log.ts'
import type { Sample } from '../../platform/metrics/metrics.ts'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { recordProcess } from './process-samples.ts'

const database = await testDatabase()
const given = createGiven(database)

test('a process writes its figures for the first organization alone, requests per second of the time between', async () => {
  const first = await given.user()
  await given.user()
  const written: { organizationId: number; samples: readonly Sample[] }[] = []
  let tick: (() => void) | undefined
  let now = 1_000
  const recorder = recordProcess({
    database,
    metrics: {
      write: async (organizationId, _entity, _at, samples) => {
        written.push({ organizationId, samples })
        return { written: samples.length, refused: 0, reason: null }
      },
    },
    clock: {
      ...realClock,
      monotonicMs: () => now,
      setInterval: (callback) => {
        tick = callback
        return () => undefined
      },
    },
    log: createLog({ level: 'fatal' }),
    live: () => ({ connections: 3 }),
    port: 8080,
  })
  recorder.observe(200, 30)
  recorder.observe(503, 10)
  now += 10_000
  tick?.()
  await recorder.stop()
  expect(written.map(({ organizationId }) => organizationId)).toEqual([first.organizationId])
  const values = new Map(written[0]?.samples.map(({ metric, value }) => [metric, value]))
  expect([...values.keys()].toSorted()).toEqual(Object.values(processMetrics).toSorted())
  expect([...values.keys()].filter((name) => metricDescription(name) === undefined)).toEqual([])
  expect(values.get(processMetrics.requests)).toBe(0.2)
  expect(values.get(processMetrics.requestErrors)).toBe(0.1)
  expect(values.get(processMetrics.requestTime)).toBe(20)
  expect(values.get(processMetrics.sockets)).toBe(3)
  expect(values.get(processMetrics.memory)).toBeGreaterThan(1_000_000)
})
