import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createWorkflows } from '../packages/server/src/features/workflows/service.ts'
import { realClock } from '../packages/server/src/platform/clock.ts'
import { uuidv7 } from '../packages/server/src/platform/crypto/uuid.ts'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import type { Engine } from '../packages/server/src/platform/engine/engine.ts'
import { newExecutorId, startEngine } from '../packages/server/src/platform/engine/engine.ts'
import { publishAll } from '../packages/server/src/platform/live/publish.ts'
import { createLog } from '../packages/server/src/platform/log.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { root } from '../tools/source-files.ts'
import { median, treeCpuMs } from './process-figures.ts'
import { withDatabase } from './with-database.ts'
import type * as Sdk from '@dbos-inc/dbos-sdk'

// DBOS belongs to the server's workspace.
const require = createRequire(join(root, 'packages/server/package.json'))
const { DBOS } = require('@dbos-inc/dbos-sdk') as typeof Sdk

const steps = ['one', 'two', 'three', 'four', 'five']
const runsPerRound = 300
const rounds = 8
const atOnce = 32

/** Runs per second through the service's own path, against bare DBOS whose steps write as many rows. */
export async function run(): Promise<void> {
  await withDatabase(async (database) => {
    const pairs: { bare: Figure; service: Figure }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const pair = await measurePair(database, round % 2 === 0)
      if (round > 0) {
        pairs.push(pair)
        continue
      }
      // The first warms up. What it wrote is counted now, as autovacuum does after a minute: until then PostgreSQL
      // plans for empty tables, where it takes any index that begins with the organization for as good as the key.
      await database.ownerPool.query('analyze')
    }
    const bare = pairs.map((pair) => pair.bare)
    const service = pairs.map((pair) => pair.service)
    // Of those that were measured one after the other: a machine may be quick now and slow a minute later.
    const ratio = median(pairs.map((pair) => pair.service.perSecond / pair.bare.perSecond))
    const cpuRatio = median(pairs.map((pair) => pair.service.cpuMs / pair.bare.cpuMs))
    console.log(`  bare DBOS, ${steps.length} steps, same rows   ${figuresText(bare)}`)
    console.log(`  through the service            ${figuresText(service)}`)
    console.log(`  runs per second                ${ratio.toFixed(2)} × bare (goal: at least 0.9)`)
    console.log(`  CPU of a run                   ${cpuRatio.toFixed(2)} × bare`)
  })
}

async function measurePair(database: Database, isBareFirst: boolean) {
  if (isBareFirst) return { bare: await bareRound(database), service: await serviceRound(database) }
  const service = await serviceRound(database)
  return { service, bare: await bareRound(database) }
}

/** `cpuMs` is the CPU time of one run, in this process and in PostgreSQL together. */
type Figure = { perSecond: number; cpuMs: number }

async function measure(work: () => Promise<void>): Promise<Figure> {
  const startedAt = performance.now()
  const cpuBefore = treeCpuMs(process.pid)
  await work()
  const seconds = (performance.now() - startedAt) / 1000
  return { perSecond: runsPerRound / seconds, cpuMs: (treeCpuMs(process.pid) - cpuBefore) / runsPerRound }
}

function figuresText(figures: readonly Figure[]): string {
  const perSecond = median(figures.map((each) => each.perSecond))
  const cpuMs = median(figures.map((each) => each.cpuMs))
  return `${perSecond.toFixed(0)} runs/s, ${cpuMs.toFixed(1)} ms of CPU a run`
}

/**
 * What anybody would write on DBOS who wants a run, its steps and their log lines in tables: one transaction to
 * make and begin it, one per step. Rows of the same width, but without tenants, notifications, cancel, fencing or
 * takeover.
 */
