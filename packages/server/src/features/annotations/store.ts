import type { AnnotationStatus } from '@bey/contract'
import { aliasedTable, and, asc, count, desc, eq, ilike, inArray, or, type SQL, sql } from 'drizzle-orm'

import type { Db } from '../../platform/db/database.ts'
import { lockUntilCommit } from '../../platform/db/locks.ts'
import { countUpTo } from '../../platform/db/totals.ts'
import { containing } from '../../platform/db/like.ts'
import { annotationReplies } from '../../tables/annotation-replies.ts'
import { annotations, pathOf } from '../../tables/annotations.ts'
import { users } from '../../tables/users.ts'

const resolvers = aliasedTable(users, 'resolvers')

const columns = {
  id: annotations.id,
  userId: annotations.userId,
  userName: users.name,
  userEmail: users.email,
  componentName: annotations.componentName,
  xpath: annotations.xpath,
  selectedText: annotations.selectedText,
  annotationText: annotations.annotationText,
  url: annotations.url,
  viewport: annotations.viewport,
  elementRect: annotations.elementRect,
  status: annotations.status,
  resolvedAt: annotations.resolvedAt,
  resolvedBy: annotations.resolvedBy,
  resolvedByName: resolvers.name,
  resolvedByEmail: resolvers.email,
  replyCount: annotations.replyCount,
  createdAt: annotations.createdAt,
  updatedAt: annotations.updatedAt,
}

const replyColumns = {
  id: annotationReplies.id,
  annotationId: annotationReplies.annotationId,
  userId: annotationReplies.userId,
  userName: users.name,
  userEmail: users.email,
  text: annotationReplies.text,
  createdAt: annotationReplies.createdAt,
}

export type AnnotationRow = Awaited<ReturnType<typeof findAnnotation>> & {}
export type ReplyRow = Awaited<ReturnType<typeof listReplies>>[number]

export type AnnotationFilter = {
  userId?: number | undefined
  /** A path, or a path with its search. */
  url?: string | undefined
  componentName?: string | undefined
  status?: AnnotationStatus | undefined
  search?: string | undefined
}

export type AnnotationPage = AnnotationFilter & {
  page: number
  limit: number
  sort: 'createdAt' | 'updatedAt' | 'componentName' | 'url'
  order?: 'asc' | 'desc' | undefined
}

function selectAnnotations(db: Db) {
  return db
    .select(columns)
    .from(annotations)
    .leftJoin(users, eq(users.id, annotations.userId))
    .leftJoin(resolvers, eq(resolvers.id, annotations.resolvedBy))
    .$dynamic()
}

function whereOf(organizationId: number, filter: AnnotationFilter): SQL | undefined {
  const { userId, url, componentName, status, search } = filter
  const part = search ? containing(search) : undefined
  return and(
    eq(annotations.organizationId, organizationId),
    userId === undefined ? undefined : eq(annotations.userId, userId),
    url === undefined
      ? undefined
      : sql`${url.includes('?') ? annotations.url : pathOf(annotations.url)} = ${url}`,
    componentName ? ilike(annotations.componentName, containing(componentName)) : undefined,
    status === undefined ? undefined : eq(annotations.status, status),
    part === undefined
      ? undefined
      : or(
          ilike(annotations.annotationText, part),
          ilike(annotations.componentName, part),
          ilike(annotations.url, part),
        ),
  )
}

export async function listAnnotations(db: Db, organizationId: number, filter: AnnotationPage) {
  const where = whereOf(organizationId, filter)
  const isByTime = filter.sort === 'createdAt' || filter.sort === 'updatedAt'
  const order = (filter.order ?? (isByTime ? 'desc' : 'asc')) === 'desc' ? desc : asc
  const [rows, total] = await Promise.all([
    selectAnnotations(db)
      .where(where)
      .orderBy(order(annotations[filter.sort]), order(annotations.id))
      .limit(filter.limit)
      .offset((filter.page - 1) * filter.limit),
    countUpTo(db, sql`select 1 from ${annotations} where ${where}`),
  ])
  return { rows, total }
}

