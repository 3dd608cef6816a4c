import type { AnnotationDetail } from '@bey/contract'

import type { Db } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { markdownOf } from './markdown.ts'
import { presentDetail } from './present.ts'
import { type AnnotationFilter, listReplies, readAnnotations, sizeOf } from './store.ts'

export type ExportFormat = 'json' | 'markdown'

/** More text than this is not held in memory for one reply. */
const maxBytes = 10 * 1024 * 1024

/** Notes that match, newest first, with their replies. Throws `limit_reached` where that is too much for one file. */
export async function readExport(
  db: Db,
  organizationId: number,
  filter: AnnotationFilter,
): Promise<AnnotationDetail[]> {
  if ((await sizeOf(db, organizationId, filter)) > maxBytes) {
    throw new AppError(
      'limit_reached',
      'These annotations are more than 10 MiB of text. Filter by page, status or author and export them in parts.',
    )
  }
  const rows = await readAnnotations(db, organizationId, filter)
  const withReplies = rows.filter((row) => row.replyCount > 0).map((row) => row.id)
  const replies = withReplies.length === 0 ? [] : await listReplies(db, organizationId, withReplies)
  const byAnnotation = Map.groupBy(replies, (reply) => reply.annotationId)
  return rows.map((row) => presentDetail(row, byAnnotation.get(row.id) ?? []))
}

/** The file's text, and its media type and name. */
export function exportFile(
  format: ExportFormat,
  organization: string,
  at: Date,
  annotations: readonly AnnotationDetail[],
) {
  const name = `annotations-${at.toISOString().slice(0, 10)}`
  if (format === 'markdown') {
    const text = markdownOf(organization, at, annotations)
    return { text, mediaType: 'text/markdown; charset=utf-8', fileName: `${name}.md` }
  }
  const document = { organization, exportedAt: at.toISOString(), annotations }
  const text = `${JSON.stringify(document, null, 2)}\n`
  return { text, mediaType: 'application/json; charset=utf-8', fileName: `${name}.json` }
}
