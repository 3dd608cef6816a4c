import pg from 'pg'

import { uuidv7 } from '../../platform/crypto/uuid.ts'

type Made = {
  startedAt: Date
  finishedAt: Date
  place: string
  backupId: string
  copiedBytes: number
  storedBytes: number
  rowCount: number
  rootKeyFingerprint: string
}

/** Adds a backup that a command made to those that the server lists; not to a database that is older than the list. */
export async function recordBackup(connection: pg.ClientConfig, made: Made): Promise<void> {
  const client = new pg.Client(connection)
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ found: boolean }>(
      `select to_regclass('public.instance_backups') is not null as found`,
    )
    if (rows[0]?.found !== true) return
    await client.query(
      `insert into instance_backups (id, backup_id, trigger, status, place, started_at, finished_at,
         copied_bytes, stored_bytes, row_count, root_key_fingerprint)
       values ($1, $2, 'command', 'completed', $3, $4, $5, $6, $7, $8, $9)`,
      [
        uuidv7(made.startedAt.getTime()),
        made.backupId,
        made.place,
        made.startedAt,
        made.finishedAt,
        made.copiedBytes,
        made.storedBytes,
        made.rowCount,
        made.rootKeyFingerprint,
      ],
    )
  } finally {
    await client.end()
  }
}
