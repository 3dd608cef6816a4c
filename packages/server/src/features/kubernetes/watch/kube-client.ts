import type { IncomingMessage } from 'node:http'
import type { ClusterAgents } from '../connection/cluster-agents.ts'
import { AppError } from '../../../platform/errors.ts'
import { linesOf } from '../../../platform/lines.ts'
import { BadAnswer, parseAnswer, refuseTooLarge, refuseWebPage } from '../connection/bad-answer.ts'
import { readBody, tookTooLong, whyUnreachable } from '../connection/cluster-agents.ts'
import { ownCredentials } from '../connection/own-credentials.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { WatchEvent } from './kube-types.ts'

/** An answer other than success. */
export class KubeError extends Error {
  readonly status: number

  constructor(status: number) {
    super(`The Kubernetes API answered ${status}`)
    this.name = 'KubeError'
    this.status = status
  }
}

/** Why a request to a cluster failed, as a clause that follows "it does not answer: " and has no full stop. */
export function reasonOf(error: unknown): string {
  if (error instanceof AppError) return clauseOf(error.message)
  if (error instanceof KubeError) {
    if (error.status === 403) return 'Bey has no right to read it'
    return error.status === 401
      ? "it does not accept Bey's access"
      : `it answered with status ${error.status}`
  }
  return whyUnreachable(error)
}

/** A sentence as a part of another one: "The address is not known." is "the address is not known". */
function clauseOf(sentence: string): string {
  return sentence.replace(/\.$/, '').replace(/^[A-Z](?=[a-z]* )/, (letter) => letter.toLowerCase())
}

/** `accept`: in which form objects are asked for. */
export type WatchHandlers = {
  accept: string
  open: () => void
  event: (event: WatchEvent, line: string) => void
}

/** Reads of a cluster in Bey's own name, for everybody of the organization: no impersonation. */
export type KubeClient = {
  /** The answer as it comes, whatever its status, for who reads it as a stream. Ends with `signal`. */
  open(connection: ClusterConnection, path: string, signal: AbortSignal): Promise<IncomingMessage>
  /** `timeoutMs` is 30 s, `maxBytes` 64 MiB, `accept` plain JSON by default. Throws KubeError for what is no success. */
  get(
    connection: ClusterConnection,
    path: string,
    signal: AbortSignal,
    options?: { timeoutMs?: number; maxBytes?: number; accept?: string },
  ): Promise<unknown>
  /** What is no JSON, such as a log; at most `maxBytes`. Throws KubeError for what is no success. */
  text(connection: ClusterConnection, path: string, signal: AbortSignal, maxBytes: number): Promise<string>
  /**
   * Resolves when the cluster ends the watch. `open` is called when it has begun. Throws SilentWatch for one that sends
   * not even bookmarks any more. `event` is given each event with the line of JSON that it was read from.
   */
  watch(connection: ClusterConnection, path: string, signal: AbortSignal, on: WatchHandlers): Promise<void>
}

/** A watch that has said nothing for longer than its silence allows. The cluster may well answer other requests. */
export class SilentWatch extends Error {
  constructor() {
    super('The watch has been silent for too long')
    this.name = 'SilentWatch'
  }
}

const watchSeconds = 300
/** API servers send a bookmark each minute to watches that asked for them: one that is silent for longer is dead. */
const watchSilenceMs = 75_000
const maxBodyBytes = 64 * 1024 * 1024
const maxLineLength = 16 * 1024 * 1024

export function createKubeClient(agents: ClusterAgents, { silenceMs = watchSilenceMs } = {}): KubeClient {
  function send(
    connection: ClusterConnection,
    path: string,
    signal: AbortSignal,
    { timeoutMs, accept }: { timeoutMs: number; accept: string },
  ) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const request = agents.open(connection, 'GET', path, {
        accept,
        ...ownCredentials(connection),
        'user-agent': 'bey',
      })
      const abort = () => request.destroy(new Error('No longer wanted'))
      const timer = setTimeout(() => request.destroy(tookTooLong()), timeoutMs)
      request.on('response', (answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
      request.on('error', reject)
      request.on('close', () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
      })
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort)
      request.end()
    })
  }

  return {
    open: (connection, path, signal) => send(connection, path, signal, { timeoutMs: 30_000, accept: '*/*' }),

    async get(connection, path, signal, options = {}) {
      const { timeoutMs = 30_000, maxBytes = maxBodyBytes, accept = 'application/json' } = options
      const answer = await send(connection, path, signal, { timeoutMs, accept })
      answer.setTimeout(timeoutMs, () => answer.destroy(tookTooLong()))
      const body = await readBody(answer, maxBytes)
      if (answer.statusCode !== 200) throw new KubeError(answer.statusCode ?? 0)
      return parseAnswer(body.toString('utf8'))
    },

    async text(connection, path, signal, maxBytes) {
      const answer = await send(connection, path, signal, { timeoutMs: 30_000, accept: '*/*' })
      const body = await readBody(answer, maxBytes)
      if (answer.statusCode !== 200) throw new KubeError(answer.statusCode ?? 0)
      return body.toString('utf8')
    },

    async watch(connection, path, signal, on) {
      const answer = await send(connection, path, signal, { timeoutMs: 30_000, accept: on.accept })
      if (answer.statusCode !== 200) {
        answer.resume()
        throw new KubeError(answer.statusCode ?? 0)
      }
      try {
        refuseWebPage(answer.headers['content-type'])
      } catch (error) {
        answer.destroy()
        throw error
      }
      answer.setTimeout(silenceMs, () => answer.destroy(new SilentWatch()))
      answer.socket.setKeepAlive(true, 15_000)
      on.open()
      const all = linesOf(answer as AsyncIterable<Buffer>, maxLineLength, () => refuseTooLarge(maxLineLength))
      for await (const line of all) on.event(parseWatchEvent(line), line)
    },
  }
}

/** Throws BadAnswer for what is no event. */
export function parseWatchEvent(line: string): WatchEvent {
  const event = parseAnswer(line) as Partial<WatchEvent> | null
  if (typeof event?.type !== 'string' || typeof event.object !== 'object' || event.object === null)
    throw new BadAnswer('its answer is no event of a watch')
  return event as WatchEvent
}

const withQuery = (path: string) => `${path}${path.includes('?') ? '&' : '?'}`

/** Path of one page of a list. `path` may hold selectors. */
export function listPath(path: string, continueToken: string | undefined): string {
  return `${withQuery(path)}limit=500${continueToken ? `&continue=${encodeURIComponent(continueToken)}` : ''}`
}

/** Path of a list of one object, for the version at which the cluster is. */
export function versionPath(path: string): string {
  return `${withQuery(path)}limit=1`
}

export function watchPath(path: string, resourceVersion: string): string {
  return `${withQuery(path)}watch=1&allowWatchBookmarks=true&timeoutSeconds=${watchSeconds}&resourceVersion=${encodeURIComponent(resourceVersion)}`
}

/** What `watchPath` put together: the path without its version, and the version; undefined for the path of no watch. */
export function splitWatchPath(path: string): { path: string; version: string } | undefined {
  const [whole, base, version] = /^(\/apis?\/.*[?&]watch=1&.*)&resourceVersion=([^&]*)$/.exec(path) ?? []
  if (whole === undefined || base === undefined || version === undefined) return undefined
  return { path: base, version: decodeURIComponent(version) }
}