/** Everything that matches, newest first; for an export, whose size was asked for before. */
export function readAnnotations(db: Db, organizationId: number, filter: AnnotationFilter) {
  return selectAnnotations(db)
    .where(whereOf(organizationId, filter))
    .orderBy(desc(annotations.createdAt), desc(annotations.id))
}

/** How many bytes of text match, replies included. */
export async function sizeOf(db: Db, organizationId: number, filter: AnnotationFilter): Promise<number> {
  const replies = db
    .select({ bytes: sql<number>`coalesce(sum(octet_length(${annotationReplies.text})), 0)` })
    .from(annotationReplies)
    .where(
      and(
        eq(annotationReplies.organizationId, organizationId),
        eq(annotationReplies.annotationId, annotations.id),
      ),
    )
  const own = sql`octet_length(${annotations.annotationText}) + octet_length(${annotations.xpath})
    + octet_length(coalesce(${annotations.selectedText}, '')) + octet_length(${annotations.componentName})`
  const rows = await db
    .select({ bytes: sql<string>`coalesce(sum(${own} + (${replies})), 0)` })
    .from(annotations)
    .where(whereOf(organizationId, filter))
  return Number(rows[0]?.bytes ?? 0)
}

export async function findAnnotation(db: Db, organizationId: number, id: string) {
  const rows = await selectAnnotations(db).where(
    and(eq(annotations.organizationId, organizationId), eq(annotations.id, id)),
  )
  return rows[0]
}

/** The row locked until the transaction ends, so that what is decided by it holds. */
export async function lockAnnotation(db: Db, organizationId: number, id: string) {
  const rows = await db
    .select({
      id: annotations.id,
      userId: annotations.userId,
      componentName: annotations.componentName,
      annotationText: annotations.annotationText,
      url: annotations.url,
      status: annotations.status,
      replyCount: annotations.replyCount,
    })
    .from(annotations)
    .where(and(eq(annotations.organizationId, organizationId), eq(annotations.id, id)))
    .for('update')
  return rows[0]
}

export function listReplies(db: Db, organizationId: number, annotationIds: string[]) {
  return db
    .select(replyColumns)
    .from(annotationReplies)
    .leftJoin(users, eq(users.id, annotationReplies.userId))
    .where(
      and(
        eq(annotationReplies.organizationId, organizationId),
        inArray(annotationReplies.annotationId, annotationIds),
      ),
    )
    .orderBy(asc(annotationReplies.annotationId), asc(annotationReplies.id))
}

/** Pages and components with how many notes each has, most first. */
export function countPlaces(db: Db, organizationId: number, by: 'path' | 'componentName') {
  const name = by === 'path' ? pathOf(annotations.url) : sql<string>`${annotations.componentName}`
  return db
    .select({ name, count: count() })
    .from(annotations)
    .where(eq(annotations.organizationId, organizationId))
    .groupBy(name)
    .orderBy(desc(count()), asc(name))
    .limit(200)
}

export function countAnnotations(db: Db, organizationId: number): Promise<number> {
  return db.$count(annotations, eq(annotations.organizationId, organizationId))
}

/** Serialises what counts an organization's notes, until the transaction ends. */
export async function lockOrganization(db: Db, organizationId: number): Promise<void> {
  await lockUntilCommit(db, 'annotationCount', organizationId)
}

type NewAnnotation = Omit<typeof annotations.$inferInsert, 'status' | 'replyCount'>

export async function insertAnnotation(db: Db, values: NewAnnotation): Promise<void> {
  await db.insert(annotations).values(values)
}

export async function updateAnnotation(
  db: Db,
  organizationId: number,
  id: string,
  values: Partial<typeof annotations.$inferInsert>,
): Promise<void> {
  await db
    .update(annotations)
    .set(values)
    .where(and(eq(annotations.organizationId, organizationId), eq(annotations.id, id)))
}

export async function insertReply(db: Db, values: typeof annotationReplies.$inferInsert): Promise<void> {
  await db.insert(annotationReplies).values(values)
}

export async function deleteAnnotation(db: Db, organizationId: number, id: string): Promise<void> {
  await db
    .delete(annotations)
    .where(and(eq(annotations.organizationId, organizationId), eq(annotations.id, id)))
}
