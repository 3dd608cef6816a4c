import { sql } from 'drizzle-orm'

import type { BillingParts } from '../parts.ts'
import { proveBooks } from './prove.ts'

const everyMs = 10 * 60_000
const dayMs = 24 * 3_600_000

/** Proves the ledger of each organization once a day; where it differs, the log and the page of billing say so. */
export function watchProofs(parts: Pick<BillingParts, 'database' | 'clock' | 'log'>) {
  const { clock, log } = parts
  let working: Promise<void> | undefined
  let isStopped = false
  const cancel = clock.setInterval(() => {
    working ??= proveAll(parts, () => isStopped)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'The usage ledger could not be proved; the next round tries again'),
      )
      .finally(() => (working = undefined))
  }, everyMs)
  return {
    async stop() {
      isStopped = true
      cancel()
      await working
    },
  }
}

async function proveAll(
  { database, clock, log }: Pick<BillingParts, 'database' | 'clock' | 'log'>,
  isStopped: () => boolean,
): Promise<void> {
  const since = new Date(clock.now().getTime() - dayMs).toISOString()
  const ids = await database.asSystem('find ledgers that were not proved today', async (db) => {
    const { rows } = await db.execute<{ id: number }>(sql`
      select o.id from organizations o
      where exists (select from usage_cost_days c where c.organization_id = o.id)
        and not exists (select from usage_proofs p where p.organization_id = o.id and p.proved_at > ${since}::timestamptz)
      order by o.id`)
    return rows.map(({ id }) => id)
  })
  for (const organizationId of ids) {
    if (isStopped()) return
    const proofs = await proveBooks(database, organizationId, clock.now())
    for (const { isEqual, text } of proofs) if (!isEqual) log.error({ organizationId }, text)
  }
}
