import { quotaFaultTable } from '@bey/contract'

import type { OpenConnection } from '../provider.ts'

const setting = 'default_transaction_read_only'
const { schema, table } = quotaFaultTable
const marked = `${schema}.${table}`

/** What a server says of the room that its databases take, and of what Bey set there. */
export type ServerQuota = {
  usedBytes: number
  isRefusing: boolean
  /** Until when it is filled on purpose; null where it is not. */
  filledUntil: Date | null
}

/** Asks a server of Bey's, as its administrator. */
export async function readServerQuota(admin: OpenConnection): Promise<ServerQuota> {
  const { rows } = await admin.query<{ used: number; refusing: boolean; until: string | null }>(
    `select (select sum(pg_database_size(oid)) from pg_database)::float8 as used,
       exists (select from pg_file_settings where name = '${setting}' and setting = 'on'
         and sourcefile ~ 'auto[.]conf$') as refusing,
       obj_description(to_regclass('${marked}'), 'pg_class') as until`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('The server answered nothing of its size')
  return {
    usedBytes: row.used,
    isRefusing: row.refusing,
    filledUntil: row.until === null ? null : new Date(row.until),
  }
}

/**
 * Makes transactions of everybody but the administrator read only unless they ask otherwise, those of open sessions too, or
 * ends that. Vacuum and reading go on.
 */
export async function setRefusing(admin: OpenConnection, isRefusing: boolean): Promise<void> {
  // Bey itself goes on: it rotates passwords and makes roles.
  if (isRefusing) await admin.query(`alter role postgres set ${setting} = off`)
  await admin.query(isRefusing ? `alter system set ${setting} = on` : `alter system reset ${setting}`)
  await admin.query('select pg_reload_conf()')
}

/** Bytes of one statement; each row holds what cannot be compressed. */
const chunkBytes = 16 * 1024 ** 2
const rowBytes = 8_000

/**
 * Fills a server until its databases take so much. What is there is counted before each step. The schema is always made anew:
 * whatever the owner of the database had made of this name, its triggers would run with the rights of the superuser.
 */
export async function fill(admin: OpenConnection, limitBytes: number, until: Date): Promise<void> {
  await dropFilling(admin)
  await admin.query(`create schema ${schema}`)
  await admin.query(`create table ${marked} (n integer, filling text)`)
  await admin.query(`alter table ${marked} alter column filling set storage external`)
  await admin.query(`comment on table ${marked} is '${until.toISOString()}'`)
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until it is full
    const { usedBytes } = await readServerQuota(admin)
    if (usedBytes >= limitBytes) return
    const rows = Math.ceil(Math.min(chunkBytes, limitBytes - usedBytes + rowBytes) / rowBytes)
    // oxlint-disable-next-line no-await-in-loop -- until it is full
    await admin.query(
      `insert into ${marked} select n, repeat('x', ${rowBytes}) from generate_series(1, ${rows}) n`,
    )
  }
}

export async function dropFilling(admin: OpenConnection): Promise<void> {
  await admin.query(`drop schema if exists ${schema} cascade`)
}
