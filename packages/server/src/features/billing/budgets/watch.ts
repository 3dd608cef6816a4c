import type { Database } from '../../../platform/db/database.ts'
import { whenDue } from '../../../platform/db/due-work.ts'
import type { Notify } from '../../notifications/rules/notify.ts'
import type { BillingParts } from '../parts.ts'
import { evaluateBudget } from './evaluate.ts'
import { claimBudgets } from './store.ts'

/** Spend moves slowly; a budget that has just been changed is looked at once. */
const budgetEveryMs = 60_000
const batch = 100

type WatchParts = Pick<BillingParts, 'clock' | 'log'> & { database: Database; notify: Notify }

/** Looks at the budgets of all organizations every minute; any number of processes share the work. */
export function watchBudgets(parts: WatchParts) {
  const { database, clock, log } = parts
  let working: Promise<void> | undefined
  const begin = () => {
    working ??= lookAtBudgets(parts)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'Budgets could not be evaluated; the next round tries again'),
      )
      .finally(() => (working = undefined))
  }
  const isDue = `exists (select 1 from budgets where check_at <= $1)`
  const cancel = whenDue({ database, clock, log }, { isDue, begin })
  return {
    async stop() {
      cancel()
      await working
    },
  }
}

/** Evaluates the budgets that are due. */
export async function lookAtBudgets({ database, clock, log, notify }: WatchParts): Promise<void> {
  for (;;) {
    const now = clock.now()
    const claimed = await database.asSystem('evaluate budgets', (db) =>
      claimBudgets(db, now, budgetEveryMs, batch),
    )
    for (const { id, organizationId } of claimed) {
      await database
        .withTenant(organizationId, (db) => evaluateBudget(db, { notify }, { organizationId, id, now }))
        .catch((error: unknown) =>
          log.warn(
            { err: error, budgetId: id },
            'A budget could not be evaluated; the next round tries again',
          ),
        )
    }
    if (claimed.length < batch) return
  }
}
