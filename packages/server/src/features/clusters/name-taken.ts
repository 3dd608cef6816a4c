import { violatedConstraint } from '../../platform/db/failure.ts'
import { AppError } from '../../platform/errors.ts'

/** The error of a write that may have met another cluster of this title: AppError `name_taken` then, else itself. */
export function asNameTaken(error: unknown, title: string): unknown {
  if (violatedConstraint(error) !== 'clusters_title_key') return error
  return new AppError('name_taken', `A cluster named "${title}" already exists. Choose another name.`, {
    cause: error,
    errors: [{ path: 'title', message: 'Another cluster has this name.' }],
  })
}
