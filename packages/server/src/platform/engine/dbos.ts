import { AsyncLocalStorage } from 'node:async_hooks'

import { DBOS, type DLogger } from '@dbos-inc/dbos-sdk'
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor'
import { dbRetryConfig } from '@dbos-inc/dbos-sdk/internal/utils'
import type pg from 'pg'

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Interpreter, RunRef } from './interpreter.ts'

// Bumped only when the loop below changes in a way that recorded runs could not be replayed by.
const applicationVersion = '1'
const schema = 'dbos'
const resumeAfterMs = 1_000

// DBOS waits up to a minute between two tries, long after the database is back.
Object.assign(dbRetryConfig, { initialBackoffSec: 0.2, maxBackoffSec: 2 })

export type DurableLoop = {
  /** Starts the run here; a run that was started before, here or elsewhere, is not started again. */
  start(ref: RunRef): Promise<void>
  /** Puts what a dead process was at back into the queue, for any living one. */
  recover(executorId: string): Promise<void>
  /** Deletes what is recorded of runs that are over. */
  forget(runIds: string[]): Promise<void>
  /** Lets go of the database; runs that are parked stay as they are recorded. */
  stop(): Promise<void>
}

type LoopEvents = {
  /** A run begins to execute in this process; what is answered ends its step early on a cancel. */
  onEnter(ref: RunRef): AbortSignal
  onLeave(ref: RunRef): void
  /** True when no further step may begin, for the process is going down. */
  isStopping(): boolean
}

type Options = {
  pool: pg.Pool
  url: string
  executorId: string
  clock: Clock
  log: Log
  interpreter: Interpreter
  events: LoopEvents
}

/**
 * DBOS Transact behind our port: one durable workflow that walks through a run's steps. DBOS records each step
 * under the run's id, so a step that was recorded is not executed again by whoever takes the run over.
 * DBOS is launched once per process at a time.
 */
export async function launchLoop(options: Options): Promise<DurableLoop> {
  const { interpreter, events, executorId, log } = options

  async function interpret(organizationId: number, runId: string): Promise<void> {
    const ref = { organizationId, runId }
    const signal = events.onEnter(ref)
    try {
      await walk(ref, signal)
    } catch (error) {
      // Steps do not throw: this is the database, lost in a way that DBOS does not wait for.
      log.warn({ err: error, runId }, 'A run was interrupted and is resumed')
      await resume(runId)
      await park(ref)
    }
    events.onLeave(ref)
  }

  async function walk(ref: RunRef, signal: AbortSignal): Promise<void> {
    for (const key of await interpreter.begin(ref, executorId)) {
      if (events.isStopping()) return await park(ref)
      const outcome = await DBOS.runStep(() => performOrPark(ref, key, signal), { name: key })
      if (outcome === 'over') return
    }
  }

  /** Gives a run back to the queue as soon as the database takes it. */
  async function resume(runId: string): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => options.clock.setTimeout(resolve, resumeAfterMs))
      try {
        await executor?.systemDatabase.resumeWorkflows([runId])
        return
      } catch (error) {
        log.debug({ err: error, runId }, 'The run waits for the database')
      }
    }
  }

  async function performOrPark(ref: RunRef, key: string, signal: AbortSignal): Promise<'next' | 'over'> {
    const outcome = await interpreter.perform(ref, key, signal)
    if (outcome === 'next' || outcome === 'over') return outcome
    if (outcome === 'lost')
      log.warn({ runId: ref.runId, step: key }, 'Another process has taken this run over')
    return park(ref)
  }

  /** Leaves a run as it is recorded: whoever takes it over goes on from there. */
  function park(ref: RunRef): Promise<never> {
    events.onLeave(ref)
    return new Promise(() => undefined)
  }

  const workflow = DBOS.registerWorkflow(interpret, { name: 'interpret', maxRecoveryAttempts: 1_000_000 })
  DBOS.setConfig({
    name: 'bey',
    systemDatabaseUrl: options.url,
    systemDatabasePool: options.pool,
    systemDatabaseSchemaName: schema,
    executorID: executorId,
    applicationVersion,
    logger: loggerOf(log),
    useListenNotify: false,
    enableOTLP: false,
    tracingEnabled: false,
  })
  // The end of one run starts the next, which must not become a child of the first.
  const outside = AsyncLocalStorage.snapshot()
  await DBOS.launch()
  const executor = DBOSExecutor.globalInstance
  if (executor === undefined) throw new Error('DBOS did not launch')

  return {
    async start({ organizationId, runId }) {
      await outside(() => DBOS.startWorkflow(workflow, { workflowID: runId })(organizationId, runId))
    },
    async recover(dead) {
      await executor.recoverPendingWorkflows([dead])
    },
    forget: (runIds) => executor.systemDatabase.deleteWorkflows(runIds),
    stop: () => DBOS.shutdown({ deregister: true }),
  }
}

/** DBOS tells of its own workings at info; to our readers these are details. */
function loggerOf(log: Log): DLogger {
  const child = log.child({ component: 'dbos' })
  return {
    info: (entry) => child.debug(String(entry)),
    debug: (entry) => child.trace(String(entry)),
    warn: (entry) => child.warn(String(entry)),
    error: (entry, metadata) => child.error({ err: metadata?.error }, String(entry)),
  }
}
