import { sql } from 'drizzle-orm'

import { act } from '../../../platform/act.ts'
import { readBooks } from '../../../platform/usage/books.ts'
import type { BillingParts } from '../parts.ts'
import { readSpend } from './service.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'

type Names = 'billing.spend' | 'billing.settings' | 'billing.updateSettings'

export function spendHandlers({ database, clock }: BillingParts): Handlers<Names> {
  return {
    'billing.spend': ({ caller, query }) =>
      database.readSnapshot(caller.organizationId, (db) => readSpend(db, clock, caller, query)),

    'billing.settings': ({ caller }) =>
      database.readTenant(caller.organizationId, (db) => readBooks(db, caller.organizationId)),

    'billing.updateSettings': ({ caller, body: { sharedCost } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const before = await readBooks(db, organizationId)
        await db.execute(sql`
          insert into usage_settings (organization_id, time_zone, shared_cost)
          values (${organizationId}, ${before.timeZone}, ${sharedCost})
          on conflict (organization_id) do update set shared_cost = excluded.shared_cost`)
        if (before.sharedCost !== sharedCost) {
          await act(db, caller, {
            action: 'billing.update',
            class: 'update',
            diff: { sharedCost: [before.sharedCost, sharedCost] },
          })
        }
        return readBooks(db, organizationId)
      }),
  }
}
