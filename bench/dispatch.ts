import { uuidv7 } from '../packages/server/src/platform/crypto/uuid.ts'
import type { Database } from '../packages/server/src/platform/db/database.ts'
import { createGiven } from '../packages/server/src/testing/given.ts'
import { DBOS, DBOSClient } from './bare-dbos.ts'
import { openService } from './engine-service.ts'
import { report } from './figure.ts'
import { cpuMs, median, percentile } from './process-figures.ts'
import { withDatabase } from './with-database.ts'

/** Starts one after another: each waits for the next poll, a second where DBOS polls as it does by default. */
const singles = 16
/** Runs of a busy organization, and of one that comes after it. */
const busy = 400
const few = 10
const workMs = 20
const places = 32
const idleMs = 2_000

type Side = {
  /** Queues one for an organization; `begins` resolves when it does, to the milliseconds after the call. */
  queue(organization: 'a' | 'b'): Promise<{ begins: Promise<number> }>
  close(): Promise<void>
}

/**
 * The dispatcher against queues of DBOS, a partition for each organization: how long a start waits, how long a small
 * organization waits behind a busy one, and what waiting for nothing costs.
 */
export async function run(): Promise<void> {
  await withDatabase(async (database) => {
    await measureSide('dispatcher', await ours(database))
    await measureSide('DBOS each second', await dbosQueues(database, 1_000))
    await measureSide('DBOS each 50 ms', await dbosQueues(database, 50))
  })
}

async function measureSide(name: string, side: Side): Promise<void> {
  await (
    await side.queue('a')
  ).begins
  const alone: number[] = []
  for (let number = 0; number < singles; number += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20 + (number % 7) * 13))
    alone.push(await (await side.queue('a')).begins)
  }
  const startedAt = performance.now()
  const many = await Promise.all(Array.from({ length: busy }, () => side.queue('a')))
  const late = await Promise.all(Array.from({ length: few }, () => side.queue('b')))
  const behind = await Promise.all(late.map(({ begins }) => begins))
  await Promise.all(many.map(({ begins }) => begins))
  const perSecond = (busy + few) / ((performance.now() - startedAt) / 1_000)
  const cpuBefore = cpuMs(process.pid)
  await new Promise((resolve) => setTimeout(resolve, idleMs))
  const idle = (cpuMs(process.pid) - cpuBefore) / (idleMs / 1_000)
  await side.close()
  const figures = [
    ['start to begin', median(alone), `p95 ${percentile(alone, 0.95).toFixed(0)} ms`],
    [
      'begin behind another organization',
      median(behind),
      `${few} starts after ${busy}; all at ${perSecond.toFixed(0)} a second`,
    ],
    ['CPU a second while idle', idle, undefined],
  ] as const
  for (const [what, value, detail] of figures) {
    report({ name: `${name}: ${what}`, value, unit: 'ms', ...(detail === undefined ? {} : { detail }) })
  }
}

const work = () => new Promise<void>((resolve) => setTimeout(resolve, workMs))

async function ours(database: Database): Promise<Side> {
  const begun = waiters()
  const service = await openService(database, {
    steps: ['one'],
    async execute({ run }) {
      begun.arrive(run.id)
      await work()
    },
  })
  const users = { a: service.user, b: await createGiven(database).user() }
  return {
    async queue(organization) {
      const at = performance.now()
      const id = await service.start(users[organization])
      return { begins: begun.of(id).then((when) => when - at) }
    },
    close: () => service.engine.stop(),
  }
}

async function dbosQueues(database: Database, pollMs: number): Promise<Side> {
  const begun = waiters()
  const name = `bench_${pollMs}`
  DBOS.registerWorkflow(
    async (id: string) => {
      begun.arrive(id)
      await work()
    },
    { name },
  )
  const quiet = {
    info: () => undefined,
    debug: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  }
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: database.url,
    systemDatabasePool: database.ownerPool,
    executorID: name,
    applicationVersion: name,
    logger: quiet,
  })
  await DBOS.launch()
  await DBOS.registerQueue(name, {
    workerConcurrency: places,
    partitionWorkerConcurrency: places,
    minPollingIntervalMs: pollMs,
  })
  const client = await DBOSClient.create({
    systemDatabaseUrl: database.url,
    systemDatabasePool: database.ownerPool,
    applicationName: 'bench',
    logger: quiet,
  })
  return {
    async queue(organization) {
      const at = performance.now()
      const id = uuidv7()
      const connection = await database.ownerPool.connect()
      try {
        await connection.query('begin')
        await client.enqueueInTransaction(
          connection,
          {
            queueName: name,
            workflowName: name,
            workflowID: id,
            appVersion: name,
            queuePartitionKey: organization,
          },
          id,
        )
        await connection.query('commit')
      } finally {
        connection.release()
      }
      return { begins: begun.of(id).then((when) => when - at) }
    },
    async close() {
      await client.destroy()
      await DBOS.shutdown({ deregister: true })
    },
  }
}

/** When each began, whether or not anybody asked before. */
function waiters() {
  const times = new Map<string, PromiseWithResolvers<number>>()
  const of = (id: string) => {
    const entry = times.get(id) ?? Promise.withResolvers<number>()
    times.set(id, entry)
    return entry
  }
  return {
    arrive: (id: string) => of(id).resolve(performance.now()),
    of: (id: string) => of(id).promise,
  }
}
