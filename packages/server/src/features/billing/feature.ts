import type { Feature, Parts } from '../../feature.ts'
import { addUpRounds } from './ledger/add-up-rounds.ts'
import { ledgerHandlers } from './ledger/handlers.ts'
import { priceHandlers } from './prices/service.ts'
import { spendHandlers } from './spend/handlers.ts'

export function billingFeature({ database, clock, log, metrics, config }: Parts) {
  const parts = { database, clock, log, metrics }
  // A process that only serves requests leaves sums and meters to the others.
  const rounds = config.role === 'web' ? undefined : addUpRounds(parts)
  return {
    handlers: {
      ...spendHandlers(parts),
      ...ledgerHandlers(parts),
      ...priceHandlers(parts),
    },
    close: async () => rounds?.stop(),
  } satisfies Feature
}
