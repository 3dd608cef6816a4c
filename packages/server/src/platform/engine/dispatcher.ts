import { sql } from 'drizzle-orm'

import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import type { Log } from '../log.ts'
import type { RunRef } from './interpreter.ts'
import type { Identity } from './presence.ts'

const sweepPeriodMs = 5_000
const batchSize = 16

export type Dispatcher = {
  /** Looks for queued runs soon; cheap to call often. */
  wake(): void
  /** Takes queued runs whose time to begin has passed, so that they end. */
  takeExpired(): Promise<void>
  stop(): void
}

type Options = {
  database: Database
  identity: Identity
  clock: Clock
  log: Log
  /** How many more runs this process may take now. */
  freeSlots(): number
  start(ref: RunRef): Promise<void>
}

/**
 * Takes queued runs for this process. A run's row is the queue: it is there or not with the transaction that
 * made it, and `executor_id` is set by exactly one process. Woken by notification; the sweep is for what a lost
 * connection swallowed.
 */
export function dispatch(options: Options): Dispatcher {
  const { database, identity, clock, log } = options
  let isBusy = false
  let isAsked = false
  let isStopped = false

  function wake(): void {
    isAsked = true
    if (isBusy || isStopped) return
    isBusy = true
    void work()
  }

  async function work(): Promise<void> {
    while (isAsked && !isStopped) {
      isAsked = false
      try {
        while (!isStopped && (await takeBatch())) continue
      } catch (error) {
        log.debug({ err: error }, 'Queued runs could not be taken; the next sweep tries again')
      }
    }
    // In the same instant as the question above, so that no call of wake() falls between them.
    isBusy = false
  }

  /** True when there may be more. */
  async function takeBatch(): Promise<boolean> {
    const limit = Math.min(options.freeSlots(), batchSize)
    if (limit <= 0) return false
    // One statement of its own, for it is asked at every start and end of a run.
    const { rows: taken } = await database.ownerPool.query<{ id: string; organization_id: number }>({
      name: 'take_runs',
      text: takeText,
      values: [identity.executorId, identity.machineId, limit],
    })
    await Promise.all(taken.map((row) => begin({ organizationId: row.organization_id, runId: row.id })))
    return taken.length === limit
  }

  async function takeExpired(): Promise<void> {
    const { rows } = await database.ownerPool.query<{ id: string; organization_id: number }>(
      takeExpiredText,
      [identity.executorId],
    )
    for (const row of rows) await begin({ organizationId: row.organization_id, runId: row.id })
  }

  async function begin(ref: RunRef): Promise<void> {
    try {
      await options.start(ref)
    } catch (error) {
      log.warn({ err: error, runId: ref.runId }, 'A run could not be started; it goes back to the queue')
      await release(database, identity.executorId, ref.runId)
    }
  }

  const stopSweep = clock.setInterval(wake, sweepPeriodMs)
  return {
    wake,
    takeExpired,
    stop() {
      isStopped = true
      stopSweep()
    },
  }
}

/** Gives back what a process had taken but not begun; `runId` limits it to one run. */
export function release(database: Database, executorId: string, runId?: string): Promise<unknown> {
  return database.asSystem('give queued runs back', (db) =>
    db.execute(sql`
      update workflow_runs set executor_id = null
      where executor_id = ${executorId} and status = 'queued' and finished_at is null
        ${runId === undefined ? sql`` : sql`and id = ${runId}`}`),
  )
}

/**
 * Organizations take turns: the one with the fewest runs under way is first, so that a full queue of one keeps no other
 * waiting. Within an organization the greater priority is first, then the older run. Runs on one subject go one after
 * another, as do those with one concurrency key beyond its limit, and a run that asks for a machine
 * (`input.machineId`) waits for it as long as a process lives there.
 */
const takeText = `
  with recursive organizations as (
    (select organization_id from workflow_runs r where ${isQueued('r')} order by organization_id limit 1)
    union all
    select (
      select r.organization_id from workflow_runs r
      where ${isQueued('r')} and r.organization_id > o.organization_id order by r.organization_id limit 1
    )
    from organizations o where o.organization_id is not null
  ), candidates as (
    select c.id, c.queued_at, row_number() over (
      partition by c.organization_id order by c.priority desc, c.queued_at, c.id
    ) + busy.runs as turn
    from organizations o cross join lateral (
      select count(*) as runs from workflow_runs b
      where b.organization_id = o.organization_id and b.status = 'running'
    ) busy cross join lateral (
      select r.id, r.organization_id, r.priority, r.queued_at from workflow_runs r
      where r.organization_id = o.organization_id and ${isQueued('r')}
        and (
          r.input ->> 'machineId' is null or r.input ->> 'machineId' = $2
          or not exists (select 1 from processes p where p.machine_id = r.input ->> 'machineId')
        )
        and (r.subject_id is null or not exists (
          select 1 from workflow_runs o
          where o.organization_id = r.organization_id and o.subject_type = r.subject_type
            and o.subject_id = r.subject_id and o.id <> r.id and o.finished_at is null
            and (o.executor_id is not null or (o.queued_at, o.id) < (r.queued_at, r.id))
        ))
        and (r.concurrency_key is null or (
          select count(*) from workflow_runs o
          where o.workflow_id = r.workflow_id and o.concurrency_key = r.concurrency_key and o.id <> r.id
            and o.finished_at is null
            and (o.executor_id is not null or (o.queued_at, o.id) < (r.queued_at, r.id))
        ) < r.concurrency_max)
      order by r.priority desc, r.queued_at, r.id
      limit 4 * $3
    ) c
  )
  update workflow_runs set executor_id = $1, updated_at = now()
  where id in (
    select r.id from workflow_runs r join candidates c on c.id = r.id
    where ${isQueued('r')}
    order by c.turn, c.queued_at, c.id
    limit $3
    for update of r skip locked
  )
  returning id, organization_id`

const takeExpiredText = `
  update workflow_runs set executor_id = $1, updated_at = now()
  where id in (
    select r.id from workflow_runs r
    where ${isQueued('r')} and r.expires_at < now() limit 100 for update of r skip locked
  )
  returning id, organization_id`

/** As the index of the queue says it. */
function isQueued(alias: string): string {
  return `${alias}.status = 'queued' and ${alias}.finished_at is null and ${alias}.executor_id is null`
}
