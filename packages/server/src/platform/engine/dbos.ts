import { AsyncLocalStorage } from 'node:async_hooks'

import { DBOS, DBOSClient, type DLogger } from '@dbos-inc/dbos-sdk'
import type pg from 'pg'

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { currentOwnerXid, DBOSExecutor, tuneDbos } from './dbos-internals.ts'
import type { Interpreter, RunEvent, RunHost, RunProgram, RunRef } from './interpreter.ts'
import { createJournal, type Journal } from './journal.ts'
import { retriablePool } from './retriable-pool.ts'

// Bumped only when the events of runs change in a way that recorded ones could not be applied any more.
const applicationVersion = '2'
const applicationName = 'bey'
/** Also named by the functions in `access.sql`. */
export const engineSchema = 'dbos'
const resumeAfterMs = 1_000

tuneDbos()

/** What DBOS records of a run: not started, under way (here, elsewhere or waiting for a process), or over. */
type LoopStatus = 'absent' | 'under_way' | 'over'

export type DurableLoop = {
  /** Starts the run here; a run that was started before, here or elsewhere, is not started again. */
  start(ref: RunRef): Promise<void>
  /** Returns the runs of a dead process to the queue. */
  recover(executorId: string): Promise<void>
  status(runId: string): Promise<LoopStatus>
  /** Puts a run that is under way back into the queue, for any living process. */
  resume(runId: string): Promise<void>
  /** Forgets what is recorded of a run and starts it anew: it goes on from its own rows. */
  restart(ref: RunRef): Promise<void>
  /** Takes no more runs that others hand on. */
  leaveQueue(): Promise<void>
  /** Resolves when the runs that were left are handed on, but not later than this. */
  handedOver(withinMs: number): Promise<void>
  /** Deletes what is recorded of runs that are over. */
  forget(runIds: string[]): Promise<void>
  /** Lets go of the database; runs that are parked stay as they are recorded. */
  stop(): Promise<void>
}

