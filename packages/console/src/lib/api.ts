import { createClient } from '@bey/client'
import type { Client } from '@bey/client'
import type { LivePosition } from '@bey/contract'
import { positionHeader, routes } from '@bey/contract'
import { replyAskedAhead } from './asked-ahead.ts'
import { attendance } from './attendance.ts'
import { codeOf, isUnauthorized } from './error-text.ts'
import { heedReadOnly } from './read-only.ts'
import { storage } from './storage.ts'

export interface SessionLink {
  organizationId: () => number | undefined
  /** The server answered 401 to the current token. */
  onUnauthorized: () => void
  /** Resolves with true after the user of an expired session has logged in again, with false otherwise. */
  waitForLogin: () => Promise<boolean>
  /** Asks the user to confirm who they are. Resolves with false where they do not. */
  confirmIdentity: () => Promise<boolean>
  /** The policies of the organization ask for another sign-in, or for more of the account. */
  onPolicyRefusal: () => void
}

let link: SessionLink | undefined

export interface FinishedCall {
  method: string
  path: string
  /** 0 where there was no answer. */
  status: number
}

let onCall: ((call: FinishedCall) => void) | undefined

/** Calls the watcher for every call that was answered or has failed. */
export function watchCalls(watcher: (call: FinishedCall) => void): void {
  onCall = watcher
}

type SendWatcher = () => (isAnswered: boolean | undefined) => void

let onSend: SendWatcher | undefined

/**
 * Calls the watcher for every call that is sent, and what it returns with whether the server answered; with undefined where
 * the call was given up before.
 */
export function watchSends(watcher: SendWatcher): void {
  onSend = watcher
}

/** Whether a reply is the server's own, as opposed to that of a proxy which does not reach it. */
export function isFromServer(response: Response): boolean {
  const isOfGateway = response.status >= 502 && response.status <= 504
  return !isOfGateway || (response.headers.get('content-type') ?? '').includes('json')
}

const watchedFetch: typeof fetch = async (input, init) => {
  const ended = onSend?.()
  let status = 0
  let isAnswered: boolean | undefined = false
  try {
    const response = await (replyAskedAhead(input, init) ?? fetch(input, withAttendance(init)))
    status = response.status
    isAnswered = isFromServer(response)
    if (isAnswered) heedReadOnly(response)
    return response
  } catch (error) {
    if (init?.signal?.aborted) isAnswered = undefined
    throw error
  } finally {
    ended?.(isAnswered)
    onCall?.({ method: init?.method ?? 'GET', path: typeof input === 'string' ? input : '', status })
  }
}

/** The server counts what an attended page asks for as use of the session, and the rest not. */
function withAttendance(init: RequestInit = {}): RequestInit {
  if (attendance.isAttended()) {
    attendance.recordUse()
    return init
  }
  const headers = new Headers(init.headers)
  headers.set('x-bey-unattended', '1')
  return { ...init, headers }
}

const positions = new WeakMap<object, LivePosition>()

/** How far the server had heard the organization's events when it began a reply; undefined for what is none. */
export function replyPosition(reply: object): LivePosition | undefined {
  return positions.get(reply)
}

/** A part of a reply stands where the reply does. */
export function keepPosition(reply: object, part: object): void {
  const position = positions.get(reply)
  if (position !== undefined) positions.set(part, position)
}

/** For the session alone: its own calls do not wait for it. */
export const sessionApi: Client = createClient({
  fetch: watchedFetch,
  getToken: () => storage.read('token'),
  getOrganizationId: () => link?.organizationId(),
  onUnauthorized: () => link?.onUnauthorized(),
  onReply(reply, headers) {
    const position = headers.get(positionHeader)
    if (position !== null) positions.set(reply, position)
  },
})

/**
 * Every call of the console, with the stored token and the session's organization. Where the session has expired, it
 * waits until somebody has logged in over the page: a read is then repeated; what would change something is not, and
 * rejects with a message to do it again. What asks for a recent confirmation of who is there is repeated after it.
 */
export const api: Client = {
  call: async (name, ...rest) => {
    try {
      return await sessionApi.call(name, ...rest)
    } catch (error) {
      if (codeOf(error) === 'step_up_required' && (await link?.confirmIdentity()))
        return sessionApi.call(name, ...rest)
      if (policyCodes.includes(codeOf(error))) link?.onPolicyRefusal()
      if (!isUnauthorized(error) || !(await link?.waitForLogin())) throw error
      if (routes[name].method === 'GET') return sessionApi.call(name, ...rest)
      throw new Error(notDoneText, { cause: error })
    }
  },
  // What streams only reads.
  stream: async (name, input, options) => {
    try {
      return await sessionApi.stream(name, input, options)
    } catch (error) {
      if (!isUnauthorized(error) || !(await link?.waitForLogin())) throw error
      return sessionApi.stream(name, input, options)
    }
  },
}

/**
 * A request that is no call of the contract, such as one to a cluster through its proxy: with the session's token and
 * organization, answered whatever its status is. A session that has expired is treated as by `api`.
 */
export async function sessionFetch(path: string, init: SessionRequest): Promise<Response> {
  const response = await sendWithSession(path, init)
  if (response.status !== 401) return response
  link?.onUnauthorized()
  if (!(await link?.waitForLogin())) return response
  if (init.method === 'GET') return sendWithSession(path, init)
  throw new Error(notDoneText)
}

export interface SessionRequest {
  method: string
  headers?: Readonly<Record<string, string>>
  body?: string
  signal?: AbortSignal
}

function sendWithSession(path: string, init: SessionRequest): Promise<Response> {
  const headers = new Headers(init.headers)
  const token = storage.read('token')
  const organizationId = link?.organizationId()
  if (token) headers.set('authorization', `Bearer ${token}`)
  if (organizationId !== undefined) headers.set('x-organization-id', String(organizationId))
  return watchedFetch(path, { ...init, headers })
}

const policyCodes: readonly (string | undefined)[] = ['second_factor_required', 'password_sign_in_off']

const notDoneText = 'Your session had ended, so this was not done. You are logged in again: try once more.'

/** For the session alone, which itself calls the API. */
export function connectSession(next: SessionLink): void {
  link = next
}
