import type { RequestInfo, ResourceInfo } from './request-info.ts'

/** A failure as the Kubernetes API answers it (`meta/v1 Status`). kubectl prints the message as it stands. */
export type StatusObject = {
  kind: 'Status'
  apiVersion: 'v1'
  metadata: Record<string, never>
  status: 'Failure'
  message: string
  reason: string
  details?: { name?: string; group?: string; kind?: string; retryAfterSeconds?: number }
  code: number
}

function failure(
  code: number,
  reason: string,
  message: string,
  details?: StatusObject['details'],
): StatusObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code,
  }
}

export const unauthorized = (): StatusObject => failure(401, 'Unauthorized', 'Unauthorized')

/** Refused whatever is asked for. */
export const refused = (message: string): StatusObject => failure(403, 'Forbidden', message)

export const badRequest = (message: string): StatusObject => failure(400, 'BadRequest', message)

export const methodNotAllowed = (): StatusObject =>
  failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource')

export const tooLarge = (maxBytes: number): StatusObject =>
  failure(413, 'RequestEntityTooLarge', `the request body is larger than the limit of ${maxBytes} bytes`)

export const unsupportedMediaType = (): StatusObject =>
  failure(415, 'UnsupportedMediaType', 'send a review as JSON or as protobuf')

export const clusterNotFound = (id: string): StatusObject =>
  failure(404, 'NotFound', `clusters "${id}" not found`, { name: id, kind: 'clusters' })

export const timedOut = (message: string): StatusObject => failure(504, 'Timeout', message)

export const tooManyRequests = (retryAfterMs: number): StatusObject =>
  failure(429, 'TooManyRequests', 'too many requests, please try again later', {
    // Whole seconds in the protocol, and 0 would mean nothing.
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)),
  })

export const internalError = (requestId: string): StatusObject =>
  failure(
    500,
    'InternalError',
    `an error on the server has prevented the request from succeeding (request ${requestId})`,
  )

/** The cluster, or what Bey needs to reach it, does not answer; `sentence` says what and why. */
export const serviceUnavailable = (sentence: string): StatusObject =>
  failure(503, 'ServiceUnavailable', sentence, { retryAfterSeconds: 1 })

/** Kubernetes' wording of a refusal, with the reason at its end as authorizers may give one. */
export function forbidden(user: string, info: RequestInfo, reason: string): StatusObject {
  const { resource } = info
  if (!resource) {
    return failure(
      403,
      'Forbidden',
      `forbidden: User "${user}" cannot ${info.verb} path "${info.path}": ${reason}`,
      {},
    )
  }
  const kind = resource.group ? `${resource.name}.${resource.group}` : resource.name
  const object = resource.objectName ? `${kind} "${resource.objectName}"` : kind
  const what = resource.subresource ? `${resource.name}/${resource.subresource}` : resource.name
  return failure(
    403,
    'Forbidden',
    `${object} is forbidden: User "${user}" cannot ${info.verb} resource "${what}" in API group "${resource.group}" ${scope(resource)}: ${reason}`,
    {
      ...(resource.objectName && { name: resource.objectName }),
      ...(resource.group && { group: resource.group }),
      kind: resource.name,
    },
  )
}

function scope(resource: ResourceInfo): string {
  return resource.namespace ? `in the namespace "${resource.namespace}"` : 'at the cluster scope'
}
