import pg from 'pg'

import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import { lockCall, lockClass } from '../db/locks.ts'
import type { Log } from '../log.ts'

const beatPeriodMs = 1_000
const reconnectMs = 250
/** A connection that does not answer for so long is given up. */
const silenceMs = 5_000
/** How long a process may be without its lock before its work is taken over. */
const graceMs = 3_000
/** A process that holds its lock but has not written for this long hangs. */
const hungMs = 30_000

export const engineChannel = 'bey_engine'

export type Identity = {
  executorId: string
  machineId: string
  address: string
  /** `all` unless given. */
  role?: 'all' | 'worker'
}

/** `maxRuns`: how many runs it works at, at once. */
type Announced = Identity & { maxRuns: number }

export type PresenceEvents = {
  /** A notification on the engine's channel. */
  onMessage(payload: string): void
  /** The connection stands (again): notifications may have been missed. */
  onConnected(): void
  /** This process is dead: take its work over, then answer. Called again if it throws. */
  onDead(executorId: string): Promise<void>
}

export type Presence = {
  /** Looks at the others now instead of at the next beat. */
  checkNow(): void
  /** Gives up the lock and the row, so that others need not wait for the grace. */
  stop(): Promise<void>
}

type PeerRow = { executor_id: string; machine_id: string; is_locked: boolean; is_hung: boolean }

/**
 * One connection per process that says "I am alive" (a session advisory lock, which ends with the process, and a
 * heartbeat row, which also shows a hung one), receives the engine's notifications, and watches the others.
 */
export async function announce(
  database: Database,
  identity: Announced,
  events: PresenceEvents,
  options: { clock: Clock; log: Log; isProcessAlive(pid: number): boolean },
): Promise<Presence> {
  const { clock, log } = options
  const missingSince = new Map<string, number>()
  const processesBeingTakenOver = new Set<string>()
  let client: pg.Client | undefined
  let stopped = false
  let stopTimer: () => void = () => undefined

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: database.url,
      application_name: 'bey-engine',
      connectionTimeoutMillis: silenceMs,
      query_timeout: silenceMs,
      keepAlive: true,
    })
    next.on('error', () => lost(next))
    next.on('end', () => lost(next))
    next.on('notification', (message) => events.onMessage(message.payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${engineChannel}`)
      // Whoever else holds it is a connection of ours that was given up, which PostgreSQL may not know for hours.
      await next.query(endHoldersSql, [lockClass('process'), identity.executorId])
      await next.query(`select ${lockCall('lock', 'process', 'hashtext($1)')}`, [identity.executorId])
      await register(next)
    } catch (error) {
      next.end().catch(() => undefined)
      throw error
    }
    client = next
    // While the database was unavailable no process could hold a lock: each gets the full grace period again.
    missingSince.clear()
    stopTimer = clock.setTimeout(() => void beat(next), beatPeriodMs)
    events.onConnected()
  }

  function lost(which: pg.Client): void {
    if (stopped || client !== which) return
    client = undefined
    stopTimer()
    which.end().catch(() => undefined)
    reconnect()
  }

  function reconnect(): void {
    if (stopped) return
    stopTimer = clock.setTimeout(() => {
      connect().catch((error: unknown) => {
        log.debug({ err: error }, 'The engine waits for the database')
        reconnect()
      })
    }, reconnectMs)
  }

  function register(on: pg.Client): Promise<unknown> {
    return on.query(
      `insert into processes (executor_id, machine_id, address, role, max_runs) values ($1, $2, $3, $4, $5)
       on conflict (executor_id) do update set heartbeat_at = now()`,
      [identity.executorId, identity.machineId, identity.address, identity.role ?? 'all', identity.maxRuns],
    )
  }

  async function beat(on: pg.Client): Promise<void> {
    try {
      const { rows } = await on.query<PeerRow>({
        name: 'beat',
        text: beatSql,
        values: [identity.executorId, lockClass('process'), hungMs],
      })
      if (!rows.some((row) => row.executor_id === identity.executorId)) {
        // Other processes considered this one dead, for instance after it hung, and have taken its runs over.
        log.warn('This process was given up by another one and reports back')
        await register(on)
      }
      for (const row of rows) if (row.executor_id !== identity.executorId) checkPeer(row)
    } catch (error) {
      log.debug({ err: error }, 'The heartbeat failed')
      lost(on)
      return
    }
    if (!stopped && client === on) stopTimer = clock.setTimeout(() => void beat(on), beatPeriodMs)
  }

  function checkPeer(peer: PeerRow): void {
    const now = clock.monotonicMs()
    if (peer.is_locked && !peer.is_hung) {
      missingSince.delete(peer.executor_id)
      return
    }
    const since = missingSince.get(peer.executor_id) ?? now
    missingSince.set(peer.executor_id, since)
    const isCertain =
      peer.is_hung || (peer.machine_id === identity.machineId && !isAliveHere(peer.executor_id))
    if (isCertain || now - since >= graceMs) void takeOverDeadProcess(peer.executor_id)
  }

  function isAliveHere(executorId: string): boolean {
    return options.isProcessAlive(pidOf(executorId))
  }

  async function takeOverDeadProcess(executorId: string): Promise<void> {
    if (processesBeingTakenOver.has(executorId)) return
    processesBeingTakenOver.add(executorId)
    try {
      await events.onDead(executorId)
      missingSince.delete(executorId)
      log.info({ executorId }, 'Took over the work of a process that is gone')
    } catch (error) {
      log.warn({ err: error, executorId }, 'Could not take over the work of a process yet')
    } finally {
      processesBeingTakenOver.delete(executorId)
    }
  }

  await connect()
  return {
    checkNow() {
      if (client === undefined) return
      stopTimer()
      void beat(client)
    },
    async stop() {
      stopped = true
      stopTimer()
      const last = client
      client = undefined
      if (last === undefined) return
      await last
        .query('delete from processes where executor_id = $1', [identity.executorId])
        .catch((error: unknown) => {
          log.debug({ err: error }, 'The process row stays for others to clear')
        })
      await last.end()
    },
  }
}

/** An id that is new at each boot and identifies the process for peers on the same machine. */
export function newExecutorId(pid: number, random: string): string {
  return `${pid}-${random}`
}

function pidOf(executorId: string): number {
  return Number(executorId.split('-')[0])
}

/** Rows of `pg_locks` (as `l`) that are the lock of a process; both are SQL expressions. */
const isLockOf = (lockClassText: string, executorText: string) => `
    l.locktype = 'advisory' and l.granted and l.classid = ${lockClassText} and l.objsubid = 2
      and l.objid::bigint = (hashtext(${executorText})::bigint & 4294967295)
      and l.database = (select oid from pg_database where datname = current_database())`

const endHoldersSql = `
  select pg_terminate_backend(l.pid) from pg_locks l
  where l.pid <> pg_backend_pid() and ${isLockOf('$1', '$2')}`

// Besides the rows of processes: ids that runs are still held by although their process row is gone.
const beatSql = `
with beat as (
  update processes set heartbeat_at = now() where executor_id = $1
), held as (
  select distinct executor_id from workflow_runs
  where finished_at is null and executor_id <> $1
    and executor_id not in (select executor_id from processes)
)
select p.executor_id, p.machine_id, p.heartbeat_at < now() - $3 * interval '1 millisecond' as is_hung,
  exists (
    select 1 from pg_locks l
    where ${isLockOf('$2', 'p.executor_id')}
  ) as is_locked
from processes p
union all
select h.executor_id, '', true, false from held h`
