import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { ClusterAgents } from '../connection/cluster-agents.ts'
import { readBody as readAnswer, tookTooLong, whyUnreachable } from '../connection/cluster-agents.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import { actOfRequest, isActInBody } from './act-of-request.ts'
import type { Admitted, SaidByBody } from './admission.ts'
import { answerObject, answerStatus } from './answer.ts'
import { auditClass, isSelfReview } from './authorize.ts'
import { requestHeaders, responseHeaders } from './headers.ts'
import type { ServedResource } from './narrow-rules.ts'
import { narrowRules } from './narrow-rules.ts'
import { isNamedInBody, nameInBody } from './object-in-body.ts'
import type { Intent } from './proxy-audit.ts'
import { bodyTooLarge, callerLeft, readBody, readStart } from './read-body.ts'
import { isEndless } from './request-info.ts'
import { answerSelfReview } from './self-review.ts'
import type { StatusObject } from './status-object.ts'
import { serviceUnavailable, timedOut, tooLarge } from './status-object.ts'

export type ForwardLimits = {
  maxBodyBytes: number
  /** Until the cluster's socket is connected and secured. */
  connectTimeoutMs: number
  /** Until the answer begins, and between two parts of an answer that is not endless. */
  answerTimeoutMs: number
  /** A WebSocket on which the cluster has sent nothing for so long gets a ping, or proxies in between would close it. */
  pingAfterMs: number
}

export const forwardLimits: ForwardLimits = {
  maxBodyBytes: 3 * 1024 * 1024,
  connectTimeoutMs: 5_000,
  answerTimeoutMs: 60_000,
  pingAfterMs: 25_000,
}

export type Forwarding = {
  request: IncomingMessage
  response: ServerResponse
  admitted: Admitted
  connection: ClusterConnection
  agents: ClusterAgents
  limits: ForwardLimits
  /** What the cluster serves. */
  served: () => Promise<readonly ServedResource[]>
  /** Called when the cluster was not where it should be, or did not know Bey. */
  lost: () => void
  /** Records what is about to be sent, and what its body says of that; nothing is sent where it rejects. */
  begin: (said: SaidByBody) => Promise<Intent>
  /** Called when the answer has begun, or there will be none. */
  answered: () => void
}

/**
 * Sends a request on to its cluster and the answer back, streaming both ways. Resolves when the exchange is over,
 * however it ended; rejects only when it could not be recorded, and then nothing was sent.
 */
export async function forward(exchange: Forwarding): Promise<void> {
  const { request, response, admitted, limits } = exchange
  if (Number(request.headers['content-length'] ?? 0) > limits.maxBodyBytes) {
    return answerStatus(response, tooLarge(limits.maxBodyBytes))
  }
  let body: Buffer | undefined
  try {
    // A creation names its object in its body only, a patch what it is for: the intent says what is about to happen.
    if (isNamedInBody(admitted.info) || isActInBody(admitted.info))
      body = await readBody(request, limits.maxBodyBytes)
  } catch (error) {
    if (error === bodyTooLarge) answerStatus(response, tooLarge(limits.maxBodyBytes))
    return
  }
  const contentType = request.headers['content-type']
  const named = body && isNamedInBody(admitted.info) ? nameInBody(body, contentType) : undefined
  const act = actOfRequest(admitted.info, body, contentType)
  // What a cluster decides about the token that a service account brings, Bey does not change.
  const isReview = admitted.caller.accountToken === undefined && isSelfReview(admitted.info)
  const own =
    body && isReview ? answerSelfReview(admitted, exchange.connection, body, contentType) : undefined
  const intent = await exchange.begin({ namedInBody: named, act })
  if (own) {
    exchange.answered()
    await intent.complete(own.code)
    return answerObject(response, own.code, own.object)
  }
  const isOfRules = isReview && admitted.info.resource?.name === 'selfsubjectrulesreviews'
  const refuse = async (status: StatusObject) => {
    await intent.complete(status.code)
    answerStatus(response, status)
  }
  let sent: Sent
  try {
    sent = await send(exchange, body, isOfRules)
    // A kept connection may have been closed by the cluster at the moment it was used again.
    if (sent.kind === 'stale') sent = await send(exchange, body, isOfRules)
  } catch (error) {
    if (error === callerLeft) return intent.complete(callerLeftCode)
    if (error === bodyTooLarge) return refuse(tooLarge(limits.maxBodyBytes))
    exchange.lost()
    const sentence = `The cluster "${admitted.cluster.title}" does not answer: ${whyUnreachable(error)}.`
    const isLate = error instanceof Error && 'code' in error && error.code === 'ETIMEDOUT'
    return refuse(isLate ? timedOut(sentence) : serviceUnavailable(sentence))
  }
  if (sent.kind === 'stale') return refuse(serviceUnavailable('The connection to the cluster was lost.'))
  const { answer } = sent
  if (answer.statusCode === 401 && admitted.caller.accountToken === undefined) {
    answer.resume()
    exchange.lost()
    return refuse(serviceUnavailable(`The cluster "${admitted.cluster.title}" does not accept Bey's access.`))
  }
  exchange.answered()
  if (isOfRules && (answer.statusCode === 200 || answer.statusCode === 201)) {
    return passRulesOn(answer, exchange, intent)
  }
  // Which name the cluster made up stands in its answer alone.
  const start = named?.generateName === undefined ? undefined : await readStart(answer, limits)
  const madeName = start && nameInBody(start, answer.headers['content-type']).name
  await intent.complete(answer.statusCode ?? 502, madeName)
  await passOn(answer, start, exchange)
}

