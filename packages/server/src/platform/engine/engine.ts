import { sql } from 'drizzle-orm'
import pg from 'pg'

import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import { lockCall } from '../db/locks.ts'
import type { Log } from '../log.ts'
import { type DurableLoop, launchLoop } from './dbos.ts'
import { dispatch, type Dispatcher, release } from './dispatcher.ts'
import type { Interpreter, RunHost, RunRef } from './interpreter.ts'
import type { Journal } from './journal.ts'
import { EngineStopping } from './step-failure.ts'
import { recordLastSign } from './last-sign.ts'
import { announce, engineChannel, type Identity } from './presence.ts'
import { engineRequests, type EngineRequests } from './requests.ts'
import { createSlots } from './slots.ts'

export { newExecutorId } from './presence.ts'

/** Runs that one process works at, at once. */
const maxConcurrentRuns = 32
const cancelSweepMs = 5_000
/** How often a process that starts looks whether another one has launched DBOS. */
const lockRetryMs = 100
/** How long a run may be held without being executed: it is just being started or handed on. */
const idleMs = 4_000
/** How long a busy process gathers places that become free before it takes more runs. */
const gatherMs = 5
/** How long a step may take to end by itself when the process goes down, by default. */
const defaultDrainMs = 1_000
/** How long steps may take to end after they are broken off. */
const breakOffMs = 2_000

export type EngineState = {
  status: 'running' | 'waiting_for_database' | 'stopping'
  startedAt: Date
  /** Whether this process executes runs itself. */
  executes: boolean
  /** Runs that this process works at. */
  activeRuns: number
  maxConcurrentRuns: number
}

export type Engine = EngineRequests & {
  executorId: string
  /** Drops what the engine keeps of runs that are over, for good. */
  forget(runIds: string[]): Promise<void>
  state(): EngineState
  /**
   * Begins nothing more and hands runs on as soon as nothing of them executes here. Steps under way may end by themselves
   * for `drainMs`, then they are broken off: another process, or the next start, goes on with them.
   */
  stop(): Promise<void>
}

export type EngineOptions = {
  database: Database
  identity: Identity
  interpreter: Interpreter
  /** Whether no run may begin at the moment; never unless given. */
  isReadOnly?: (() => boolean) | undefined
  clock: Clock
  log: Log
  /** Whether a process of this machine lives. */
  isProcessAlive(pid: number): boolean
  /** How long steps under way may take when the engine stops; a second unless given. */
  drainMs?: number
  /** Called when a run begins or ends to execute here. */
  onActivity?(): void
}

