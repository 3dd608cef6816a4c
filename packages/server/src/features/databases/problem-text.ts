import { AppError } from '../../platform/errors.ts'
import { ConnectionProblem } from '../../platform/outbound/connection-problem.ts'

/** A failure of a look as a sentence. */
export function problemText(error: unknown): string {
  if (error instanceof ConnectionProblem || error instanceof AppError) return error.message
  return `The server answered, and then failed: ${error instanceof Error ? error.message : String(error)}.`
}
