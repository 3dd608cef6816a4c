import type { Database } from '../packages/server/src/platform/db/database.ts'
import { openBare, type Transport } from './bare-dbos.ts'
import { measureLatency, reportLatency } from './engine-latency.ts'
import { openService } from './engine-service.ts'
import { median, treeCpuMs } from './process-figures.ts'
import { countStatements } from './statements.ts'
import { withDatabase } from './with-database.ts'
import { report } from './figure.ts'

const steps = ['one', 'two', 'three', 'four', 'five']
const runsPerRound = 300
const rounds = 8
const atOnce = 32

/**
 * Runs per second through the service's own path, against bare DBOS whose steps write the same rows: with the driver as
 * anybody uses it, and with the transport of the service. Then how long one run takes.
 */
export async function run(): Promise<void> {
  await withDatabase(async (database) => {
    const found: Round[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const figures = await measureRound(database, round)
      if (round > 0) {
        found.push(figures)
        continue
      }
      // The first warms up. What it wrote is counted now, as autovacuum does after a minute: until then PostgreSQL
      // plans for empty tables, where it takes any index that begins with the organization for as good as the key.
      await database.ownerPool.query('analyze')
    }
    const only = (side: keyof Round) => found.map((each) => each[side])
    console.log(`  bare DBOS, ${steps.length} steps, same rows   ${figuresText(only('plain'))}`)
    console.log(`  with the same transport        ${figuresText(only('pipelined'))}`)
    console.log(`  through the service            ${figuresText(only('service'))}`)
    for (const [side, name, goal, cause] of [
      ['plain', 'bare', 0.9, undefined],
      [
        'pipelined',
        'bare with the same transport',
        0.85,
        'bare DBOS sets no tenant, checks no owner of the run and publishes no events, and PostgreSQL lets transactions that notify commit one at a time',
      ],
    ] as const) {
      // Of those that were measured one after the other: a machine may be quick now and slow a minute later.
      const ratio = median(found.map((each) => each.service.perSecond / each[side].perSecond))
      const cpu = median(found.map((each) => each.service.cpuMs / each[side].cpuMs))
      const detail = `its CPU ${cpu.toFixed(2)} ×`
      report({
        name: `runs per second against ${name}`,
        value: ratio,
        unit: '×',
        goal,
        isAtLeast: true,
        detail,
        ...(cause === undefined ? {} : { cause }),
      })
    }
    reportLatency(await measureLatency(database))
  })
}

type Round = Record<Transport | 'service', Figure>

async function measureRound(database: Database, round: number): Promise<Round> {
  const sides = [
    async () => ({ plain: await bareRound(database, 'plain') }),
    async () => ({ pipelined: await bareRound(database, 'pipelined') }),
    async () => ({ service: await serviceRound(database) }),
  ]
  const turned = [...sides.slice(round % 3), ...sides.slice(0, round % 3)]
  let figures = {}
  for (const side of turned) figures = { ...figures, ...(await side()) }
  // Each side has given its own.
  return figures as Round
}

/** `cpuMs` is the CPU time of one run, in this process and in PostgreSQL together; the counts are of one run, too. */
type Figure = { perSecond: number; cpuMs: number; statements: number; commits: number }

async function measure(work: () => Promise<void>): Promise<Figure> {
  const startedAt = performance.now()
  const cpuBefore = treeCpuMs(process.pid)
  const before = countStatements()
  await work()
  const seconds = (performance.now() - startedAt) / 1000
  const after = countStatements()
  return {
    perSecond: runsPerRound / seconds,
    cpuMs: (treeCpuMs(process.pid) - cpuBefore) / runsPerRound,
    statements: (after.statements - before.statements) / runsPerRound,
    commits: (after.commits - before.commits) / runsPerRound,
  }
}

function figuresText(figures: readonly Figure[]): string {
  const of = (name: keyof Figure) => median(figures.map((each) => each[name]))
  return (
    `${of('perSecond').toFixed(0)} runs/s; a run takes ${of('cpuMs').toFixed(1)} ms of CPU, ` +
    `${of('statements').toFixed(1)} statements, ${of('commits').toFixed(1)} commits`
  )
}

async function bareRound(database: Database, transport: Transport): Promise<Figure> {
  const bare = await openBare(database, transport, steps)
  const figure = await measure(() => repeat(atOnce, bare.execute))
  await bare.close()
  return figure
}

async function serviceRound(database: Database): Promise<Figure> {
  let ended = 0
  const all = Promise.withResolvers<void>()
  const service = await openService(database, {
    steps,
    onOver() {
      ended += 1
      if (ended === runsPerRound) all.resolve()
    },
  })
  const figure = await measure(async () => {
    await repeat(8, () => service.start())
    await all.promise
  })
  await service.engine.stop()
  return figure
}

/** The runs of a round, so many of them at once. */
async function repeat(width: number, work: () => Promise<unknown>): Promise<void> {
  let started = 0
  const worker = async () => {
    while (started < runsPerRound) {
      started += 1
      await work()
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
}
