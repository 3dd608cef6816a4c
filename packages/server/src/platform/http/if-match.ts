import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

/** The ETag of a reply that has a version; undefined for any other one. */
export function etagOf(reply: unknown): string | undefined {
  if (typeof reply !== 'object' || reply === null || !('version' in reply)) return undefined
  return typeof reply.version === 'number' ? `"${reply.version}"` : undefined
}

/**
 * Puts the version that `If-Match` names (RFC 9110 section 13.1.1) into the body, where the endpoint takes it. `*` asks for
 * nothing that a change does not ask for anyway. Throws AppError for an ETag that is none of ours.
 */
export function takeIfMatch(request: FastifyRequest): void {
  const header = request.headers['if-match']
  const { body } = request
  if (header === undefined || header.trim() === '*' || typeof body !== 'object' || body === null) return
  const [, version] = /^"(\d{1,9})"$/.exec(header.trim()) ?? []
  if (version === undefined) throw invalid('Send one ETag as it was answered, such as "7".')
  if ('version' in body && body.version !== Number(version))
    throw invalid('If-Match and version name different versions. Send the same in both, or only one.')
  request.body = { ...body, version: Number(version) }
}

function invalid(message: string): AppError {
  return new AppError('invalid_request', `If-Match: ${message}`, { errors: [{ path: 'If-Match', message }] })
}