/** Starts the durable engine of this process; one per process at a time. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { database, identity, interpreter, clock, log } = options
  const active = new Map<string, ActiveRun>()
  const starting = new Set<string>()
  /** Since when a run is held by this process without being executed. */
  const idleSince = new Map<string, number>()
  const startedAt = clock.now()
  let isStopping = false
  let onIdle: () => void = () => undefined
  let loop: DurableLoop | null = null

  // Many runs that end shortly after one another are followed by one look into the queue.
  let isWakePlanned = false
  const slots = createSlots(maxConcurrentRuns, () => {
    if (slots.held() < maxConcurrentRuns / 2) return dispatcher.wake()
    if (isWakePlanned) return
    isWakePlanned = true
    clock.setTimeout(() => {
      isWakePlanned = false
      dispatcher.wake()
    }, gatherMs)
  })
  const dispatcher: Dispatcher = dispatch({
    database,
    identity,
    clock,
    log,
    freeSlots: () => (loop === null || options.isReadOnly?.() === true ? 0 : slots.free() - starting.size),
    async start(ref) {
      starting.add(ref.runId)
      try {
        await loop?.start(ref)
      } finally {
        starting.delete(ref.runId)
      }
    },
  })

  /** Cancels asked for while no notification could arrive, and runs that this process holds but does not execute. */
  async function sweep(): Promise<void> {
    const held = await database.asSystem('look after own runs', async (db) => {
      const { rows } = await db.execute<HeldRow>(heldSql(identity.executorId))
      return rows
    })
    const now = clock.monotonicMs()
    for (const row of held) {
      const entry = active.get(row.id)
      if (entry !== undefined || starting.has(row.id)) {
        idleSince.delete(row.id)
        if (row.status === 'cancelling') entry?.abort.abort()
        if (row.is_wake_due) entry?.wake()
        continue
      }
      const since = idleSince.get(row.id) ?? now
      idleSince.set(row.id, since)
      if (now - since < idleMs) continue
      idleSince.delete(row.id)
      await reconcile({ organizationId: row.organization_id, runId: row.id }, row.status)
    }
    for (const id of idleSince.keys()) if (!held.some((row) => row.id === id)) idleSince.delete(id)
    await dispatcher.takeExpired()
    dispatcher.wake()
  }

  /** A run whose rows say that this process is at it, while it is not: what DBOS recorded says what is to be done. */
  async function reconcile(ref: RunRef, status: string): Promise<void> {
    if (loop === null) return
    const recorded = await loop.status(ref.runId)
    log.warn({ runId: ref.runId, status, recorded }, 'A run is held by this process but not executed')
    if (recorded === 'under_way') return await loop.resume(ref.runId)
    if (recorded === 'absent' && status === 'queued') {
      await release(database, identity.executorId, ref.runId)
      return
    }
    await loop.restart(ref)
  }

  const sweepInBackground = () => {
    if (isStopping) return
    sweep().catch((error: unknown) => log.debug({ err: error }, 'The sweep failed; it comes again'))
  }
  const stopSweep = clock.setInterval(sweepInBackground, cancelSweepMs)

  // Announced before the loop may execute anything: others take over what an unannounced process holds.
  const presence = await announce(
    database,
    { ...identity, maxRuns: maxConcurrentRuns },
    {
      onMessage(payload) {
        const [what, runId = ''] = payload.split(':')
        if (what === 'cancel') active.get(runId)?.abort.abort()
        else if (what === 'run') active.get(runId)?.wake()
        else dispatcher.wake()
      },
      onConnected() {
        // Notifications may have been missed.
        for (const run of active.values()) run.wake()
        sweepInBackground()
      },
      async onDead(executorId) {
        if (loop === null) throw new Error('The engine is still starting')
        await takeOverRunsOf(database, loop, executorId)
      },
    },
    options,
  )
  loop = await exclusively(database, clock, () =>
    launchLoop({
      pool: database.ownerPool,
      url: database.url,
      executorId: identity.executorId,
      clock,
      log,
      interpreter,
      events: {
        onEnter(ref, journal) {
          const run = enter(ref, journal)
          active.set(ref.runId, run)
          slots.take(ref.runId)
          starting.delete(ref.runId)
          options.onActivity?.()
          return run.host
        },
        onLeave(ref, host) {
          if (active.get(ref.runId)?.host !== host) return
          active.delete(ref.runId)
          slots.release(ref.runId)
          options.onActivity?.()
          if (active.size === 0) onIdle()
        },
        isStopping: () => isStopping,
      },
    }),
  )
  presence.checkNow()
  dispatcher.wake()
  const launched = loop

  function enter(ref: RunRef, journal: Journal): ActiveRun {
    const abort = new AbortController()
    let listener: () => void = () => undefined
    let stoppingListener: () => void = () => undefined
    return {
      abort,
      wake: () => listener(),
      drain: () => stoppingListener(),
      host: {
        executorId: identity.executorId,
        journal,
        signal: abort.signal,
        isStopping: () => isStopping,
        onStopping(next) {
          stoppingListener = next
        },
        onWake(next) {
          listener = next
        },
        release: () => slots.release(ref.runId),
        acquire: () => slots.acquire(ref.runId),
      },
    }
  }

  /** Until no run is here any more, but not longer than this. */
  async function idle(withinMs: number): Promise<void> {
    if (active.size === 0) return
    await new Promise<void>((resolve) => {
      onIdle = resolve
      clock.setTimeout(resolve, withinMs)
    })
  }

  return {
    executorId: identity.executorId,
    ...engineRequests,
    forget: (runIds) => launched.forget(runIds),
    state: () => ({
      status: isStopping ? 'stopping' : database.isUp() ? 'running' : 'waiting_for_database',
      startedAt,
      executes: true,
      activeRuns: slots.held(),
      maxConcurrentRuns,
    }),
    async stop() {
      isStopping = true
      stopSweep()
      dispatcher.stop()
      await launched.leaveQueue()
      for (const run of active.values()) run.drain()
      await idle(options.drainMs ?? defaultDrainMs)
      for (const { abort } of active.values()) abort.abort(new EngineStopping())
      await idle(breakOffMs)
      await launched.handedOver(breakOffMs)
      await presence.stop()
      await launched.stop()
    },
  }
}

type ActiveRun = { abort: AbortController; wake(): void; drain(): void; host: RunHost }

type HeldRow = { id: string; organization_id: number; status: string; is_wake_due: boolean }

function heldSql(executorId: string) {
  return sql`
    select id, organization_id, status, coalesce(wake_requested_at < now() - interval '2 s', false) as is_wake_due
    from workflow_runs where executor_id = ${executorId} and finished_at is null`
}

/** Order matters: a crash half way leaves the process row, so the next one does it all again. */
async function takeOverRunsOf(database: Database, loop: DurableLoop, executorId: string): Promise<void> {
  await recordLastSign(database, executorId)
  await loop.recover(executorId)
  await release(database, executorId)
  await database.asSystem('forget a dead process', (db) =>
    db.execute(sql`
      with gone as (delete from processes where executor_id = ${executorId})
      select pg_notify(${engineChannel}, 'wake')`),
  )
}

/**
 * DBOS migrates its schema at launch without a lock of its own. The lock is asked for again and again: a statement that
 * waits for it would hold a snapshot, for which the other process waits as it creates its indexes concurrently.
 */
async function exclusively<T>(database: Database, clock: Clock, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database.url, application_name: 'bey-engine-launch' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const isTaken = async () =>
      (await client.query<{ taken: boolean }>(`select ${lockCall('try_lock', 'engineSchema')} as taken`))
        .rows[0]?.taken
    while ((await isTaken()) !== true) {
      await new Promise<void>((resolve) => clock.setTimeout(resolve, lockRetryMs))
    }
    return await work()
  } finally {
    await client.end()
  }
}
