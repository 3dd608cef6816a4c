import type { Feature, Parts } from '../../feature.ts'
import type { DataKeys } from '../../platform/crypto/data-keys.ts'
import { paletteSecrets } from './palette.ts'
import { secretRoutes } from './routes.ts'

export function secretsFeature({ database, clock }: Parts, { dataKeys }: { dataKeys: DataKeys }) {
  return {
    handlers: secretRoutes({ database, dataKeys, clock }),
    palette: { secret: paletteSecrets },
  } satisfies Feature
}
