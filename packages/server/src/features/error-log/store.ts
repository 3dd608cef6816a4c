import type { ErrorGroupStatus, ErrorKind } from '@bey/contract'
import { and, asc, count, desc, eq, exists, gte, ilike, inArray, lt, or, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { countUpTo } from '../../platform/db/totals.ts'
import { containing } from '../../platform/db/like.ts'
import { errorGroups, errorHours, errorReleases } from '../../tables/error-groups.ts'
import { errorOccurrences } from '../../tables/error-occurrences.ts'
import { users } from '../../tables/users.ts'

export type GroupFilter = {
  page: number
  limit: number
  order?: 'asc' | 'desc' | undefined
  sort: 'lastSeenAt' | 'firstSeenAt' | 'occurrenceCount' | 'userCount'
  search?: string | undefined
  status?: ErrorGroupStatus | undefined
  kind?: ErrorKind | undefined
  release?: string | undefined
}

const groupColumns = {
  id: errorGroups.id,
  message: errorGroups.message,
  culprit: errorGroups.culprit,
  kind: errorGroups.kind,
  status: errorGroups.status,
  occurrenceCount: errorGroups.occurrenceCount,
  userCount: errorGroups.userCount,
  firstSeenAt: errorGroups.firstSeenAt,
  lastSeenAt: errorGroups.lastSeenAt,
  firstRelease: errorGroups.firstRelease,
  lastRelease: errorGroups.lastRelease,
  regressedAt: errorGroups.regressedAt,
  statusChangedAt: errorGroups.statusChangedAt,
  statusChangedBy: errorGroups.statusChangedBy,
  changerName: users.name,
  changerEmail: users.email,
}

export type GroupRow = Awaited<ReturnType<typeof listGroups>>['rows'][number]

export async function listGroups(db: Db, organizationId: number, filter: GroupFilter) {
  const where = whereOf(db, organizationId, filter)
  const inOrder = filter.order === 'asc' ? asc : desc
  const [rows, total] = await Promise.all([
    db
      .select(groupColumns)
      .from(errorGroups)
      .leftJoin(users, eq(users.id, errorGroups.statusChangedBy))
      .where(where)
      .orderBy(inOrder(errorGroups[filter.sort]), inOrder(errorGroups.id))
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit),
    countUpTo(db, sql`select 1 from ${errorGroups} where ${where}`),
  ])
  return { rows, total }
}

function whereOf(db: Db, organizationId: number, { search, status, kind, release }: GroupFilter) {
  const pattern = search ? containing(search) : undefined
  return and(
    eq(errorGroups.organizationId, organizationId),
    status && eq(errorGroups.status, status),
    kind && eq(errorGroups.kind, kind),
    pattern === undefined
      ? undefined
      : or(ilike(errorGroups.message, pattern), ilike(errorGroups.culprit, pattern)),
    release === undefined
      ? undefined
      : exists(
          db
            .select({ one: sql`1` })
            .from(errorReleases)
            .where(and(eq(errorReleases.groupId, errorGroups.id), eq(errorReleases.release, release))),
        ),
  )
}

export async function findGroup(db: Db, organizationId: number, id: string): Promise<GroupRow | undefined> {
  const rows = await db
    .select(groupColumns)
    .from(errorGroups)
    .leftJoin(users, eq(users.id, errorGroups.statusChangedBy))
    .where(and(eq(errorGroups.organizationId, organizationId), eq(errorGroups.id, id)))
  return rows[0]
}

/** Holds the group until the transaction ends. */
export async function lockGroup(
  db: Db,
  organizationId: number,
  id: string,
): Promise<{ status: ErrorGroupStatus; message: string } | undefined> {
  const rows = await db
    .select({ status: errorGroups.status, message: errorGroups.message })
    .from(errorGroups)
    .where(and(eq(errorGroups.organizationId, organizationId), eq(errorGroups.id, id)))
    .for('update')
  return rows[0]
}

export async function updateGroup(
  db: Db,
  organizationId: number,
  id: string,
  values: { status: ErrorGroupStatus; statusChangedAt: Date; statusChangedBy: number },
): Promise<void> {
  await db
    .update(errorGroups)
    .set(values)
    .where(and(eq(errorGroups.organizationId, organizationId), eq(errorGroups.id, id)))
}

