import type { Feature, Parts } from '../../feature.ts'
import { watchGraceEnds } from './grace-ends.ts'
import { policyRoutes } from './routes.ts'

export function policiesFeature(parts: Parts) {
  const { database, clock } = parts
  return { handlers: policyRoutes(database, clock), close: watchGraceEnds(parts) } satisfies Feature
}
