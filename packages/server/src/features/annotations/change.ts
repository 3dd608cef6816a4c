import { annotationMoves, type AnnotationStatus } from '@bey/contract'
import { AppError } from '../../platform/errors.ts'
import type { Who } from '../../platform/act.ts'
import type { lockAnnotation } from './store.ts'

type Locked = NonNullable<Awaited<ReturnType<typeof lockAnnotation>>>

export type Change = { annotationText?: string | undefined; status?: AnnotationStatus | undefined }

/** The new text, if it differs; only the author can change it. */
export function textChange(found: Locked, { annotationText }: Change, who: Who) {
  if (annotationText === undefined || annotationText === found.annotationText) return {}
  if (found.userId !== who.user.id) {
    throw new AppError(
      'forbidden',
      'Only its author can change the text of an annotation. Reply to it instead.',
    )
  }
  return { annotationText: { from: found.annotationText, to: annotationText } }
}

/** The new status, if it is a legal move. */
export function statusChange(found: Locked, { status }: Change) {
  if (status === undefined || !annotationMoves[found.status].includes(status)) return {}
  return { status: { from: found.status, to: status } }
}

export function resolution(status: AnnotationStatus, who: Who) {
  return status === 'resolved'
    ? { status, resolvedAt: new Date(), resolvedBy: who.user.id }
    : { status, resolvedAt: null, resolvedBy: null }
}
