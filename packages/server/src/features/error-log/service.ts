import { type ErrorEntry, type ErrorGroupStatus, errorGroupMoves } from '@bey/contract'
import { type AuditEntry, audit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { keepReply } from '../../platform/http/kept-reply.ts'
import type { AnyPublishedEvent } from '../../platform/live/publish.ts'
import { createAllowance } from './allowance.ts'
import { culpritOf, fingerprintOf } from './fingerprint.ts'
import { recordSighting, recordSurplus, type RecordedSighting, type Sighting } from './ingest-store.ts'
import { presentGroup, presentOccurrence, presentSummary } from './present.ts'
import { type Report, reportOf } from './report.ts'
import type { SourceMaps } from './source-maps.ts'
import { parseStack } from './stack.ts'
import {
  countOpen,
  findGroup,
  findOccurrence,
  type GroupFilter,
  type GroupRow,
  listGroupReleases,
  listGroups,
  listSpans,
  listOccurrences,
  listReleases,
  lockGroup,
  updateGroup,
} from './store.ts'
import { type Period, trendOf, trendSpan, trendStart } from './trend.ts'

/** Occurrences that an organization may have kept within a minute; more are only counted. */
const keptPerMinute = 300
const maxReleasesShown = 20
const maxReleasesListed = 50
/** Frames from the top that are traced to distinguish errors. */
const framesTraced = 12

export type Who = { userId: number; name: string } & Pick<
  AuditEntry,
  'via' | 'ip' | 'userAgent' | 'requestId'
>

type Options = {
  database: Database
  publish(db: Db, events: readonly AnyPublishedEvent[]): Promise<void>
  sourceMaps: SourceMaps
  clock: Clock
}

/** A sighting with the places of its reports in the call. */
type Found = Sighting & { reports: Report[]; indexes: number[] }

export function createErrorLog({ database, publish, sourceMaps, clock }: Options) {
  const allowance = createAllowance(keptPerMinute, clock)

  async function locate(report: Report) {
    const frames = parseStack(report.stack || report.componentStack).slice(0, framesTraced)
    const traced = await sourceMaps.resolve(frames, { withExcerpts: false })
    return { fingerprint: fingerprintOf(report.message, traced), culprit: culpritOf(traced) }
  }

  function changed(db: Db, organizationId: number): Promise<void> {
    return publish(db, [{ organizationId, type: 'ERRORS_UPDATE' }])
  }

  async function auditRegression(db: Db, organizationId: number, group: RecordedSighting): Promise<void> {
    await audit(db, {
      organizationId,
      actor: { type: 'system', display: 'Bey' },
      via: 'system',
      action: 'error.regress',
      class: 'update',
      target: { type: 'error', id: group.groupId, name: group.message.slice(0, 200) },
      diff: { status: ['resolved', 'open'] },
    })
  }

  async function withTrends(db: Db, rows: readonly GroupRow[], period: Period) {
    const now = clock.now()
    const ids = rows.map((row) => row.id)
    const spans = await listSpans(db, ids, trendStart(period, now), trendSpan[period])
    const byGroup = Map.groupBy(spans, ({ groupId }) => groupId)
    return rows.map((row) => presentGroup(row, trendOf(byGroup.get(row.id) ?? [], period, now)))
  }

  return {
    /** Groups, counts and keeps what a console reports; answers for each entry the error that it was counted to. */
    async log(
      organizationId: number,
      entries: readonly ErrorEntry[],
      who: Who,
    ): Promise<{ errorIds: string[] }> {
      const sightings = new Map<string, Found>()
      const allowed = allowance.take(organizationId, entries.length)
      for (const [index, entry] of entries.entries()) {
        const report = reportOf(entry, who.userAgent ?? '')
        const location = await locate(report)
        const key = location.fingerprint.toString('hex')
        const sighting = sightings.get(key) ?? { ...location, reports: [], indexes: [], keep: 0 }
        sighting.reports.push(report)
        sighting.indexes.push(index)
        if (index < allowed) sighting.keep += 1
        sightings.set(key, sighting)
      }
      const errorIds: string[] = []
      return database.withTenant(organizationId, async (db) => {
        const by = { userId: who.userId, at: clock.now() }
        const regressed: RecordedSighting[] = []
        const surplus: Found[] = []
        const collect = (recordedSighting: RecordedSighting, of: readonly Found[]) => {
          for (const index of of.flatMap(({ indexes }) => indexes)) errorIds[index] = recordedSighting.groupId
          if (recordedSighting.isRegression) regressed.push(recordedSighting)
        }
        for (const [, sighting] of [...sightings].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
          const recordedSighting = await recordSighting(db, organizationId, sighting, by)
          if (recordedSighting === undefined) surplus.push(sighting)
          else collect(recordedSighting, [sighting])
        }
        if (surplus.length > 0) collect(await recordSurplus(db, organizationId, surplus, by), surplus)
        await changed(db, organizationId)
        // An entry holds the audit trail until the end, so it comes after all other locks: no deadlock.
        for (const recordedSighting of regressed) await auditRegression(db, organizationId, recordedSighting)
        return keepReply(db, { errorIds })
      })
    },

    list(organizationId: number, filter: GroupFilter & { period: Period }) {
      return database.readTenant(organizationId, async (db) => {
        const { rows, total } = await listGroups(db, organizationId, filter)
        const groups = await withTrends(db, rows, filter.period)
        return { groups, ...total, page: filter.page, limit: filter.limit }
      })
    },

    releases: (organizationId: number) =>
      database.readTenant(organizationId, (db) => listReleases(db, organizationId, maxReleasesListed)),

    get(organizationId: number, id: string, period: Period) {
      return database.readTenant(organizationId, async (db) => {
        const row = present(await findGroup(db, organizationId, id))
        const [groups, releases, latest] = await Promise.all([
          withTrends(db, [row], period),
          listGroupReleases(db, id, maxReleasesShown),
          listOccurrences(db, organizationId, id, undefined, 1),
        ])
        return { group: only(groups), releases, latestOccurrenceId: latest[0]?.id ?? null }
      })
    },

    /** Moves an error to another status; asked for the one that it has, leaves it alone. */
    update(organizationId: number, id: string, status: ErrorGroupStatus, who: Who) {
      return database.withTenant(organizationId, async (db) => {
        const before = present(await lockGroup(db, organizationId, id))
        if (before.status !== status) {
          if (!errorGroupMoves[before.status].includes(status)) {
            throw new AppError('conflict', `An error that is ${before.status} cannot become ${status}.`)
          }
          await updateGroup(db, id, {
            status,
            statusChangedAt: clock.now(),
            statusChangedBy: who.userId,
          })
          await changed(db, organizationId)
          await audit(db, {
            organizationId,
            actor: { type: 'user', id: who.userId, display: who.name },
            via: who.via,
            action: acts[status],
            class: 'update',
            target: { type: 'error', id, name: before.message.slice(0, 200) },
            ip: who.ip,
            userAgent: who.userAgent,
            requestId: who.requestId,
            diff: { status: [before.status, status] },
          })
        }
        const row = present(await findGroup(db, organizationId, id))
        return { group: only(await withTrends(db, [row], '24h')) }
      })
    },

    occurrences(organizationId: number, id: string, before: string | undefined, limit: number) {
      return database.readTenant(organizationId, async (db) => {
        present(await findGroup(db, organizationId, id))
        const rows = await listOccurrences(db, organizationId, id, before, limit + 1)
        const shown = rows.slice(0, limit)
        const nextCursor = rows.length > limit ? (shown.at(-1)?.id ?? null) : null
        return { occurrences: shown.map(presentSummary), nextCursor }
      })
    },

    async occurrence(organizationId: number, id: string, occurrenceId: string) {
      const row = present(
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

export type ErrorLog = ReturnType<typeof createErrorLog>

const acts: Record<ErrorGroupStatus, string> = {
  open: 'error.reopen',
  resolved: 'error.resolve',
  ignored: 'error.ignore',
}

function present<T>(row: T | undefined): T {
  if (row === undefined) {
    throw new AppError('not_found', 'This error is not kept in this organization; it may have been too old.')
  }
  return row
}

function only<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('The error was not presented')
  return row
}
