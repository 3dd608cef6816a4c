import type { FastifyInstance } from 'fastify'

import type { Feature, Parts } from '../../feature.ts'
import { countApiCalls } from '../../platform/usage/api-calls.ts'
import { addUpRounds } from './ledger/add-up-rounds.ts'
import { ledgerHandlers } from './ledger/handlers.ts'
import { meterRounds } from './meters/rounds.ts'
import { priceHandlers } from './prices/service.ts'
import { savingHandlers } from './savings/service.ts'
import { spendHandlers } from './spend/handlers.ts'

export function billingFeature({ database, clock, log, metrics, config }: Parts, http: FastifyInstance) {
  const parts = { database, clock, log, metrics }
  // A process that only serves requests leaves sums and meters to the others.
  const isOnlyWeb = config.role === 'web'
  const rounds = isOnlyWeb ? [] : [addUpRounds(parts), meterRounds(parts)]
  const apiCalls = countApiCalls(parts)
  http.addHook('onResponse', async ({ caller }) => {
    if (caller?.organizationId !== undefined && caller.user)
      apiCalls.count(caller.organizationId, caller.user)
  })
  return {
    handlers: {
      ...spendHandlers(parts),
      ...ledgerHandlers(parts),
      ...priceHandlers(parts),
      ...savingHandlers(parts),
    },
    close: async () => {
      await apiCalls.stop()
      await Promise.all(rounds.map((each) => each.stop()))
    },
  } satisfies Feature
}
