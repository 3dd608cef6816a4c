import type { Feature, Parts } from '../../feature.ts'
import { settingsRoutes } from './routes.ts'

export function settingsFeature({ database }: Parts) {
  return { handlers: settingsRoutes(database) } satisfies Feature
}