async function bareRound(database: Database): Promise<Figure> {
  const { ownerPool: pool } = database
  await pool.query(`
    create schema if not exists bare;
    create table if not exists bare.runs (id uuid primary key, status text, input jsonb, output jsonb, log_count int not null default 0, started_at timestamptz, finished_at timestamptz, queued_at timestamptz not null default now());
    create table if not exists bare.steps (id uuid primary key, run_id uuid not null references bare.runs, key text, name text, status text, attempt int not null default 0, output jsonb, started_at timestamptz, finished_at timestamptz, unique (run_id, key));
    create table if not exists bare.logs (run_id uuid not null references bare.runs, seq int, step_id uuid references bare.steps, at timestamptz not null default now(), message text, primary key (run_id, seq));`)

  async function transaction(statements: [string, unknown[]][]): Promise<void> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      for (const [text, values] of statements) await client.query(text, values)
      await client.query('commit')
    } finally {
      client.release()
    }
  }

  async function bareRun(runId: string): Promise<void> {
    const ids = steps.map(() => uuidv7())
    await DBOS.runStep(
      () =>
        transaction([
          [`insert into bare.runs (id, status, input) values ($1, 'queued', '{}')`, [runId]],
          [
            `insert into bare.steps (id, run_id, key, name, status) select unnest($1::uuid[]), $2, unnest($3::text[]), unnest($3::text[]), 'pending'`,
            [ids, runId, steps],
          ],
          [`update bare.runs set status = 'running', started_at = now() where id = $1`, [runId]],
          [
            `update bare.steps set status = 'running', started_at = now(), attempt = 1 where id = $1`,
            [ids[0]],
          ],
        ]),
      { name: 'begin' },
    )
    for (const [index, key] of steps.entries()) {
      const next = ids[index + 1]
      await DBOS.runStep(
        () =>
          transaction([
            [`update bare.runs set log_count = log_count + 1 where id = $1`, [runId]],
            [
              `insert into bare.logs (run_id, seq, step_id, message) values ($1, $2, $3, $4)`,
              [runId, index + 1, ids[index], `Doing ${key}.`],
            ],
            [
              `update bare.steps set status = 'succeeded', finished_at = now(), output = '{}' where id = $1`,
              [ids[index]],
            ],
            next === undefined
              ? [
                  `update bare.runs set status = 'completed', finished_at = now(), output = '{}' where id = $1`,
                  [runId],
                ]
              : [
                  `update bare.steps set status = 'running', started_at = now(), attempt = 1 where id = $1`,
                  [next],
                ],
          ]),
        { name: key },
      )
    }
  }

  const workflow = DBOS.registerWorkflow(bareRun, { name: 'bare' })
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: database.url,
    systemDatabasePool: pool,
    executorID: 'bare',
    applicationVersion: 'bare',
    useListenNotify: false,
    logger: { info: () => undefined, debug: () => undefined, warn: () => undefined, error: () => undefined },
  })
  await DBOS.launch()
  const figure = await measure(async () => {
    let started = 0
    const worker = async () => {
      while (started < runsPerRound) {
        started += 1
        const id = uuidv7()
        const handle = await DBOS.startWorkflow(workflow, { workflowID: id })(id)
        await handle.getResult()
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
  })
  await DBOS.shutdown({ deregister: true })
  return figure
}

/** Queued by the service, taken by the dispatcher, executed by the runner, with events and row-level security. */
async function serviceRound(database: Database): Promise<Figure> {
  const user = await createGiven(database).user()
  const log = createLog({ level: 'error', write: (line) => process.stderr.write(line) })
  const executorId = newExecutorId(process.pid, randomBytes(6).toString('hex'))
  const held: { engine?: Engine } = {}
  const engineOf = () => {
    if (held.engine === undefined) throw new Error('The engine has not started')
    return held.engine
  }
  let ended = 0
  const all = Promise.withResolvers<void>()
  const definition = {
    key: 'bench',
    name: 'Benchmark',
    description: '',
    type: 'custom' as const,
    steps: steps.map((key) => ({
      key,
      name: key,
      type: 'bench',
      guarantee: 'at_least_once' as const,
      execute: async (context: { log(message: string): void }) => {
        context.log(`Doing ${key}.`)
        return {}
      },
    })),
  }
  const definitions = new Map([[definition.key, definition]])
  const workflows = createWorkflows({
    database,
    executorId: '',
    definitions,
    stepTypes: new Map(),
    publish: publishAll,
    engine: {
      enqueue: (db, runId) => engineOf().enqueue(db, runId),
      requestCancel: (db, runId) => engineOf().requestCancel(db, runId),
      wakeRun: (db, runId) => engineOf().wakeRun(db, runId),
      state: () => engineOf().state(),
    },
    clock: realClock,
    version: 'bench',
  })
  const interpreter = workflows.interpreter({
    log,
    secretsOf: () => () => Promise.reject(new Error('There are no secrets')),
  })
  held.engine = await startEngine({
    database,
    identity: { executorId, machineId: 'bench', address: 'bench' },
    interpreter: {
      ...interpreter,
      async begin(ref, host) {
        const program = await interpreter.begin(ref, host)
        return (
          program && {
            ...program,
            apply(event) {
              program.apply(event)
              if (event['over'] !== true) return
              ended += 1
              if (ended === runsPerRound) all.resolve()
            },
          }
        )
      },
    },
    clock: realClock,
    log,
    isProcessAlive: () => true,
  })
  const figure = await measure(async () => {
    let started = 0
    const worker = async () => {
      while (started < runsPerRound) {
        started += 1
        await database.withTenant(user.organizationId, (db) =>
          workflows.startRun(db, {
            organizationId: user.organizationId,
            workflowKey: 'bench',
            subject: null,
            input: {},
            trigger: 'manual',
            createdBy: user.id,
          }),
        )
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    await all.promise
  })
  await held.engine.stop()
  return figure
}
