import { AppError } from '../../../platform/errors.ts'
import type { MonitorClient } from './monitor-connections.ts'

type SessionName = { pid: number; identity: string }

/** How long the server gives a session to end before the answer says that it goes on. */
const graceMs = 2_000

const findSql = `/* bey-monitor */
  select coalesce(application_name, '') as client, usename as username, coalesce(query, '') as statement, state
    from pg_stat_activity
   where pid = $1 and (extract(epoch from backend_start) * 1000000)::int8::text = $2 and pid <> pg_backend_pid()
     and coalesce(application_name, '') !~ '^bey-monitor'`

/** What a session is before something is done to it. Throws AppError `conflict` where it is not the same one any more. */
export async function findSession({ client }: MonitorClient, { pid, identity }: SessionName) {
  const { rows } = await client.query<{
    client: string
    username: string | null
    statement: string
    state: string | null
  }>(findSql, [pid, identity])
  const [session] = rows
  if (session !== undefined) return session
  throw new AppError(
    'conflict',
    `The session ${pid} has ended already, and another one may have its number. Nothing was done.`,
  )
}

/**
 * Cancels the statement of a session or ends the session; false where it goes on. The comparison and the act are one
 * statement. Throws AppError `conflict` for a session that is not the same one any more, or that the user may not end.
 */
export async function endSession(
  monitor: MonitorClient,
  name: SessionName,
  act: 'cancel' | 'end',
): Promise<boolean> {
  const { client, version } = monitor
  const call =
    act === 'cancel'
      ? 'pg_cancel_backend(pid)'
      : version >= 140_000
        ? `pg_terminate_backend(pid, ${graceMs})`
        : 'pg_terminate_backend(pid)'
  try {
    const { rows } = await client.query<{ done: boolean }>(
      `/* bey-monitor */ select ${call} as done from pg_stat_activity
        where pid = $1 and (extract(epoch from backend_start) * 1000000)::int8::text = $2 and pid <> pg_backend_pid()`,
      [name.pid, name.identity],
    )
    if (rows[0] === undefined) await findSession(monitor, name)
    return rows[0]?.done ?? false
  } catch (error) {
    if ((error as { code?: unknown }).code !== '42501') throw error
    throw new AppError(
      'conflict',
      `The user of the connection may not end sessions of others. An administrator of the server can grant pg_signal_backend to it; sessions of superusers can be ended by superusers only.`,
      { cause: error },
    )
  }
}
