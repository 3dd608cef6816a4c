import type { Feature, Parts } from '../../feature.ts'
import { memberRoutes } from './routes.ts'

export function membersFeature({ database }: Parts) {
  return { handlers: memberRoutes(database) } satisfies Feature
}
