import type pg from 'pg'

import { ConfigError } from '../errors.ts'

/** A schema that is in a database for as long as a move into it is not finished. */
export const moveMarker = 'bey_move'

/** Throws ConfigError for a database that `bey move-database` has begun to fill and not finished. */
export async function refuseUnfinishedMove(client: pg.Client): Promise<void> {
  if (!(await isUnfinishedMove(client))) return
  throw new ConfigError(
    'A move into the database of DATABASE_URL was not finished. Run bey move-database again, or unset DATABASE_URL to go on with the embedded database.',
  )
}

export async function isUnfinishedMove(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(`select to_regnamespace($1) is not null as found`, [
    moveMarker,
  ])
  return rows[0]?.found === true
}
