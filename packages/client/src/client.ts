import type { CallInput, CallOutput, EndpointName } from '@bey/contract'
import { routes } from '@bey/contract'
import { ApiError } from './api-error.ts'
import type { Clock } from './clock.ts'
import { realClock } from './clock.ts'
import { readProblem, readReply } from './reply.ts'
import type { Parts } from './request.ts'
import { addressOf, bodyOf, newIdempotencyKey } from './request.ts'

/** A call without an answer is dropped after this long. */
export const requestTimeoutMs = 60_000

export type ClientOptions = {
  /** Origin of the API without a slash at its end; the page's own where there is none. */
  baseUrl?: string | undefined
  fetch?: typeof globalThis.fetch | undefined
  getToken: () => string | null | undefined
  getOrganizationId: () => number | null | undefined
  /** The session has ended. Called for a 401 and nothing else, and not for one that answers an earlier token. */
  onUnauthorized?: ((error: ApiError) => void) | undefined
  /** A reply that is an object, with the headers it came with, before the caller gets it. */
  onReply?: ((reply: object, headers: Headers) => void) | undefined
  clock?: Clock | undefined
}

export type CallOptions = {
  signal?: AbortSignal | undefined
  /** Give the same key again to repeat a call whose answer was lost; a fresh one is made otherwise. */
  idempotencyKey?: string | undefined
  /** Waits so many seconds for the end of what is started, where the endpoint starts work that goes on (`Prefer: wait=N`). */
  waitSeconds?: number | undefined
  /** Instead of application/json; null sends none. */
  contentType?: string | null | undefined
  /** Lets the request outlive the page; browsers bound such bodies to 64 KB. */
  keepalive?: boolean | undefined
  /** Instead of the organization that is current. */
  organizationId?: number | undefined
}

type OptionalInput<N extends EndpointName> = Record<string, never> extends CallInput<N> ? [] : never

export type Client = {
  /**
   * Calls an endpoint of the contract. Resolves with its reply, or text where the reply is not JSON.
   * Rejects with ApiError.
   */
  call: <N extends EndpointName>(
    name: N,
    ...rest: [input: CallInput<N>, options?: CallOptions] | OptionalInput<N>
  ) => Promise<CallOutput<N>>
  /** The reply of an endpoint that streams, as it comes and for as long as it comes. Rejects with ApiError. */
  stream: <N extends EndpointName>(name: N, input: CallInput<N>, options?: CallOptions) => Promise<Response>
}

export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis)
  const clock = options.clock ?? realClock

  async function call<N extends EndpointName>(
    name: N,
    input?: CallInput<N>,
    callOptions: CallOptions = {},
  ): Promise<CallOutput<N>> {
    const token = options.getToken() ?? undefined
    // From here on a call is text, and its endpoint's type is lost. Cast through unknown: TypeScript would otherwise
    // compare the parts with the input of every endpoint.
    const parts = (input as unknown as Parts | undefined) ?? {}
    const bound = boundBy(callOptions.signal, clock)
    try {
      const response = await ask(name, parts, token, callOptions, bound.signal)
      // The reply is what the server serialized by the same contract.
      const reply = await readReply(name, response)
      if (typeof reply === 'object' && reply !== null) options.onReply?.(reply, response.headers)
      return reply as CallOutput<N>
    } catch (error) {
      throw failed(error, token, callOptions, bound.hasTimedOut())
    } finally {
      bound.release()
    }
  }

  async function stream<N extends EndpointName>(
    name: N,
    input: CallInput<N>,
    callOptions: CallOptions = {},
  ): Promise<Response> {
    const token = options.getToken() ?? undefined
    // The time-out is for the beginning of the answer; from there on it may take as long as it likes.
    const bound = boundBy(callOptions.signal, clock)
    try {
      return await ask(name, input, token, callOptions, bound.signal)
    } catch (error) {
      throw failed(error, token, callOptions, bound.hasTimedOut())
    } finally {
      bound.release()
    }
  }

  async function ask(
    name: EndpointName,
    parts: Parts,
    token: string | undefined,
    callOptions: CallOptions,
    signal: AbortSignal,
  ): Promise<Response> {
    const response = await send((options.baseUrl ?? '') + addressOf(name, parts), {
      method: routes[name].method,
      headers: headersFor(name, token, callOptions),
      body: bodyOf(name, parts) ?? null,
      signal,
      keepalive: callOptions.keepalive ?? false,
    })
    if (!response.ok) throw await readProblem(response)
    return response
  }

  function failed(
    error: unknown,
    token: string | undefined,
    callOptions: CallOptions,
    hasTimedOut: boolean,
  ): ApiError {
    const failure = error instanceof ApiError ? error : withoutAnswer(error, callOptions.signal, hasTimedOut)
    const isOfThisSession = token === (options.getToken() ?? undefined)
    if (failure.status === 401 && isOfThisSession) options.onUnauthorized?.(failure)
    return failure
  }

  function headersFor(
    name: EndpointName,
    token: string | undefined,
    callOptions: CallOptions,
  ): Record<string, string> {
    const { contentType = 'application/json', idempotencyKey, waitSeconds } = callOptions
    const organizationId = callOptions.organizationId ?? options.getOrganizationId()
    return {
      accept: 'application/json, application/problem+json, */*;q=0.5',
      ...(contentType !== null && { 'content-type': contentType }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...(organizationId != null && { 'x-organization-id': String(organizationId) }),
      ...(waitSeconds !== undefined && { prefer: `wait=${waitSeconds}` }),
      ...(routes[name].isIdempotent && { 'idempotency-key': idempotencyKey ?? newIdempotencyKey() }),
    }
  }

  return { call, stream }
}

/** One signal for the caller's own and the time-out; `release` ends the timer. */
function boundBy(signal: AbortSignal | undefined, clock: Clock) {
  const timeout = new AbortController()
  const release = clock.setTimeout(() => timeout.abort(), requestTimeoutMs)
  return {
    signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    hasTimedOut: () => timeout.signal.aborted,
    release,
  }
}

function withoutAnswer(cause: unknown, signal: AbortSignal | undefined, hasTimedOut: boolean): ApiError {
  const none = { status: 0, cause }
  if (signal?.aborted) {
    return new ApiError({
      ...none,
      kind: 'aborted',
      statusText: 'Aborted',
      detail: 'The call was cancelled.',
    })
  }
  if (hasTimedOut) {
    return new ApiError({
      ...none,
      kind: 'timeout',
      statusText: 'Timeout',
      detail: `The server did not answer within ${requestTimeoutMs / 1000} s. Try again.`,
    })
  }
  if (cause instanceof RangeError) throw cause
  return new ApiError({
    ...none,
    kind: 'network',
    statusText: 'Network error',
    detail: 'The server cannot be reached. Check that it is running and try again.',
  })
}
