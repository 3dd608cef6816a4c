import { sql } from 'drizzle-orm'

import type { BillingParts } from '../parts.ts'
import { freezeMonths } from './freeze.ts'

const everyMs = 5 * 60_000

type WatchParts = Pick<BillingParts, 'database' | 'clock' | 'log'>

/** Freezes months that are over, at the start and every 5 min; after a standstill all that were missed. */
export function watchStatements(parts: WatchParts) {
  const { clock, log } = parts
  let working: Promise<void> | undefined
  const begin = () => {
    working ??= freezeAll(parts)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'Statements could not be made; the next round tries again'),
      )
      .finally(() => (working = undefined))
  }
  begin()
  const cancel = clock.setInterval(begin, everyMs)
  return {
    async stop() {
      cancel()
      await working
    },
  }
}

async function freezeAll({ database, clock, log }: WatchParts): Promise<void> {
  const now = clock.now()
  // No month is due anywhere before 02:00 UTC of the 1st after the last statement.
  const due = new Date(now.getTime() - 2 * 3_600_000).toISOString().slice(0, 7)
  const organizations = await database.asSystem('find organizations without a statement', async (db) => {
    const { rows } = await db.execute<{ id: number }>(sql`
      select o.id from organizations o
      where exists (select 1 from usage_subjects s where s.organization_id = o.id)
        and coalesce((select max(month) from statements t where t.organization_id = o.id), '')
          < to_char(${`${due}-01`}::date - 1, 'YYYY-MM')
      order by o.id`)
    return rows.map(({ id }) => id)
  })
  for (const id of organizations) {
    await database
      .withTenant(id, (db) => freezeMonths(db, id, now))
      .catch((error: unknown) =>
        log.warn(
          { err: error, organizationId: id },
          'A statement could not be made; the next round tries again',
        ),
      )
  }
}
