import type { Feature, Parts } from '../../feature.ts'
import { policyRoutes } from './routes.ts'

export function policiesFeature({ database }: Parts) {
  return { handlers: policyRoutes(database) } satisfies Feature
}