type LoopEvents = {
  /** A run begins to execute in this process; what is answered lets it be woken and its steps ended early. */
  onEnter(ref: RunRef, journal: Journal): RunHost
  /** It executes here no more; `host` is the one of the execution that ends, for another may have begun. */
  onLeave(ref: RunRef, host: RunHost): void
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
 * DBOS Transact behind our port: a run is one durable workflow whose steps are the events of the run. Each event is recorded
 * as a step of DBOS in the transaction that changes the rows of the run, so the process that takes the run over is given
 * those that were recorded and executes what comes after them. DBOS is launched once per process at a time.
 */
export async function launchLoop(options: Options): Promise<DurableLoop> {
  const { interpreter, events, executorId, log } = options
  const leaving = handOver((runIds) => outside(() => systemDatabase().resumeWorkflows(runIds)), log)

  async function interpret(organizationId: number, runId: string): Promise<void> {
    const ref = { organizationId, runId }
    const owner = currentOwnerXid(runId)
    if (owner === undefined) throw new Error('The run is not executed by DBOS')
    const host = events.onEnter(ref, createJournal(runId, owner, applicationName))
    try {
      await walk(ref, host)
    } catch (error) {
      // Steps do not throw: this is the database, lost in a way that DBOS does not wait for.
      log.warn({ err: error, runId }, 'A run was interrupted and is resumed')
      return parkAnd(ref, host, () => systemDatabase().resumeWorkflows([runId]))
    }
    events.onLeave(ref, host)
  }

  async function walk(ref: RunRef, host: RunHost): Promise<void> {
    const program = await interpreter.begin(ref, host)
    if (program === undefined) return
    while (!program.isOver()) {
      if (events.isStopping()) {
        await program.idle()
        return await leave(ref, host)
      }
      const event = await nextEventOrPark(ref, program, host)
      if (event === 'over') return
      program.apply(event)
    }
  }

  async function nextEventOrPark(
    ref: RunRef,
    program: RunProgram,
    host: RunHost,
  ): Promise<RunEvent | 'over'> {
    const result = await nextEventOrAbandon(ref, program)
    switch (result) {
      case 'lost':
        log.warn({ runId: ref.runId }, 'Another process has taken this run over')
        return park(ref, host)
      case 'left':
        return leave(ref, host)
      case 'again':
        log.warn({ runId: ref.runId }, 'A run goes on from what its rows say')
        return parkAnd(ref, host, () => restart(ref))
      default:
        return result
    }
  }

  /** What cannot be recorded now cannot be later: the run ends instead of trying for ever. */
  async function nextEventOrAbandon(ref: RunRef, program: RunProgram) {
    try {
      return await program.nextEvent()
    } catch (error) {
      log.error({ err: error, runId: ref.runId }, 'The result of a step could not be recorded')
      const reason = 'The result of the step could not be recorded. Start the run again.'
      await interpreter.abandon(ref, executorId, reason)
      return 'over'
    }
  }

  /** Leaves a run of which nothing executes here any more, for another process to go on with at once. */
  function leave(ref: RunRef, host: RunHost): Promise<never> {
    leaving.add(ref.runId)
    return park(ref, host)
  }

  /** Leaves a run as it is recorded: the next process continues from there. */
  function park(ref: RunRef, host: RunHost): Promise<never> {
    events.onLeave(ref, host)
    return new Promise(() => undefined)
  }

  /** Leaves a run and hands it on as soon as the database allows. */
  function parkAnd(ref: RunRef, host: RunHost, handOn: () => Promise<void>): Promise<never> {
    const parked = park(ref, host)
    void retryUntilStopped(ref, handOn)
    return parked
  }

  async function retryUntilStopped(ref: RunRef, handOn: () => Promise<void>): Promise<void> {
    for (;;) {
      await new Promise<void>((resolve) => options.clock.setTimeout(resolve, resumeAfterMs))
      if (events.isStopping()) return
      try {
        await outside(handOn)
        return
      } catch (error) {
        log.debug({ err: error, runId: ref.runId }, 'The run waits for the database')
      }
    }
  }

  async function start({ organizationId, runId }: RunRef): Promise<void> {
    await outside(() => DBOS.startWorkflow(workflow, { workflowID: runId })(organizationId, runId))
  }

  async function restart(ref: RunRef): Promise<void> {
    await systemDatabase().deleteWorkflows([ref.runId])
    await start(ref)
  }

  function systemDatabase() {
    const { globalInstance } = DBOSExecutor
    if (globalInstance === undefined) throw new Error('DBOS is not launched')
    return globalInstance.systemDatabase
  }

  const workflow = DBOS.registerWorkflow(interpret, { name: 'interpret', maxRecoveryAttempts: 1_000_000 })
  DBOS.setConfig({
    name: applicationName,
    systemDatabaseUrl: options.url,
    systemDatabasePool: retriablePool(options.pool),
    systemDatabaseSchemaName: engineSchema,
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
    start,
    restart,
    async recover(dead) {
      await executor.recoverPendingWorkflows([dead])
    },
    async status(runId) {
      const found = await systemDatabase().getWorkflowStatus(runId)
      if (found === null) return 'absent'
      return ['ENQUEUED', 'PENDING', 'DELAYED'].includes(found.status) ? 'under_way' : 'over'
    },
    leaveQueue: () => within(executor.deactivateEventReceivers(), 1_000, options.clock),
    handedOver: (withinMs) => within(leaving.done(), withinMs, options.clock),
    resume: (runId) => systemDatabase().resumeWorkflows([runId]),
    forget: (runIds) => systemDatabase().deleteWorkflows(runIds),
    stop: () => DBOS.shutdown({ deregister: true }),
  }
}

/** Hands runs on in batches: a process may leave thousands at once. */
function handOver(resume: (runIds: string[]) => Promise<void>, log: Log) {
  let waiting: string[] = []
  let working: Promise<void> | undefined

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      const runIds = waiting
      waiting = []
      try {
        await resume(runIds)
      } catch (error) {
        // The other processes take them over once this one is gone; DBOS may be gone here before the last run is.
        log.debug({ err: error, count: runIds.length }, 'Runs could not be handed on')
      }
    }
    working = undefined
  }

  return {
    add(runId: string): void {
      waiting.push(runId)
      working ??= Promise.resolve().then(work)
    },
    done: () => working ?? Promise.resolve(),
  }
}

/** Until the work is done, but not longer than this. */
async function within(work: Promise<void>, ms: number, clock: Clock): Promise<void> {
  let stop: () => void = () => undefined
  const late = new Promise<void>((resolve) => {
    stop = clock.setTimeout(resolve, ms)
  })
  await Promise.race([work, late])
  stop()
}

/** What DBOS records, for a process that executes nothing. */
export function connectRecord({ pool, url, log }: Pick<Options, 'pool' | 'url' | 'log'>) {
  const client = DBOSClient.create({
    systemDatabaseUrl: url,
    systemDatabasePool: retriablePool(pool),
    systemDatabaseSchemaName: engineSchema,
    logger: loggerOf(log),
  })
  return {
    /** Deletes what is recorded of runs that are over. */
    async forget(runIds: string[]): Promise<void> {
      const { rows } = await pool.query(`select to_regclass($1) as found`, [
        `${engineSchema}.workflow_status`,
      ])
      // Nothing has been executed yet.
      if ((rows[0] as { found: unknown }).found === null) return
      await (await client).deleteWorkflows(runIds)
    },
    close: async () => (await client).destroy(),
  }
}

/** DBOS logs its internals at info; for operators these are debug details. */
export function loggerOf(log: Log): DLogger {
  const child = log.child({ component: 'dbos' })
  return {
    info: (entry) => child.debug(String(entry)),
    debug: (entry) => child.trace(String(entry)),
    warn: (entry) => child.warn(String(entry)),
    error: (entry, metadata) => child.error({ err: metadata?.error }, String(entry)),
  }
}
