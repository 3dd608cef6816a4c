import type { Feature, Parts } from '../../feature.ts'
import type { MatchQueries } from '../resources/match-query.ts'
import { relationRoutes } from './routes.ts'
import { type RelationSources, snapshotReader } from './snapshot.ts'

/** How everything that an organization has relates. `sources` is asked at each request, when all features are there. */
export function relationsFeature(
  { database, clock }: Parts,
  sources: () => RelationSources,
  matches: MatchQueries,
) {
  return {
    handlers: relationRoutes(snapshotReader(sources, clock), database, matches),
  } satisfies Feature
}
