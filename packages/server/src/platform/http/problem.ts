import { errorTable, type ErrorCode, type Problem } from '@bey/contract/base/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../log.ts'
import { diskIsFull, isFull } from '../disk-full.ts'
import { AppError } from '../errors.ts'

export const problemMediaType = 'application/problem+json'

/** The problem document (RFC 9457) of an error. Of an error that is no AppError the caller gets only the request id. */
function toProblem(error: AppError | undefined, { id: requestId, span }: FastifyRequest): Problem {
  const code: ErrorCode = error?.code ?? 'internal'
  const { status, title } = errorTable[code]
  return {
    type: `/api/docs#error-${code}`,
    title,
    status,
    detail:
      error?.message ??
      `Something went wrong on our side. Quote the request id ${requestId} when you report it.`,
    code,
    requestId,
    ...(span && { traceId: span.traceId }),
    ...(error?.errors && { errors: error.errors }),
  }
}

/** Answers an error, and logs it where it is a bug. */
export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): void {
  const known = error instanceof AppError ? error : (fromFramework(error) ?? fromDisk(error))
  if (known === undefined || known.code === 'internal') {
    log.error(
      {
        err: error,
        requestId: request.id,
        traceId: request.span?.traceId,
        method: request.method,
        route: request.routeOptions?.url,
      },
      'Unexpected error',
    )
  } else if (known.code === 'unavailable') {
    log.warn(
      { err: known, requestId: request.id, traceId: request.span?.traceId },
      'A request could not be served',
    )
    reply.header('retry-after', '2')
  }
  if (known?.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds)
  const problem = toProblem(known, request)
  reply
    .code(problem.status)
    .header('x-request-id', request.id)
    .header('content-type', problemMediaType)
    .header('cache-control', 'no-store')
  void reply.send(JSON.stringify(problem))
}

/** A file that could not be written. */
function fromDisk(error: unknown): AppError | undefined {
  return isFull(error) ? new AppError('unavailable', diskIsFull, { cause: error }) : undefined
}

/** What Fastify refuses by itself, in our words. Undefined: a bug. */
function fromFramework(error: unknown): AppError | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error ? error.code : undefined
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new AppError('payload_too_large', 'The body is too large. At most 1 MB is accepted.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as application/json.')
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return new AppError('malformed_json', 'The body is not valid JSON.')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('invalid_request', 'The request is not valid HTTP.')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new AppError('route_not_found', 'No endpoint has this path.')
    case 'ECONNRESET':
      return new AppError('invalid_request', 'The connection was closed before the request was complete.')
  }
  if (error instanceof SyntaxError && 'statusCode' in error && error.statusCode === 400) {
    return new AppError('malformed_json', 'The body is not valid JSON.')
  }
  return undefined
}
