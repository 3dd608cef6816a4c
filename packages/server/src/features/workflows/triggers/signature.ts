import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** How far the clock of a sender may differ from ours. */
const toleranceMs = 5 * 60_000

export type SignatureProblem = string

/**
 * Checks who sent a request, by any of the secrets that are valid. Answers what is wrong in words, or undefined.
 * Signatures: Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`) or GitHub's
 * (`x-hub-signature-256`); tokens: `Authorization: Bearer …`.
 */
export function checkSender(
  authentication: 'hmac' | 'token',
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: readonly string[],
  now: Date,
): SignatureProblem | undefined {
  if (authentication === 'token') return checkToken(headers, secrets)
  const github = headers['x-hub-signature-256']
  if (typeof github === 'string') return checkGitHub(github, body, secrets)
  return checkStandard(headers, body, secrets, now)
}

function checkToken(headers: IncomingHttpHeaders, secrets: readonly string[]): SignatureProblem | undefined {
  const token = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1]
  if (token === undefined) return 'Send the token of the trigger as "Authorization: Bearer …".'
  return secrets.some((secret) => isSame(token, secret))
    ? undefined
    : 'The token is not the one of this trigger.'
}

function checkGitHub(
  signature: string,
  body: Buffer,
  secrets: readonly string[],
): SignatureProblem | undefined {
  const isRight = secrets.some((secret) =>
    isSame(signature, `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`),
  )
  return isRight ? undefined : 'The signature in x-hub-signature-256 does not fit the body.'
}

function checkStandard(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: readonly string[],
  now: Date,
): SignatureProblem | undefined {
  const id = headers['webhook-id']
  const timestamp = headers['webhook-timestamp']
  const signatures = headers['webhook-signature']
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') {
    return 'The request is not signed. Send the headers webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks), or x-hub-signature-256.'
  }
  const sentMs = Number(timestamp) * 1_000
  if (!Number.isFinite(sentMs) || Math.abs(now.getTime() - sentMs) > toleranceMs) {
    return 'The timestamp of the signature is more than 5 minutes from the time of this server.'
  }
  const given = signatures.split(' ').filter((text) => text.startsWith('v1,'))
  const isRight = secrets.some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
    return given.some((text) => isSame(text, `v1,${expected}`))
  })
  return isRight ? undefined : 'The signature in webhook-signature does not fit the body.'
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHmac('sha256', 'compare').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
