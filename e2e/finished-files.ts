import pg from 'pg'
import type { BeyServer } from '../tools/bey-server.ts'
import { embeddedDatabaseUrl } from '../tools/seed-metrics.ts'

/** Of this worker: the file of its last test, and when that ended. */
let last: { file: string; endedAt: Date } | undefined

/**
 * At the first test of another file, stops the sandboxes that tests of earlier files left running, which would slow down
 * all later tests. Their organizations are marked as demos that are not used, so the server itself puts them to sleep.
 */
export async function sleepFinishedFiles(bey: BeyServer, file: string): Promise<void> {
  if (last === undefined || last.file === file) return
  const { endedAt } = last
  last = undefined
  const client = new pg.Client({ connectionString: embeddedDatabaseUrl(bey.dataDir) })
  await client.connect()
  try {
    await client.query(
      `insert into demos (organization_id, ends_at, seen_at, asleep_since)
       select id, now() + interval '1 day', now() - interval '1 hour', now() - interval '1 minute'
       from organizations where created_at < $1
       on conflict (organization_id) do update set seen_at = excluded.seen_at, asleep_since = excluded.asleep_since`,
      [endedAt],
    )
  } finally {
    await client.end()
  }
}

export function noteEndOfTest(file: string): void {
  last = { file, endedAt: new Date() }
}
