import { sql } from 'drizzle-orm'

import type { Clock } from '../clock.ts'
import type { Database } from '../db/database.ts'
import { whenDue } from '../db/due-work.ts'
import type { Log } from '../log.ts'

/** Entries of one organization that are linked in one transaction. */
const entriesAtOnce = 1_000

/** Links the entries that wait for it into the chains of their organizations. Any number of processes may try at once. */
export async function linkAudit(database: Pick<Database, 'asSystem'>): Promise<void> {
  for (;;) {
    const { rows } = await database.asSystem('linking the audit trail', (db) =>
      db.execute<{ linked: number }>(sql`select link_audit(${entriesAtOnce}) as linked`),
    )
    if (Number(rows[0]?.linked) < entriesAtOnce) return
  }
}

type LinkerOptions = { database: Pick<Database, 'asSystem' | 'isUp' | 'ownerPool'>; clock: Clock; log: Log }

/** Links what waits for it until stopped. Stopping links what is left; a process that is killed leaves it to the others. */
export function startAuditLinker({ database, clock, log }: LinkerOptions): () => Promise<void> {
  let linking: Promise<void> | undefined
  function link(): Promise<void> {
    linking ??= linkAudit(database)
      .catch((error: unknown) => log.warn({ err: error }, 'Audit entries could not be linked'))
      .finally(() => (linking = undefined))
    return linking
  }
  const cancel = whenDue(
    { database, clock, log },
    { isDue: 'exists (select 1 from audit_pending)', begin: () => void link() },
  )
  return async () => {
    cancel()
    await linking
    if (database.isUp()) await link()
  }
}
