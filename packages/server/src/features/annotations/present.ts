import type { Actor, Annotation, AnnotationDetail, AnnotationReply } from '@bey/contract'
import type { AnnotationRow, ReplyRow } from './store.ts'

export function presentAnnotation(row: AnnotationRow): Annotation {
  const { userName, resolvedByName, ...rest } = row
  return {
    ...rest,
    createdBy: person(row.userId, userName),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    resolvedBy: row.resolvedAt === null ? null : person(row.resolvedBy, resolvedByName),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function presentDetail(row: AnnotationRow, replies: readonly ReplyRow[]): AnnotationDetail {
  return { ...presentAnnotation(row), replies: replies.map(presentReply) }
}

function presentReply(row: ReplyRow): AnnotationReply {
  const { id, text, createdAt } = row
  return { id, text, createdBy: person(row.userId, row.userName), createdAt: createdAt.toISOString() }
}

// Row-level security hides the name of an author who has left the organization.
function person(id: number | null, name: string | null): Actor {
  return { type: 'user', id: id === null ? '' : String(id), name: name ?? 'Former member' }
}