type Sent = { kind: 'answer'; answer: IncomingMessage } | { kind: 'stale' }

/** Not a status of HTTP's own: what proxies log when a client closes its connection first. */
const callerLeftCode = 499

function send(
  { request, response, admitted, connection, agents, limits }: Forwarding,
  body: Buffer | undefined,
  /** Its answer is read here, so that it must be plain JSON. */
  isReadHere: boolean,
): Promise<Sent> {
  const { target } = admitted
  const headers = requestHeaders(request.headers, connection, admitted)
  if (isReadHere) Object.assign(headers, { accept: 'application/json', 'accept-encoding': 'identity' })
  return new Promise((resolve, reject) => {
    // Who left while the intent was being recorded wants nothing sent any more.
    if (response.destroyed) return reject(callerLeft)
    const upstream = agents.open(connection, request.method ?? 'GET', target, headers)
    const timer = watchTimes(upstream, limits)
    upstream.on('response', (answer) => {
      clearTimeout(timer)
      resolve({ kind: 'answer', answer })
    })
    upstream.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer)
      const isStale = upstream.reusedSocket && error.code === 'ECONNRESET' && !response.destroyed
      // Only reads are sent twice: whether a change was made before the connection was lost, nobody knows.
      if (isStale && isRead(request)) resolve({ kind: 'stale' })
      else reject(error)
    })
    // A change that was sent takes effect whether or not somebody waits; its outcome must still be recorded.
    const isAudited = auditClass(admitted) !== 'counted'
    response.on('close', () => {
      if (!isAudited || !request.complete) upstream.destroy()
    })
    if (body) upstream.end(body)
    else sendBody(request, upstream, limits.maxBodyBytes)
  })
}

function isRead(request: IncomingMessage): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request)
}

function hasBody(request: IncomingMessage): boolean {
  return (
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  )
}

function sendBody(request: IncomingMessage, upstream: ClientRequest, maxBytes: number): void {
  if (!hasBody(request)) {
    upstream.end()
    return
  }
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) upstream.destroy(bodyTooLarge)
  })
  request.on('error', (error) => upstream.destroy(error))
  request.pipe(upstream)
}

function watchTimes(upstream: ClientRequest, limits: ForwardLimits): NodeJS.Timeout {
  const late = () => upstream.destroy(tookTooLong())
  upstream.on('socket', (socket) => {
    socket.setNoDelay(true)
    if (!socket.connecting) return
    const connecting = setTimeout(late, limits.connectTimeoutMs)
    socket.once('secureConnect', () => clearTimeout(connecting))
    socket.once('close', () => clearTimeout(connecting))
  })
  return setTimeout(late, limits.answerTimeoutMs)
}

/** What a cluster's RBAC grants is narrowed to what Bey lets the caller do. */
async function passRulesOn(answer: IncomingMessage, exchange: Forwarding, intent: Intent): Promise<void> {
  const { admitted, response, limits } = exchange
  const code = answer.statusCode ?? 502
  try {
    answer.setTimeout(limits.answerTimeoutMs, () => answer.destroy(tookTooLong()))
    const bytes = await readAnswer(answer, limits.maxBodyBytes)
    const review = JSON.parse(bytes.toString()) as object
    const narrowed = await narrowRules(admitted.caller, review, exchange.served)
    await intent.complete(code)
    answerObject(response, code, narrowed)
  } catch (error) {
    const sentence = `The cluster "${admitted.cluster.title}" does not answer: ${whyUnreachable(error)}.`
    await intent.complete(503)
    answerStatus(response, serviceUnavailable(sentence))
  }
}

/** `start` is what was read of the answer already. */
function passOn(
  answer: IncomingMessage,
  start: Buffer | undefined,
  { response, connection, admitted, limits }: Forwarding,
): Promise<void> {
  const isWithoutEnd = isEndless(admitted.info, admitted.query)
  return new Promise((resolve) => {
    if (response.destroyed) {
      answer.destroy()
      resolve()
      return
    }
    // An answer that was read to its end has given its connection back.
    if (!answer.readableEnded) {
      answer.socket.setKeepAlive(true, 15_000)
      answer.setTimeout(isWithoutEnd ? 0 : limits.answerTimeoutMs, () => answer.destroy(tookTooLong()))
    }
    response.writeHead(answer.statusCode ?? 502, responseHeaders(answer.headers, connection, admitted.isPage))
    // A watch may have nothing to say for long; its client waits for the headers.
    response.flushHeaders()
    // An answer that breaks off is broken off for the caller too, who must not take it for complete.
    pipeline(start ? fromStart(start, answer) : answer, response, (error) => {
      if (error) response.destroy()
      resolve()
    })
  })
}

async function* fromStart(start: Buffer, rest: IncomingMessage): AsyncGenerator<Buffer> {
  yield start
  if (!rest.readableEnded) yield* rest as AsyncIterable<Buffer>
}
