/** One row of the error table: the HTTP status, the short title of the problem document, and when it is answered. */
export type ErrorRow = { status: number; title: string; when: string }

/** Every error that the API answers, by its code. `docs/errors.md` is generated from it. */
export const errorTable = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    when: 'The request does not match the schema; `errors` names each field.',
  },
  malformed_json: { status: 400, title: 'Malformed JSON', when: 'The body is not JSON.' },
  invalid_credentials: {
    status: 400,
    title: 'Invalid credentials',
    when: 'E-mail address or password is wrong.',
  },
  ticket_expired: {
    status: 400,
    title: 'No longer valid',
    when: 'A link or a step of a sign-in was used before, has expired, or is not known.',
  },
  organization_required: {
    status: 400,
    title: 'Organization required',
    when: 'No organization was named and the user has none that is active.',
  },
  organization_mismatch: {
    status: 400,
    title: 'Organization mismatch',
    when: '`organization_id` differs from `x-organization-id`.',
  },
  unauthenticated: { status: 401, title: 'Unauthorized', when: 'No live session: log in again.' },
  forbidden: { status: 403, title: 'Forbidden', when: 'The role in this organization lacks the permission.' },
  step_up_required: {
    status: 403,
    title: 'Confirmation required',
    when: 'The act asks for a proof of who is there that is not older than 10 minutes: see `POST /api/auth/step-up`.',
  },
  second_factor_required: {
    status: 403,
    title: 'Second factor required',
    when: 'The organization asks its members for a second factor, and the account has none.',
  },
  password_sign_in_off: {
    status: 403,
    title: 'Password sign-in is off',
    when: 'The organization admits no session that began with a password.',
  },
  signup_closed: {
    status: 403,
    title: 'Sign-up is closed',
    when: 'This server takes new accounts by invitation only.',
  },
  wrong_account: {
    status: 403,
    title: 'Invitation for another address',
    when: 'The invitation is for another e-mail address than that of the logged-in account.',
  },
  godmode_disabled: {
    status: 403,
    title: 'Impersonation is off',
    when: 'Impersonation needs a development server with `BEY_GODMODE=1`, asked from its own machine.',
  },
  cluster_forbidden: {
    status: 403,
    title: 'Refused by the cluster',
    when: 'The cluster does not give Bey the right to read this.',
  },
  not_found: { status: 404, title: 'Not found', when: 'There is no such thing in this organization.' },
  route_not_found: { status: 404, title: 'Route not found', when: 'No endpoint has this path.' },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    when: 'The path exists, but not with this method.',
  },
  not_acceptable: {
    status: 406,
    title: 'Not acceptable',
    when: 'None of the accepted media types can be produced.',
  },
  conflict: { status: 409, title: 'Conflict', when: 'The thing is in a state that does not allow this.' },
  name_taken: { status: 409, title: 'Name taken', when: 'Another thing of this kind has the name.' },
  email_taken: {
    status: 409,
    title: 'E-mail address taken',
    when: 'An account with this e-mail address, or with one that looks the same, exists.',
  },
  organization_deleting: {
    status: 409,
    title: 'Organization is being deleted',
    when: 'The organization waits to be deleted and can only be read; an owner can undo that.',
  },
  idempotency_in_flight: {
    status: 409,
    title: 'Request in flight',
    when: 'A request with this `Idempotency-Key` is still being answered.',
  },
  invitation_over: {
    status: 410,
    title: 'Invitation over',
    when: 'The invitation was accepted, declined or revoked, or has expired.',
  },
  payload_too_large: { status: 413, title: 'Payload too large', when: 'The body is larger than the limit.' },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    when: 'The body has a content type that the endpoint does not read.',
  },
  idempotency_mismatch: {
    status: 422,
    title: 'Idempotency key reused',
    when: 'The `Idempotency-Key` was used with another body.',
  },
  limit_reached: {
    status: 422,
    title: 'Limit reached',
    when: 'A limit of the organization or user would be passed.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    when: 'The rate limit is used up; `Retry-After` says when to try again.',
  },
  internal: { status: 500, title: 'Internal error', when: 'A bug; it is logged with the request id.' },
  cluster_unreachable: { status: 502, title: 'Cluster unreachable', when: 'The cluster did not answer.' },
  database_unreachable: {
    status: 502,
    title: 'Database unreachable',
    when: 'The server of a database did not answer, or not as it should.',
  },
  provider_unreachable: {
    status: 502,
    title: 'Sign-in provider unreachable',
    when: 'The provider to sign in with did not answer, or not as it should.',
  },
  source_unreachable: {
    status: 502,
    title: 'Data source unreachable',
    when: 'A data source did not answer, or not as Prometheus does.',
  },
  read_only: {
    status: 503,
    title: 'Read-only',
    when: 'The operator has made Bey read-only: it can be read, and changes are refused until that ends.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable',
    when: 'The database is down or the server is stopping; try again.',
  },
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errorTable

/** Codes that any endpoint can answer, so that none has to list them. */
export const commonErrors = [
  'invalid_request',
  'rate_limited',
  'internal',
  'unavailable',
  'read_only',
] as const satisfies readonly ErrorCode[]

export type FieldError = {
  /** Path of the field, e.g. `nodeGroups.0.count`. */ path: string
  message: string
}

/** RFC 9457 problem document, as every error of the API is answered (`application/problem+json`). */
export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  code: ErrorCode
  requestId: string
  /** Only where the server makes traces. */
  traceId?: string
  errors?: FieldError[]
}
