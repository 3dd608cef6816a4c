import { presentPerson } from '../../platform/present-actor.ts'
import type { Annotation, AnnotationDetail, AnnotationReply } from '@bey/contract'
import type { AnnotationRow, ReplyRow } from './store.ts'

export function presentAnnotation(row: AnnotationRow): Annotation {
  const { userName, userEmail, resolvedByName, resolvedByEmail, ...rest } = row
  return {
    ...rest,
    createdBy: presentPerson(row.userId, userName, userEmail),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    resolvedBy:
      row.resolvedAt === null ? null : presentPerson(row.resolvedBy, resolvedByName, resolvedByEmail),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function presentDetail(row: AnnotationRow, replies: readonly ReplyRow[]): AnnotationDetail {
  return { ...presentAnnotation(row), replies: replies.map(presentReply) }
}

function presentReply(row: ReplyRow): AnnotationReply {
  const { id, text, createdAt } = row
  return {
    id,
    text,
    createdBy: presentPerson(row.userId, row.userName, row.userEmail),
    createdAt: createdAt.toISOString(),
  }
}
