import { storage } from './storage.ts'

export interface RawCall {
  method: string
  /** With its query, without an origin. */
  path: string
  headers: Readonly<Record<string, string>>
  body?: string | undefined
}

/** What came back, whatever it was. */
export interface RawReply {
  status: number
  statusText: string
  durationMs: number
  headers: readonly (readonly [name: string, value: string])[]
  text: string
}

/**
 * Sends a call as it was typed, with the session's token. Unlike the typed client it reads nothing into the reply: a
 * 401 is shown and ends nothing. Throws where there is no answer.
 */
export async function rawCall(call: RawCall, signal: AbortSignal): Promise<RawReply> {
  const token = storage.read('token')
  const startedAt = performance.now()
  const response = await fetch(call.path, {
    method: call.method,
    headers: {
      ...call.headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(call.body !== undefined && { 'content-type': 'application/json' }),
    },
    body: call.body ?? null,
    signal,
    redirect: 'manual',
  })
  const text = await response.text()
  return {
    status: response.status,
    statusText: response.statusText,
    durationMs: performance.now() - startedAt,
    headers: [...response.headers],
    text,
  }
}
