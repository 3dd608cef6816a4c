import { sql } from 'drizzle-orm'
import { Gauge, type Registry } from 'prom-client'

import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'

type Row = {
  completed_at: number | null
  proved_at: number | null
  seconds: number | null
  bytes: number | null
  kept: number
  failed: number
}

/** One answer serves all gauges of a scrape. */
const freshMs = 1_000

/** Figures of the backups of Bey itself. What never was has no value: an alert finds it by `absent`. */
export function backupFigures(database: Pick<Database, 'asSystem'>, clock: Clock, register: Registry): void {
  let readAt = Number.NEGATIVE_INFINITY
  let read: Promise<Row | undefined> | undefined
  const fresh = () => {
    const now = clock.monotonicMs()
    if (read === undefined || now - readAt > freshMs) {
      read = readBackups(database)
      readAt = now
    }
    return read
  }
  const gauge = (name: string, help: string, value: (row: Row) => number | null) =>
    new Gauge({
      name,
      help,
      registers: [register],
      // Without labels a gauge begins with 0, which would say 1970 of a time.
      labelNames: ['of'],
      async collect() {
        const row = await fresh()
        const found = row === undefined ? null : value(row)
        this.reset()
        if (found !== null) this.set({ of: 'instance' }, found)
      },
    })
  gauge('bey_backup_last_success_timestamp_seconds', 'When Bey was last backed up', (row) => row.completed_at)
  gauge('bey_backup_last_duration_seconds', 'How long that backup took', (row) => row.seconds)
  gauge('bey_backup_last_stored_bytes', 'What that backup takes in its place', (row) => row.bytes)
  gauge(
    'bey_backup_last_proved_timestamp_seconds',
    'When a drill last restored a backup and found everything in it',
    (row) => row.proved_at,
  )
  gauge('bey_backup_kept', 'Backups of Bey that are kept', (row) => row.kept)
  gauge(
    'bey_backup_failed_since_success',
    'Backups that failed since the last one that was complete',
    (row) => row.failed,
  )
}

async function readBackups(database: Pick<Database, 'asSystem'>): Promise<Row | undefined> {
  const { rows } = await database.asSystem('figures of backups', (db) =>
    db.execute<Row>(sql`
      with newest as (
        select * from instance_backups where status = 'completed' order by started_at desc limit 1
      )
      select extract(epoch from n.finished_at)::float8 as completed_at,
        extract(epoch from n.finished_at - n.started_at)::float8 as seconds,
        n.stored_bytes::float8 as bytes,
        (select extract(epoch from max(drilled_at))::float8 from instance_backups
          where drill_outcome = 'proved') as proved_at,
        (select count(*)::int from instance_backups
          where status = 'completed' and removed_at is null) as kept,
        (select count(*)::int from instance_backups f where f.status = 'failed'
          and f.started_at > coalesce(n.started_at, '-infinity')) as failed
      from (select 1) one left join newest n on true`),
  )
  return rows[0]
}
