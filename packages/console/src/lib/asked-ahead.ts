/** A reply that `theme-boot.js` asked for, and in whose name. */
interface AskedAhead {
  token: string
  organizationId: string
  reply: Promise<Response>
}

declare global {
  interface Window {
    /** By path and query; each is taken once. */
    beyAskedAhead?: Map<string, AskedAhead>
  }
}

/** Older replies are not taken: by then the page may have missed what changed. */
const maxAgeMs = 10_000

/**
 * The reply to a read that `theme-boot.js` asked for before the console's code had come; undefined where there is
 * none, or it was asked for by another session or organization. Rejects as `fetch` does, also where the signal aborts.
 */
export function replyAskedAhead(
  input: string | URL | Request,
  init: RequestInit = {},
): Promise<Response> | undefined {
  const waiting = window.beyAskedAhead
  if (!waiting || typeof input !== 'string' || (init.method ?? 'GET') !== 'GET') return undefined
  const asked = waiting.get(input)
  if (!asked) return undefined
  waiting.delete(input)
  const headers = new Headers(init.headers)
  const isSame =
    headers.get('authorization') === `Bearer ${asked.token}` &&
    headers.get('x-organization-id') === asked.organizationId
  if (!isSame || performance.now() > maxAgeMs) return undefined
  return unlessAborted(asked.reply, init.signal)
}

function unlessAborted(reply: Promise<Response>, signal: AbortSignal | null | undefined): Promise<Response> {
  if (!signal) return reply
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    void reply.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
