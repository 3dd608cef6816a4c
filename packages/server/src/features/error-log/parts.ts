import type { Clock } from '../../platform/clock.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { AnyPublishedEvent } from '../../platform/live/publish.ts'
import { presentGroup } from './present.ts'
import type { SourceMaps } from './source-maps.ts'
import { type GroupRow, listSpans } from './store.ts'
import { type Period, trendOf, trendSpan, trendStart } from './trend.ts'

/** What the functions of this feature work with. */
export type ErrorLogParts = {
  database: Database
  publish(db: Db, events: readonly AnyPublishedEvent[]): Promise<void>
  sourceMaps: SourceMaps
  clock: Clock
}

/** Publishes that the errors of an organization changed, in the caller's transaction. */
export function publishErrors(
  { publish }: Pick<ErrorLogParts, 'publish'>,
  db: Db,
  organizationId: number,
): Promise<void> {
  return publish(db, [{ organizationId, type: 'ERRORS_UPDATE' }])
}

/** Groups as screens show them, each with how often it happened over the period. */
export async function withTrends(
  { clock }: Pick<ErrorLogParts, 'clock'>,
  db: Db,
  organizationId: number,
  rows: readonly GroupRow[],
  period: Period,
) {
  const now = clock.now()
  const ids = rows.map((row) => row.id)
  const spans = await listSpans(db, organizationId, ids, trendStart(period, now), trendSpan[period])
  const byGroup = Map.groupBy(spans, ({ groupId }) => groupId)
  return rows.map((row) => presentGroup(row, trendOf(byGroup.get(row.id) ?? [], period, now)))
}

/** The row. Throws AppError `not_found` where there is none. */
export function existing<T>(row: T | undefined): T {
  if (row === undefined) {
    throw new AppError('not_found', 'This error is not kept in this organization; it may have been too old.')
  }
  return row
}

export function only<T>(rows: readonly T[]): T {
  const [row] = rows
  if (row === undefined) throw new Error('The error was not presented')
  return row
}
