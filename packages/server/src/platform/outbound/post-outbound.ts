import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { performance } from 'node:perf_hooks'

import { connectionSentence } from './connection-sentence.ts'
import type { Outbound } from './outbound.ts'
import { trustOptions } from './tls-options.ts'

export type OutboundPost = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** For all of it: connecting, sending, and reading the answer. */
  timeoutMs: number
  /** What is read of the answer; the connection is closed after that. */
  maxResponseBytes: number
  /** Breaks it off. */
  signal?: AbortSignal
}

export type OutboundReply = {
  status: number
  headers: Record<string, string>
  /** The beginning of the body, as text. */
  head: string
  durationMs: number
}

/** A request that got no answer. The message is a sentence that may be shown: it holds no part of the URL but its host. */
export class OutboundFailure extends Error {
  readonly durationMs: number

  constructor(message: string, durationMs: number, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'OutboundFailure'
    this.durationMs = durationMs
  }
}

/**
 * Sends a POST to a URL that a user named. The address is checked when the connection is made, and the connection goes to
 * the very address that was checked: a name that resolves to another one later leads nowhere else. Redirects are not
 * followed. Answers whatever status comes; throws OutboundFailure where none does.
 */
export function postOutbound(outbound: Outbound, post: OutboundPost): Promise<OutboundReply> {
  const url = new URL(post.url)
  const startedAtMs = performance.now()
  const durationMs = () => Math.round(performance.now() - startedAtMs)
  const isTls = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) =>
      reject(new OutboundFailure(sentenceOf(error, url.hostname), durationMs(), { cause: error }))
    const refusal = outbound.refusalOfHost(url.hostname)
    if (refusal) return fail(refusal)
    const sent = (isTls ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      // One connection each: a kept one would outlive the check of its address.
      agent: false,
      lookup: outbound.lookup,
      headers: { ...post.headers, 'content-length': String(Buffer.byteLength(post.body)) },
      maxHeaderSize: 16 * 1024,
      ...(post.signal && { signal: post.signal }),
      ...(isTls && trustOptions('')),
    })
    let answer: IncomingMessage | undefined
    const timer = setTimeout(() => {
      // What came of an answer is kept.
      if (answer) answer.destroy()
      else sent.destroy(new TookTooLong(post.timeoutMs))
    }, post.timeoutMs)
    sent.on('error', (error) => {
      clearTimeout(timer)
      fail(error)
    })
    sent.on('response', (response) => {
      answer = response
      void readHead(response, post.maxResponseBytes).then((head) => {
        clearTimeout(timer)
        sent.destroy()
        resolve({
          status: response.statusCode ?? 0,
          headers: headersOf(response),
          head,
          durationMs: durationMs(),
        })
      })
    })
    sent.end(post.body)
  })
}

class TookTooLong extends Error {
  constructor(timeoutMs: number) {
    super(`It did not answer within ${timeoutMs / 1000} s.`)
  }
}

/** What arrives of a body until the limit, its end, or its breaking off: the status is known already. */
function readHead(response: IncomingMessage, maxBytes: number): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const done = () => resolve(Buffer.concat(chunks).toString('utf8', 0, maxBytes))
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= maxBytes) done()
    })
    response.once('end', done)
    response.once('error', done)
    response.once('close', done)
  })
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      (Array.isArray(value) ? value.join(', ') : (value ?? '')).slice(0, 500),
    ]),
  )
}

function sentenceOf(error: unknown, host: string): string {
  return error instanceof TookTooLong ? error.message : connectionSentence(error, host)
}
