import { type ErrorLogParts, existing, only, withTrends } from './parts.ts'
import { presentOccurrence, presentSummary } from './present.ts'
import { parseStack } from './stack.ts'
import {
  countOpen,
  findGroup,
  findOccurrence,
  type GroupFilter,
  listGroupReleases,
  listGroups,
  listOccurrences,
  listReleases,
} from './store.ts'
import type { Period } from './trend.ts'

const maxReleasesShown = 20
const maxReleasesListed = 50

/** What is asked about errors. */
export function createErrorReads(parts: ErrorLogParts) {
  const { database, sourceMaps } = parts
  return {
    list(organizationId: number, filter: GroupFilter & { period: Period }) {
      return database.readTenant(organizationId, async (db) => {
        const { rows, total } = await listGroups(db, organizationId, filter)
        const groups = await withTrends(parts, db, organizationId, rows, filter.period)
        return { groups, ...total, page: filter.page, limit: filter.limit }
      })
    },

    releases: (organizationId: number) =>
      database.readTenant(organizationId, (db) => listReleases(db, organizationId, maxReleasesListed)),

    get(organizationId: number, id: string, period: Period) {
      return database.readTenant(organizationId, async (db) => {
        const row = existing(await findGroup(db, organizationId, id))
        const [groups, releases, latest] = await Promise.all([
          withTrends(parts, db, organizationId, [row], period),
          listGroupReleases(db, organizationId, id, maxReleasesShown),
          listOccurrences(db, organizationId, id, undefined, 1),
        ])
        return { group: only(groups), releases, latestOccurrenceId: latest[0]?.id ?? null }
      })
    },

    occurrences(organizationId: number, id: string, before: string | undefined, limit: number) {
      return database.readTenant(organizationId, async (db) => {
        existing(await findGroup(db, organizationId, id))
        const rows = await listOccurrences(db, organizationId, id, before, limit + 1)
        const shown = rows.slice(0, limit)
        const nextCursor = rows.length > limit ? (shown.at(-1)?.id ?? null) : null
        return { occurrences: shown.map(presentSummary), nextCursor }
      })
    },

    async occurrence(organizationId: number, id: string, occurrenceId: string) {
      const row = existing(
        await database.readTenant(organizationId, (db) =>
          findOccurrence(db, organizationId, id, occurrenceId),
        ),
      )
      const [frames, componentFrames] = await Promise.all([
        sourceMaps.resolve(parseStack(row.stack), { withExcerpts: true }),
        sourceMaps.resolve(parseStack(row.componentStack), { withExcerpts: false }),
      ])
      return { occurrence: presentOccurrence(row, frames, componentFrames) }
    },

    /** What ERRORS_UPDATE carries. */
    expand: (organizationId: number) =>
      database.readTenant(organizationId, async (db) => ({
        openCount: await countOpen(db, organizationId),
      })),
  }
}
