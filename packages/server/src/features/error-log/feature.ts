import type { Feature, Parts } from '../../feature.ts'
import { errorLogRoutes } from './routes.ts'
import { createErrorLog } from './service.ts'
import { createSourceMaps } from './source-maps.ts'

/** `sourceMapsDir`: where the build of the console left the maps of its scripts. */
export function errorLogFeature({ database, publish, clock }: Parts, sourceMapsDir: string) {
  const sourceMaps = createSourceMaps(sourceMapsDir)
  const errorLog = createErrorLog({ database, publish, sourceMaps, clock })
  return {
    handlers: errorLogRoutes(errorLog),
    expansions: { ERRORS_UPDATE: (organizationId) => errorLog.expand(organizationId) },
  } satisfies Feature
}