export async function countOpen(db: Db, organizationId: number): Promise<number> {
  const rows = await db
    .select({ total: count() })
    .from(errorGroups)
    .where(and(eq(errorGroups.organizationId, organizationId), eq(errorGroups.status, 'open')))
  return rows[0]?.total ?? 0
}

export type SpanRow = { groupId: string; start: Date; occurrenceCount: number }

/** How often each error happened in each hour, or day of UTC, in which it did. */
export function listSpans(
  db: Db,
  organizationId: number,
  groupIds: string[],
  since: Date,
  span: 'hour' | 'day',
): Promise<SpanRow[]> {
  if (groupIds.length === 0) return Promise.resolve([])
  const start = sql<Date>`date_trunc(${sql.raw(`'${span}'`)}, ${errorHours.hour}, 'UTC')`.mapWith(
    errorHours.hour,
  )
  return db
    .select({
      groupId: errorHours.groupId,
      start,
      occurrenceCount: sql`sum(${errorHours.occurrenceCount})`.mapWith(Number),
    })
    .from(errorHours)
    .where(
      and(
        eq(errorHours.organizationId, organizationId),
        inArray(errorHours.groupId, groupIds),
        gte(errorHours.hour, since),
      ),
    )
    .groupBy(errorHours.groupId, start)
}

export function listGroupReleases(db: Db, organizationId: number, groupId: string, limit: number) {
  return db
    .select({ release: errorReleases.release, occurrenceCount: errorReleases.occurrenceCount })
    .from(errorReleases)
    .where(and(eq(errorReleases.organizationId, organizationId), eq(errorReleases.groupId, groupId)))
    .orderBy(desc(errorReleases.lastSeenAt), desc(errorReleases.release))
    .limit(limit)
}

export async function listReleases(db: Db, organizationId: number, limit: number): Promise<string[]> {
  const rows = await db
    .select({ release: errorReleases.release })
    .from(errorReleases)
    .where(eq(errorReleases.organizationId, organizationId))
    .groupBy(errorReleases.release)
    .orderBy(desc(sql`max(${errorReleases.lastSeenAt})`))
    .limit(limit)
  return rows.map(({ release }) => release)
}

const summaryColumns = {
  id: errorOccurrences.id,
  at: errorOccurrences.at,
  message: errorOccurrences.message,
  release: errorOccurrences.release,
  url: errorOccurrences.url,
  userAgent: errorOccurrences.userAgent,
  sessionId: errorOccurrences.sessionId,
  userId: errorOccurrences.userId,
  userName: users.name,
  repeats: errorOccurrences.repeats,
}

export type SummaryRow = Awaited<ReturnType<typeof listOccurrences>>[number]

/** The latest first; those before `before` where it is given. */
export function listOccurrences(
  db: Db,
  organizationId: number,
  groupId: string,
  before: string | undefined,
  limit: number,
) {
  return db
    .select(summaryColumns)
    .from(errorOccurrences)
    .leftJoin(users, eq(users.id, errorOccurrences.userId))
    .where(
      and(
        eq(errorOccurrences.organizationId, organizationId),
        eq(errorOccurrences.groupId, groupId),
        before === undefined ? undefined : lt(errorOccurrences.id, before),
      ),
    )
    .orderBy(desc(errorOccurrences.id))
    .limit(limit)
}

export async function findOccurrence(db: Db, organizationId: number, groupId: string, id: string) {
  const rows = await db
    .select({
      ...summaryColumns,
      reportedAt: errorOccurrences.reportedAt,
      stack: errorOccurrences.stack,
      componentStack: errorOccurrences.componentStack,
      source: errorOccurrences.source,
      line: errorOccurrences.line,
      column: errorOccurrences.column,
      errorBoundary: errorOccurrences.errorBoundary,
      errorBoundaryStack: errorOccurrences.errorBoundaryStack,
      additionalContext: errorOccurrences.additionalContext,
    })
    .from(errorOccurrences)
    .leftJoin(users, eq(users.id, errorOccurrences.userId))
    .where(
      and(
        eq(errorOccurrences.organizationId, organizationId),
        eq(errorOccurrences.groupId, groupId),
        eq(errorOccurrences.id, id),
      ),
    )
  return rows[0]
}
