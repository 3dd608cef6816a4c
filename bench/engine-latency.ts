import type { Database } from '../packages/server/src/platform/db/database.ts'
import { openService } from './engine-service.ts'
import { median, percentile } from './process-figures.ts'
import { report } from './figure.ts'

const warmUp = 30
const runs = 300

export type Latency = { startedMs: number[]; doneMs: number[] }

/** How long runs of three steps take, one after another: to their first step, and until they are over. */
export async function measureLatency(database: Database): Promise<Latency> {
  const probe = latencyProbe()
  const service = await openService(database, probe.options)
  const latency = await probe.measure(service.start, runs)
  await service.engine.stop()
  return latency
}

/** For a service whose runs are timed. */
export function latencyProbe() {
  const begun = new Map<string, number>()
  const over = new Map<string, (at: number) => void>()
  const options = {
    steps: ['one', 'two', 'three'],
    execute: async ({ run }: { run: { id: string } }) => {
      if (!begun.has(run.id)) begun.set(run.id, performance.now())
    },
    onOver: (runId: string) => {
      const resolve = over.get(runId)
      if (resolve === undefined) ended.set(runId, performance.now())
      else resolve(performance.now())
    },
  }
  const ended = new Map<string, number>()

  async function one(start: () => Promise<string>): Promise<{ startedMs: number; doneMs: number }> {
    const at = performance.now()
    const runId = await start()
    const doneAt = ended.get(runId) ?? (await new Promise<number>((resolve) => over.set(runId, resolve)))
    return { startedMs: (begun.get(runId) ?? Number.NaN) - at, doneMs: doneAt - at }
  }

  return {
    options,
    async measure(start: () => Promise<string>, count: number): Promise<Latency> {
      const latency: Latency = { startedMs: [], doneMs: [] }
      for (let number = 0; number < warmUp + count; number += 1) {
        const { startedMs, doneMs } = await one(start)
        if (number < warmUp) continue
        latency.startedMs.push(startedMs)
        latency.doneMs.push(doneMs)
      }
      return latency
    },
  }
}

export function reportLatency({ startedMs, doneMs }: Latency, suffix = ''): void {
  const all: [string, number, number?][] = [
    ['three steps, start to done, median', median(doneMs), 25],
    ['three steps, start to done, p95', percentile(doneMs, 0.95), 60],
    ['start to first step, median', median(startedMs)],
    ['start to first step, p95', percentile(startedMs, 0.95), 25],
  ]
  const cause = 'each step is on the disk before the next begins'
  for (const [name, value, goal] of all) {
    report({ name: `${name}${suffix}`, value, unit: 'ms', ...(goal === undefined ? {} : { goal, cause }) })
  }
}
