import type { Feature, Parts } from '../../feature.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import type { RootKey } from '../../platform/crypto/root-key.ts'
import { paletteSecrets } from './palette.ts'
import { secretRoutes } from './routes.ts'

export function secretsFeature(
  { database, clock }: Parts,
  { dataKeys, rootKey }: { dataKeys: DataKeys; rootKey: RootKey },
) {
  return {
    handlers: secretRoutes({ database, dataKeys, clock }, rootKey),
    palette: { secret: paletteSecrets },
  } satisfies Feature
}
