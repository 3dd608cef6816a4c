import { randomBytes } from 'node:crypto'
import { reportStep } from '../packages/server/src/features/workflows/engine/reporter.ts'
import { lockRunState } from '../packages/server/src/features/workflows/runs/store.ts'
import { createMask, type Mask } from '../packages/server/src/platform/masking/mask.ts'
import { realClock } from '../packages/server/src/platform/clock.ts'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import { publishAll } from '../packages/server/src/platform/live/publish.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { report } from './figure.ts'
import { median, treeCpuMs } from './process-figures.ts'
import { withDatabase } from './with-database.ts'

const valueCount = 1_000
const linesAtOnce = 4_000
const rounds = 12

/** Log lines a second of a step that knows 1,000 secret values, against the same lines of one that knows none. */
export async function run(): Promise<void> {
  await withDatabase(async (database) => {
    const values = Array.from({ length: valueCount }, valueOf)
    const startedAt = performance.now()
    const mask = createMask(values)
    const builtMs = performance.now() - startedAt
    const lines = Array.from({ length: linesAtOnce }, (_, index) => lineOf(index, values))
    const times = { plain: [] as number[], masked: [] as number[], ratio: [] as number[] }
    // One after the other and in turns, for a machine may be quick now and slow a minute later.
    for (let round = 0; round <= rounds; round += 1) {
      const order = round % 2 === 0 ? ([undefined, mask] as const) : ([mask, undefined] as const)
      const both = { plain: 0, masked: 0 }
      for (const each of order) both[each ? 'masked' : 'plain'] = await write(database, lines, each)
      if (round === 0) continue
      times.plain.push(both.plain)
      times.masked.push(both.masked)
      times.ratio.push(both.masked / both.plain)
    }
    const alone = await aloneMs(lines, mask)
    const each = (ms: number) => (ms / linesAtOnce) * 1000
    report({ name: `mask of ${valueCount} values, made`, value: builtMs, unit: 'ms' })
    report({
      name: 'CPU time of a log line, more with the mask',
      value: (median(times.ratio) - 1) * 100,
      unit: '%',
      goal: 5,
      cause: 'the difference of two CPU times varies by more than it; the mask alone is the figure below',
      detail: `${each(median(times.masked)).toFixed(1)} against ${each(median(times.plain)).toFixed(1)} µs`,
    })
    report({
      name: 'mask alone, of the CPU time of a log line',
      value: (alone / median(times.plain)) * 100,
      unit: '%',
      goal: 5,
      cause: 'each character of a line moves an automaton of all values on',
      detail: `${each(alone).toFixed(2)} µs a line`,
    })
  })
}

/** Passwords, keys and addresses with a common beginning, as an organization has them. */
function valueOf(_: unknown, index: number): string {
  if (index % 3 === 0)
    return `postgres://shop:${randomBytes(12).toString('base64url')}@db-${index}.internal/shop`
  if (index % 3 === 1) return `sk_live_${randomBytes(24).toString('base64url')}`
  return randomBytes(16).toString('base64')
}

/** A line of an application; one in a hundred contains a value. */
function lineOf(index: number, values: readonly string[]): string {
  const order = randomBytes(8).toString('hex')
  const leaked = index % 100 === 0 ? ` ${values[index % values.length]}` : ''
  return `{"level":"info","at":"2026-01-01T00:00:00Z","msg":"order ${order} is paid","url":"https://shop.example.com/orders/${index}","ms":12}${leaked}`
}

/** Milliseconds of CPU time, of this process and of PostgreSQL, until the lines are committed. */
async function write(database: Database, lines: readonly string[], mask: Mask | undefined): Promise<number> {
  const given = createGiven(database)
  const { id, organizationId } = await given.run({ status: 'running', executorId: 'me' })
  await given.step({ organizationId, runId: id, status: 'running', attempt: 1 })
  const state = await database.withTenant(organizationId, (db) => lockRunState(db, id))
  const [step] = state?.steps ?? []
  if (state === undefined || step === undefined) throw new Error('There is no step')
  const all = Promise.withResolvers<void>()
  const report = reportStep({
    run: state.run,
    step,
    executorId: 'me',
    publish: publishAll,
    // What is written together does not depend on how quickly the lines come.
    clock: { ...realClock, setTimeout: (work) => realClock.setTimeout(work, 0) },
    async withRun(work) {
      const result = await database.withTenant(organizationId, (db) => work(db, false))
      setImmediate(() => report.pending().length === 0 && all.resolve())
      return result
    },
    onProgress: async () => undefined,
    onFailure: (error) => all.reject(error),
    mask,
  })
  const cpuBefore = treeCpuMs(process.pid)
  for (const line of lines) report.log(line, 'info')
  await all.promise
  await report.stop()
  return treeCpuMs(process.pid) - cpuBefore
}

/** The quickest of some passes over all lines. */
async function aloneMs(lines: readonly string[], mask: Mask): Promise<number> {
  const times: number[] = []
  for (let pass = 0; pass < 10; pass += 1) {
    const startedAt = performance.now()
    for (const line of lines) mask(line)
    times.push(performance.now() - startedAt)
  }
  return Math.min(...times)
}
