import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'

import { createApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { startEmbedded } from '../../platform/db/embedded/supervisor.ts'
import { createLog } from '../../platform/log.ts'
import { createGiven, testArgon2 } from '../given.ts'
import { seeded } from '../seeded.ts'
import { openLedger } from './ledger.ts'
import { createLoad, type GraphName } from './load.ts'
import { openOutside } from './outside.ts'
import { workerProcesses } from './processes.ts'
import { verify, type Violations } from './verify.ts'

export type ChaosFigures = Violations & {
  workersKilled: number
  workersStopped: number
  databasesKilled: number
  runs: number
  cancelled: number
  steps: number
  takenOver: number
  uncertain: number
  effects: number
}

type Options = {
  durationMs: number
  /** At most so many endings. */
  endings?: number
  seed: number
  /** Mean time between two endings. */
  everyMs: number
  workers: number
  /** What the runs do; everything unless given. */
  graphs?: readonly GraphName[]
  onEnding?(figures: { killed: number; stopped: number; databases: number; open: number }): void
}

const settleMs = 90_000
const everyGraph: readonly GraphName[] = ['wide', 'undone', 'chain', 'outside', 'machine', 'workload']
const plenty = { burst: 1_000_000, perSecond: 1_000_000 }

/**
 * A web process, workers and PostgreSQL under load. Workers and PostgreSQL end at random with SIGKILL, workers with
 * SIGTERM as well, and others take their place. Then everything may end, and what is recorded is compared with the ledger
 * of effects. The same seed gives the same endings in the same order.
 */
export async function causeChaos(options: Options): Promise<ChaosFigures> {
  const random = seeded(options.seed)
  const dataDir = await mkdtemp(join(tmpdir(), 'bey-chaos-'))
  const log = createLog({ level: 'fatal', write: () => undefined })
  const server = await startEmbedded({ dataDir, isDurable: true, restartMaxMs: 100 }, log)
  const secretKey = randomBytes(32)
  const [ledger, outside] = await Promise.all([openLedger(), openOutside(dataDir, log)])
  const web = await createApp(
    {
      ...readConfig({}),
      role: 'web',
      port: 0,
      tlsPort: 0,
      dataDir: join(dataDir, 'web'),
      databaseUrl: server.url,
      secretKey,
      argon2: testArgon2,
    },
    log,
    {
      rateLimits: { requestsPerUser: 1_000_000 },
      anonymousLimits: { refusalsPerAddress: plenty, refusalsInAll: plenty },
    },
  )
  const { database } = web
  const workers = workerProcesses({
    DATABASE_URL: server.url,
    BEY_SECRET_KEY: secretKey.toString('base64'),
    BEY_SANDBOX_SPEED: '100',
    // Each start after the first takes half the time.
    NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'] ?? join(dataDir, 'compiled'),
  })
  try {
    await Promise.all(Array.from({ length: options.workers }, () => workers.start()))
    const user = await createGiven(database).user()
    const load = await createLoad({
      url: `http://127.0.0.1:${web.port}`,
      database,
      ledger,
      outside,
      graphs: options.graphs ?? everyGraph,
      user,
      random: seeded(options.seed + 1),
      runsAtOnce: 8,
    })
    const ended = { killed: 0, stopped: 0, databases: 0 }
    const endsAt = Date.now() + options.durationMs
    let isEnding = false
    let settlesUntil: number | undefined
    const ticking = tickUntilOver()

    /** Goes on until all runs are over after the end of the time; errors are those of a database that is away. */
    async function tickUntilOver(): Promise<void> {
      for (;;) {
        const mayStart = !isEnding
        const open = await load.tick(mayStart).catch(() => Number.POSITIVE_INFINITY)
        if (isEnding) settlesUntil ??= Date.now() + settleMs
        if (!mayStart && (open === 0 || Date.now() > (settlesUntil ?? 0))) return
        await sleep(50)
      }
    }

    for (let count = 0; count < (options.endings ?? Infinity) && Date.now() < endsAt; count += 1) {
      // On a slow machine a start takes longer than the time between two endings.
      await workers.oneReady()
      await sleep(options.everyMs * (0.5 + random()))
      const which = random()
      if (which < 0.4) {
        ended.killed += 1
        await workers.replace('SIGKILL')
      } else if (which < 0.6) {
        ended.stopped += 1
        await workers.replace('SIGTERM')
      } else {
        ended.databases += 1
        killDatabase(server.pid())
      }
      options.onEnding?.({ ...ended, open: load.expected.size })
    }
    isEnding = true
    await ticking
    // The engine records the end of a run a moment after the run itself.
    const violations = await settledViolations(() =>
      verify(database.ownerPool, ledger, outside, load.expected),
    )
    const [counts] = (
      await database.ownerPool.query(
        `select (select count(*)::int from step_runs where status not in ('pending', 'skipped')) as steps,
           (select coalesce(sum(recovery_count), 0)::int from workflow_runs) as taken_over`,
      )
    ).rows as [{ steps: number; taken_over: number }]
    return {
      ...violations,
      workersKilled: ended.killed,
      workersStopped: ended.stopped,
      databasesKilled: ended.databases,
      runs: load.figures.started,
      cancelled: load.figures.cancelled,
      steps: counts.steps,
      takenOver: counts.taken_over,
      uncertain: load.figures.uncertain,
      effects: ledger.effects.length,
    }
  } finally {
    await workers.close()
    await web.stop()
    ledger.close()
    await Promise.all([server.stop(), outside.close()])
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** It may have been killed a moment ago and not have been started again yet. */
function killDatabase(pid: number): void {
  try {
    if (pid > 0) kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

/** Asked again while something is still being written. */
async function settledViolations(read: () => Promise<Violations>): Promise<Violations> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const found = await read()
    if (found.lost.length === 0 || Date.now() > deadline) return found
    await sleep(250)
  }
}
