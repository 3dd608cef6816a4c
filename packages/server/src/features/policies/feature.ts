import type { Feature, Parts } from '../../feature.ts'
import { policyRoutes } from './routes.ts'

export function policiesFeature({ database, clock }: Parts) {
  return { handlers: policyRoutes(database, clock) } satisfies Feature
}
