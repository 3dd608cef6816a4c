import { AppError } from '../../../platform/errors.ts'
import { type Answer, answer } from '../../../platform/http/answer.ts'

type ErrorType = 'bad_data' | 'execution'

/** Status codes by type, as the HTTP API of Prometheus documents them. */
const statuses: Readonly<Record<ErrorType, number>> = { bad_data: 400, execution: 422 }

/** Thrown by the evaluation of an expression that could be read. */
export class ExecutionError extends Error {}

/** A reply of the HTTP API: the data, or the error in its own form. Anything but a mistake of the caller is thrown on. */
export async function replyWith(
  work: () => Promise<{ data: unknown; warnings?: readonly string[] }>,
): Promise<string | Answer<string>> {
  try {
    const { data, warnings = [] } = await work()
    return JSON.stringify({ status: 'success', data, ...(warnings.length > 0 && { warnings }) })
  } catch (error) {
    if (error instanceof ExecutionError) return failure('execution', error.message)
    if (error instanceof AppError && error.code === 'invalid_request')
      return failure('bad_data', error.message)
    throw error
  }
}

function failure(errorType: ErrorType, error: string): Answer<string> {
  return answer(JSON.stringify({ status: 'error', errorType, error }), { status: statuses[errorType] })
}
