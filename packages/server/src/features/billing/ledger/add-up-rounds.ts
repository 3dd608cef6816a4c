import { makeCosts } from '../costs/make.ts'
import { addUpUsage } from '../../../platform/usage/sums.ts'
import type { BillingParts } from '../parts.ts'

const everyMs = 15_000

/** Adds new events to the sums and prices them, every 15 s. Until then readers add them themselves, so nothing depends on it but speed. */
export function addUpRounds({ database, clock, log }: Pick<BillingParts, 'database' | 'clock' | 'log'>) {
  let working: Promise<unknown> | undefined
  const cancel = clock.setInterval(() => {
    working ??= addUpUsage(database)
      .then(() => makeCosts(database))
      .catch((error: unknown) =>
        log.debug({ err: error }, 'The usage ledger was not added up; the next round tries again'),
      )
      .finally(() => (working = undefined))
  }, everyMs)
  return {
    async stop() {
      cancel()
      await working
    },
  }
}
