import type { Feature, Parts } from '../../feature.ts'
import type { PaletteSources } from './page.ts'
import { paletteRoutes } from './routes.ts'

/** `sources`: what the other features bring. */
export function paletteFeature({ database }: Parts, sources: PaletteSources) {
  return { handlers: paletteRoutes(database, sources) } satisfies Feature
}
