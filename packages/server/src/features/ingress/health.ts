import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { allKeptProblems } from './watch/problem-store.ts'
import type { IngressProblem } from './watch/problems.ts'

/** What leads from outside into a cluster and needs somebody. */
export type IngressHealth = Omit<IngressProblem, 'isAnnounced'> & { cluster: { id: number; title: string } }

/** A look that is older than this says nothing of now. */
const currentMs = 3 * 60_000

/** The hosts and certificates of an organization that need somebody, of the clusters that are looked at. */
export function ingressHealthReader(database: Pick<Database, 'readTenant'>, clock: Clock) {
  return async (organizationId: number): Promise<IngressHealth[]> => {
    const all = await database.readTenant(organizationId, (db) => allKeptProblems(db, organizationId))
    const sinceMs = clock.now().getTime() - currentMs
    return all
      .filter(({ asOf, isCurrent }) => isCurrent && asOf.getTime() >= sinceMs)
      .flatMap(({ id, title, problems }) =>
        problems.map(({ isAnnounced: _isAnnounced, ...problem }) => ({ ...problem, cluster: { id, title } })),
      )
  }
}
