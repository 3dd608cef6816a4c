import type { Feature, Parts } from '../../feature.ts'
import { apiKeysDemo } from './demo.ts'
import { watchKeyExpiry } from './expiry.ts'
import { keyBelongings } from './key-belongings.ts'
import { createKeyTest } from './key-test.ts'
import { apiKeyRoutes } from './routes.ts'
import { createApiKeyService } from './service.ts'
import { apiKeyResources } from './resources.ts'
import { apiKeyRelations } from './relations.ts'

/** API keys: making, rotating and ending them. Requests are authenticated by `platform/keys`. */
export function apiKeysFeature({ database, clock, log }: Parts) {
  const stop = watchKeyExpiry({ database, clock, log })
  return {
    handlers: apiKeyRoutes(createApiKeyService({ database, clock }), createKeyTest({ database, clock })),
    belongings: keyBelongings(clock),
    inventory: [apiKeyResources(database, clock)],
    relations: [apiKeyRelations({ database })],
    demo: apiKeysDemo,
    close: stop,
  } satisfies Feature
}
