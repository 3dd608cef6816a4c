import { walSegment } from '@bey/contract'

import type { OpenConnection } from '../provider.ts'

export type ServerWal = {
  at: Date
  isArchiving: boolean
  /** Why it does not archive at the moment, as a sentence. */
  problem: string | null
  /** While nothing is under way: the next transaction id, and the segment in which whatever was committed is or ends. */
  quiet: { xid: string; timeline: number; segment: number } | undefined
}

type Row = {
  at: Date
  mode: string
  xmin: string
  xmax: string
  file: string | null
  used: number | null
  failed: string | null
}

/** A new segment begins with a header of this size. */
const headerBytes = 40

// The id is read after the position: a transaction that commits between the two has a later id.
const question = `
  with wal as materialized (
    select case when not pg_is_in_recovery() then pg_current_wal_insert_lsn() end as lsn
  ), snapshot as materialized (
    select lsn, pg_current_snapshot() as snapshot from wal
  )
  select clock_timestamp() as at, current_setting('archive_mode') as mode,
    pg_snapshot_xmin(snapshot)::text as xmin, pg_snapshot_xmax(snapshot)::text as xmax,
    pg_walfile_name(lsn) as file, (pg_walfile_name_offset(lsn)).file_offset as used,
    (select last_failed_wal from pg_stat_archiver
      where last_failed_time > coalesce(last_archived_time, '-infinity')) as failed
  from snapshot`

/** Asks a server about its WAL, and ends the connection. */
export async function readServerWal(connection: OpenConnection): Promise<ServerWal> {
  try {
    // The time before the question: what is committed after it is not covered.
    const { rows: clock } = await connection.query<{ at: Date }>('select clock_timestamp() as at')
    const { rows } = await connection.query<Row>(question)
    const [row] = rows
    if (row === undefined) throw new Error('The server answered nothing')
    const isArchiving = row.mode === 'on'
    return {
      at: clock[0]?.at ?? row.at,
      isArchiving,
      problem: problemOf(row, isArchiving),
      quiet: row.xmin === row.xmax ? positionOf(row) : undefined,
    }
  } finally {
    await connection.end()
  }
}

/** Lets a server begin another segment, so that it archives the present one. Ends the connection. */
export async function switchWal(connection: OpenConnection): Promise<void> {
  try {
    await connection.query('select pg_switch_wal()')
  } finally {
    await connection.end()
  }
}

/**
 * Ends the present segment: answers its name and a time before that, until which everything that was committed is in it or
 * before it. Ends the connection.
 */
export async function endSegment(connection: OpenConnection): Promise<{ at: Date; name: string }> {
  try {
    const { rows: clock } = await connection.query<{ at: Date }>('select clock_timestamp() as at')
    const { rows } = await connection.query<{ name: string }>(
      'select pg_walfile_name(pg_switch_wal()) as name',
    )
    const [at, name] = [clock[0]?.at, rows[0]?.name]
    if (at === undefined || name === undefined) throw new Error('The server answered nothing')
    return { at, name }
  } finally {
    await connection.end()
  }
}

function problemOf({ failed }: Row, isArchiving: boolean): string | null {
  if (!isArchiving) {
    return 'Its server was started by an older Bey and does not archive its WAL. Restart the database once.'
  }
  if (failed === null) return null
  return `The server could not hand ${failed} of its WAL over. Look for a full disk; its log says more.`
}

function positionOf({ file, used, xmax }: Row): ServerWal['quiet'] {
  const segment = walSegment(file ?? '')
  if (segment === undefined) return undefined
  const isEmpty = used !== null && used <= headerBytes
  return { xid: xmax, timeline: segment.timeline, segment: segment.number - (isEmpty ? 1 : 0) }
}
