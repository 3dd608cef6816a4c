import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { CommandError, exitCodes, UsageError } from '../errors.ts'
import { idOf } from '../names.ts'
import { formatOf, printFiltered } from '../output/print.ts'
import type { Session } from '../session.ts'
import type { Call } from './hand-made.ts'
import { untilAnswered } from './follow-run.ts'

const pollMs = 1000
const pageSize = 200
const answerMs = 15_000

/**
 * Forwards what a webhook is sent to a program on this machine, which needs no public address: the messages are read from
 * the deliveries that the server keeps, so that none is lost while the connection or the program is away.
 */
export async function listenWebhook({ session, args, values }: Call): Promise<number> {
  const { client, terminal, signal } = session
  const [name] = args
  const target = values['forward-to']
  if (name === undefined || typeof target !== 'string')
    throw new UsageError(
      'Name a webhook and where to forward: bey webhooks listen chat --forward-to http://localhost:3000/hook',
    )
  const url = urlOf(target)
  const key = typeof values['secret'] === 'string' ? keyOf(values['secret']) : undefined
  const id = String(await idOf(client, 'webhooks', name, signal))
  const seen = new Set((await newest(session, id)).map((each) => each.id))
  terminal.note(`Forwarding new deliveries of ${name} to ${url}. Ctrl+C ends it.\n`)
  while (!signal.aborted) {
    const fresh = (await newest(session, id, seen)).filter((each) => !seen.has(each.id))
    // The oldest first, as they happened.
    for (const each of fresh.toReversed()) {
      await forward(session, { webhookId: id, deliveryId: each.id, url, key })
      seen.add(each.id)
    }
    await wait(pollMs, undefined, { signal }).catch(() => undefined)
  }
  return exitCodes.interrupted
}

/** Deliveries, the newest first; without `until` one page, else back to the first that is known. */
async function newest({ client, signal }: Session, id: string, until?: ReadonlySet<string>) {
  const found = []
  for (let page = 1; ; page += 1) {
    const { deliveries } = await untilAnswered(
      () =>
        client.call('webhooks.deliveries', { params: { id }, query: { page, limit: pageSize } }, { signal }),
      signal,
    )
    found.push(...deliveries)
    if (until === undefined || deliveries.length < pageSize || deliveries.some((each) => until.has(each.id)))
      return found
  }
}

type Forward = { webhookId: string; deliveryId: string; url: string; key: Buffer | undefined }

/** Once a delivery: what the program answers is printed, and a program that is away is waited for. */
async function forward(
  { client, terminal, signal, flags }: Session,
  { webhookId, deliveryId, url, key }: Forward,
) {
  const params = { id: webhookId, deliveryId }
  const { payload, eventId, type } = await untilAnswered(
    () => client.call('webhooks.delivery', { params }, { signal }),
    signal,
  )
  const timestamp = Math.floor(Date.now() / 1000)
  const signature =
    key && `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${payload}`).digest('base64')}`
  const headers = {
    'content-type': 'application/json',
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    ...(signature !== undefined && { 'webhook-signature': signature }),
  }
  const status = await send(url, { method: 'POST', headers, body: payload }, signal, terminal.note)
  const line = { at: new Date().toISOString(), type, eventId, status }
  if (flags.filter) printFiltered(terminal, flags.filter(line))
  else if (formatOf(flags) === 'json') terminal.out(`${JSON.stringify(line)}\n`)
  else terminal.out(`${line.at} ${type} ${eventId} → ${status}\n`)
}

async function send(
  url: string,
  init: RequestInit,
  signal: AbortSignal,
  note: (text: string) => void,
): Promise<number> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      const response = await fetch(url, {
        ...init,
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
      })
      await response.body?.cancel()
      return response.status
    } catch {
      if (signal.aborted) throw new CommandError('Interrupted.', exitCodes.interrupted)
      if (isFirst) note(`Nothing answers at ${url}; trying again until it does.\n`)
      await wait(pollMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

function urlOf(text: string): string {
  const whole = /^https?:\/\//.test(text) ? text : `http://${text}`
  if (URL.canParse(whole)) return new URL(whole).href
  throw new UsageError(`"${text}" is no address. Write --forward-to http://localhost:3000/hook`)
}

/** A secret of Standard Webhooks from a file: `whsec_` and base64. */
function keyOf(given: string): Buffer {
  if (!given.startsWith('@'))
    throw new UsageError('--secret is secret: a command line is seen by others. Use @file.')
  try {
    return Buffer.from(
      readFileSync(given.slice(1), 'utf8')
        .trim()
        .replace(/^whsec_/, ''),
      'base64',
    )
  } catch (cause) {
    throw new UsageError(`${given.slice(1)} cannot be read.`, { cause })
  }
}
