import type { JsonObject } from './json.ts'

/** One reason below a Status, for example one wrong field. */
export type Cause = { reason: string; message: string; field?: string }

/** A refusal that reaches the client as a Kubernetes `Status` with this code, reason and message. */
export class StatusError extends Error {
  readonly code: number
  readonly reason: string
  readonly details: JsonObject | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    code: number,
    reason: string,
    message: string,
    details?: JsonObject,
    retryAfterSeconds?: number,
  ) {
    super(message)
    this.code = code
    this.reason = reason
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The body of a failed reply. */
export function statusBody(error: StatusError): JsonObject {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: error.message,
    ...(error.reason ? { reason: error.reason } : {}),
    ...(error.details ? { details: error.details } : {}),
    code: error.code,
  }
}

type Named = { group: string; resource: string; kind: string }

function qualified(word: string, group: string): string {
  return group ? `${word}.${group}` : word
}

function details(kind: Named, name: string, word: string): JsonObject {
  return { ...(name ? { name } : {}), ...(kind.group ? { group: kind.group } : {}), kind: word }
}

export function notFound(kind: Named, name: string): StatusError {
  const message = `${qualified(kind.resource, kind.group)} "${name}" not found`
  return new StatusError(404, 'NotFound', message, details(kind, name, kind.resource))
}

export function alreadyExists(kind: Named, name: string): StatusError {
  const message = `${qualified(kind.resource, kind.group)} "${name}" already exists`
  return new StatusError(409, 'AlreadyExists', message, details(kind, name, kind.resource))
}

export function conflict(kind: Named, name: string, text: string): StatusError {
  const message = `Operation cannot be fulfilled on ${qualified(kind.resource, kind.group)} "${name}": ${text}`
  return new StatusError(409, 'Conflict', message, details(kind, name, kind.resource))
}

export const staleText =
  'the object has been modified; please apply your changes to the latest version and try again'

export function invalid(kind: Named, name: string, causes: Cause[]): StatusError {
  const texts = causes.map((cause) => (cause.field ? `${cause.field}: ${cause.message}` : cause.message))
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  const message = `${qualified(kind.kind, kind.group)} "${name}" is invalid: ${list}`
  return new StatusError(422, 'Invalid', message, { ...details(kind, name, kind.kind), causes })
}

export function forbidden(kind: Named, name: string, text: string): StatusError {
  const subject = name
    ? `${qualified(kind.resource, kind.group)} "${name}"`
    : qualified(kind.resource, kind.group)
  return new StatusError(
    403,
    'Forbidden',
    `${subject} is forbidden: ${text}`,
    details(kind, name, kind.resource),
  )
}

export function badRequest(message: string): StatusError {
  return new StatusError(400, 'BadRequest', message)
}

export function methodNotAllowed(): StatusError {
  const message = 'the server does not allow this method on the requested resource'
  return new StatusError(405, 'MethodNotAllowed', message, {})
}

export function pathNotFound(): StatusError {
  return new StatusError(404, 'NotFound', 'the server could not find the requested resource', {})
}

export function expired(message: string): StatusError {
  return new StatusError(410, 'Expired', message)
}

/** Field errors in Kubernetes' own wording. */
export const field = {
  required: (path: string, detail = ''): Cause => ({
    reason: 'FieldValueRequired',
    message: `Required value${detail ? `: ${detail}` : ''}`,
    field: path,
  }),
  invalid: (path: string, value: unknown, detail: string): Cause => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${typeof value === 'string' ? JSON.stringify(value) : (JSON.stringify(value) ?? 'null')}: ${detail}`,
    field: path,
  }),
  unsupported: (path: string, value: unknown, allowed: readonly string[]): Cause => ({
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${JSON.stringify(value)}: supported values: ${allowed.map((word) => JSON.stringify(word)).join(', ')}`,
    field: path,
  }),
  forbidden: (path: string, detail: string): Cause => ({
    reason: 'FieldValueForbidden',
    message: `Forbidden: ${detail}`,
    field: path,
  }),
  duplicate: (path: string, value: unknown): Cause => ({
    reason: 'FieldValueDuplicate',
    message: `Duplicate value: ${JSON.stringify(value)}`,
    field: path,
  }),
  notFound: (path: string, value: unknown): Cause => ({
    reason: 'FieldValueNotFound',
    message: `Not found: ${JSON.stringify(value)}`,
    field: path,
  }),
}
