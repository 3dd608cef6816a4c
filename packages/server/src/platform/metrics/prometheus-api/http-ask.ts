import { AppError } from '../../errors.ts'
import { connectionSentence } from '../../outbound/connection-sentence.ts'
import { guardedFetch, ReplyTooLong } from '../../outbound/guarded-fetch.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import { type AskPrometheus, parametersText } from './client.ts'

type Store = {
  /** `http(s)://host[:port][/path]`. */
  url: string
  /** `Authorization`; undefined: none. */
  authorization: string | undefined
  /** PEM; empty: what this machine trusts. */
  caPem: string
  timeoutMs: number
  maxBytes: number
}

/** Asks a store by HTTP, within the rules for addresses. Throws AppError `source_unreachable` where none answers. */
export function httpAsk(outbound: Outbound, store: Store): AskPrometheus {
  const { url, authorization, caPem, timeoutMs, maxBytes } = store
  const base = url.replace(/\/+$/, '')
  return async ({ path, parameters, isForm }) => {
    const text = parametersText(parameters)
    const target = new URL(`${base}${path}${isForm || text === '' ? '' : `?${text}`}`)
    try {
      const reply = await guardedFetch(outbound, target, {
        method: isForm ? 'POST' : 'GET',
        headers: {
          accept: 'application/json',
          ...(authorization !== undefined && { authorization }),
          ...(isForm && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(isForm && { body: text }),
        timeoutMs,
        maxBytes,
        caPem,
      })
      return { status: reply.status, text: await reply.text() }
    } catch (error) {
      throw new AppError('source_unreachable', sentenceOf(error, target.host, store), { cause: error })
    }
  }
}

function sentenceOf(error: unknown, host: string, { timeoutMs, maxBytes }: Store): string {
  const name = error instanceof Error ? error.name : ''
  if (name === 'TimeoutError' || name === 'AbortError') {
    return `${host} did not answer within ${timeoutMs / 1_000} s.`
  }
  if (error instanceof ReplyTooLong) {
    return `${host} answered more than ${maxBytes / 1024 / 1024} MiB. Aggregate, or choose a longer step.`
  }
  return connectionSentence(error, host)
}
