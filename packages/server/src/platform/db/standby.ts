import type pg from 'pg'

/** A query whose only row says whether the server repeats what another one does, and takes no changes. */
const standbySql = 'select pg_is_in_recovery() as standby'

export async function isStandby(client: pg.ClientBase, timeoutMs: number): Promise<boolean> {
  const { rows } = await client.query<{ standby: boolean }>({
    text: standbySql,
    query_timeout: timeoutMs,
  } as pg.QueryConfig)
  return rows[0]?.standby === true
}

/**
 * Throws as a server that does not take connections yet (57P03): after a failover an address may lead to a standby for a moment, before
 * it is promoted.
 */
export async function refuseStandby(client: pg.ClientBase, timeoutMs: number): Promise<void> {
  if (!(await isStandby(client, timeoutMs))) return
  throw Object.assign(new Error('The database is a standby, which takes no changes'), { code: '57P03' })
}
