import { webhookBounds as bounds } from '@bey/contract'
import { Webhook } from 'standardwebhooks'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { OutboundFailure, postOutbound } from '../../../platform/outbound/post-outbound.ts'
import type { Opened } from '../secrets.ts'
import type { Claimed } from './claim.ts'

/** What became of one attempt. */
export type Outcome = {
  isSuccess: boolean
  statusCode: number | null
  error: string | null
  durationMs: number
  requestHeaders: Record<string, string>
  responseHeaders: Record<string, string>
  responseHead: string
}

type Message = Pick<Claimed, 'eventId'> & { body: string }

/** Headers of a message by Standard Webhooks: one signature for each secret, so that a receiver may have either. */
function signedHeaders(
  { eventId, body }: Message,
  secrets: readonly string[],
  now: Date,
): Record<string, string> {
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, now, body)).join(' '),
  }
}

/** Sends a message once. Never rejects: what went wrong is its outcome. */
export async function attempt(
  outbound: Outbound,
  message: Message,
  to: Opened,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<Outcome> {
  const own = {
    'content-type': 'application/json',
    'user-agent': 'Bey-Webhooks/1',
    ...signedHeaders(message, to.secrets, now),
  }
  const masked = Object.fromEntries(Object.keys(to.headers).map((name) => [name, '••••••']))
  const requestHeaders = { ...masked, ...own }
  try {
    const { status, headers, head, durationMs } = await postOutbound(outbound, {
      url: to.url,
      headers: { ...to.headers, ...own },
      body: message.body,
      timeoutMs: bounds.timeoutMs,
      maxResponseBytes: bounds.maxResponseBytes,
      signal,
    })
    const isSuccess = status >= 200 && status < 300
    return {
      isSuccess,
      statusCode: status,
      error: isSuccess ? null : whyFailed(status),
      durationMs,
      requestHeaders,
      responseHeaders: headers,
      // PostgreSQL keeps no NUL in a text.
      responseHead: head.slice(0, bounds.keptResponseChars).replaceAll('\u0000', '\uFFFD'),
    }
  } catch (error) {
    const isExpected = error instanceof OutboundFailure
    return {
      isSuccess: false,
      statusCode: null,
      error: isExpected ? error.message : 'The message could not be sent.',
      durationMs: isExpected ? error.durationMs : 0,
      requestHeaders,
      responseHeaders: {},
      responseHead: '',
    }
  }
}

function whyFailed(status: number): string {
  if (status === 410) return 'The receiver answered 410 Gone: it wants no more messages.'
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}, a redirect, which is not followed.`
  return `The receiver answered ${status}.`
}
