import { unreachable } from '@bey/contract'

import type { KeyService } from './key-service.ts'
import { openKms } from './kms.ts'
import type { KeyServiceConfig } from './read-key-service.ts'
import { openTransit } from './transit.ts'

/** The key service that is set up. `attemptMs` bounds each request. Throws ConfigError where a file of it cannot be read. */
export function openKeyService(config: KeyServiceConfig, attemptMs: number): Promise<KeyService> {
  switch (config.kind) {
    case 'transit':
      return openTransit(config.settings, attemptMs)
    case 'kms':
      return openKms(config.settings, attemptMs)
    default:
      return unreachable(config)
  }
}
