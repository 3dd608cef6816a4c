import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'
import type { Permission } from './permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may call an endpoint. `public`: anybody. `user`: anybody with a live session, for what belongs to the
 * user alone. Anything that belongs to an organization names a permission, which the caller's role in the
 * organization of `x-organization-id` must hold.
 */
export type Access = 'public' | 'user' | Permission

/** A reply that is not JSON of the contract. `alternatives` are what the caller can ask for instead. */
export type MediaReply = { mediaType: string; alternatives?: readonly string[] }

export type Endpoint = {
  method: Method
  /** OpenAPI template, e.g. `/api/kubernetes/clusters/{id}`. A last segment `*` takes the rest of the path. */
  path: string
  summary: string
  access: Access
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** What a success answers: a schema, or the media type of what is not JSON. */
  response: z.ZodType | MediaReply
  /** Status of a success; 200 by default; 204 has no body; 302 leads a browser elsewhere. */
  status?: 200 | 201 | 202 | 204 | 302
  /**
   * Statuses with which the body of the success is answered as well: 302 leads a browser elsewhere; the others say what is wrong.
   * 202 has no body: what was sent is no question.
   */
  alsoAnswers?: readonly (202 | 302 | 400 | 406 | 415 | 422 | 503)[]
  /** `snake_case`: declared names cross the wire in snake case; keys of maps and free JSON are left alone. */
  wire?: 'snake_case'
  /**
   * Why a POST does not honour `Idempotency-Key`, as a sentence. Every other one does, but for those of `/api/auth/` and
   * those that need no session.
   */
  withoutIdempotencyKey?: string
  /** Its reply shows a secret that is shown once: kept for a repeated request, it opens with that request's key alone. */
  answersSecret?: true
  /** Paths below which replies are old after a call; default: those below the list of its own noun. */
  outdates?: readonly string[]
  /** Name of the read that answers the same for the same parameters: this reply takes its place. */
  replyOf?: string
  /**
   * Its reply has a `version`, which is its ETag too. A change takes `If-Match` with that ETag instead of `version` in its
   * body, and is refused with `conflict` where another version is stored meanwhile.
   */
  isVersioned?: true
  /** It starts work that goes on after its reply, for whose end a caller may wait with `Prefer: wait=N` (RFC 7240). */
  operation?: Operation
  /** A GET that makes something nevertheless. HEAD must change nothing (RFC 9110 section 9.2.1), so it is refused. */
  hasEffect?: true
  /** Codes beside those that every endpoint can answer (see `commonErrors`). */
  errors?: readonly ErrorCode[]
  /** Takes the body as it is, whatever its type: it is part of what the sender signed. */
  takesBytes?: true
  /** Others send it parameters of their own, as providers of sign-in do; elsewhere an unknown parameter is refused. */
  takesAnyQuery?: true
  /**
   * Which API keys may call it. Default: those that hold its permission, and none where access is `user`. `personal`:
   * what it answers belongs to a person, so keys of an organization are refused. `none`: only people.
   */
  keys?: 'personal' | 'none'
  /** Answers about the caller alone, so that keys need no permission for it and their limits do not matter. */
  isForEveryKey?: true
  /** Changes something and is allowed nevertheless while the organization waits to be deleted. */
  worksWhileDeleting?: true
  /** A public endpoint that also wants to know whose session was sent along, if it is a live one. */
  mayHaveSession?: true
  /**
   * A dangerous act: the session's user must have proved who they are within `stepUpMinutes`, else it answers
   * `step_up_required`. Callers without a session of their own, such as API keys, are refused; with `people` they are let
   * through, for making a key with such a permission asked for it.
   */
  stepUp?: true | 'people'
  /** Limited more strictly than in general, by address and account: by what a caller could guess or cause here. */
  rateLimit?: CredentialPurpose
}

/** Where the state of work that an endpoint started is read, until it is over and after it. */
export type Operation = {
  /**
   * Name of the read. Its path takes the parameters of the call, and the `id` of the reply for what the call has not; of
   * `workflows.run` both come from the run that the reply names.
   */
  read: string
  /** Key of its reply that holds the thing, or the list with it; default: the reply is the thing. */
  in?: string
  /** Where the reply names no run: the field and its values while the work goes on. */
  whileField?: { name: string; values: readonly string[] }
}

/** The most that `Prefer: wait=N` waits, in seconds: less than the minute after which proxies give up. */
export const maxWaitSeconds = 50

/** Each has limits of its own, so that who tries the one is not kept from the other. */
export type CredentialPurpose =
  | 'password'
  | 'code'
  | 'passkey'
  | 'oauth'
  | 'mail'
  | 'link'
  | 'signup'
  | 'device'

/** How long a proof of who is there is good for dangerous acts. */
export const stepUpMinutes = 10

/** Whether an endpoint honours `Idempotency-Key`: every POST with a session does, unless it says why not. */
export function isIdempotent({ method, access, path, withoutIdempotencyKey }: Endpoint): boolean {
  return (
    method === 'POST' &&
    access !== 'public' &&
    !path.startsWith('/api/auth/') &&
    withoutIdempotencyKey === undefined
  )
}

/** Keeps an endpoint's literal types, so that handlers and callers are checked against its schemas. */
export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition
}
