import type { Feature, Parts } from '../../feature.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import type { RootKey } from '../../platform/crypto/root-key.ts'
import type { OnSecretNotice } from './expiry.ts'
import { startSecretJobs } from './jobs.ts'
import { paletteSecrets } from './palette.ts'
import { createPurge } from './purge.ts'
import { secretRoutes } from './routes.ts'

type SecretsNeeds = {
  dataKeys: DataKeys
  rootKey: RootKey
  /** A secret expires soon, or could not be rotated; in the transaction that records that it was said. */
  onNotice: OnSecretNotice
}

export function secretsFeature(
  { database, clock, log }: Parts,
  { dataKeys, rootKey, onNotice }: SecretsNeeds,
) {
  const parts = { database, dataKeys, clock }
  return {
    handlers: secretRoutes(parts, rootKey),
    palette: { secret: paletteSecrets },
    retention: createPurge(parts),
    close: startSecretJobs({ ...parts, log, onNotice }),
  } satisfies Feature
}
