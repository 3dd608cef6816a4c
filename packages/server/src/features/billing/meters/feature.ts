import type { FastifyInstance } from 'fastify'

import type { Feature, Parts } from '../../../feature.ts'
import { countApiCalls } from '../../../platform/usage/api-calls.ts'
import type { SavingActs } from '../savings/apply.ts'
import { savingHandlers } from '../savings/service.ts'
import { meterRounds } from './rounds.ts'

/** Meters what is used, and finds in the same measurements what could be saved. */
export function meteringFeature(
  { database, clock, log, metrics, config }: Parts,
  http: FastifyInstance,
  acts: SavingActs,
) {
  const parts = { database, clock, log, metrics }
  // A process that only serves requests leaves the meters to the others, and counts its own requests.
  const rounds = config.role === 'web' ? undefined : meterRounds(parts)
  const apiCalls = countApiCalls(parts)
  http.addHook('onResponse', async ({ caller }) => {
    if (caller?.organizationId !== undefined && caller.user)
      apiCalls.count(caller.organizationId, caller.user)
  })
  return {
    handlers: savingHandlers(parts, acts),
    close: async () => {
      await apiCalls.stop()
      await rounds?.stop()
    },
  } satisfies Feature
}
