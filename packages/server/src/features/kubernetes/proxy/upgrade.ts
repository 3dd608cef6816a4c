import type { IncomingMessage } from 'node:http'
import type { Duplex, Transform } from 'node:stream'
import { pipeline } from 'node:stream'
import type { ClusterAgents } from '../connection/cluster-agents.ts'
import { tookTooLong, whyUnreachable } from '../connection/cluster-agents.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { Admitted } from './admission.ts'
import { answerStatusOnSocket, headText } from './answer.ts'
import type { ForwardLimits } from './forward.ts'
import { requestHeaders, responseHeaders, withoutToken } from './headers.ts'
import type { Intent } from './proxy-audit.ts'
import { pinging } from './ping-frames.ts'
import { badRequest, serviceUnavailable } from './status-object.ts'

export type Upgrading = {
  request: IncomingMessage
  socket: Duplex
  /** What the client sent right after its headers. */
  head: Buffer
  admitted: Admitted
  connection: ClusterConnection
  agents: ClusterAgents
  limits: ForwardLimits
  /** Called when the cluster was not where it should be. */
  lost: () => void
  /** Records what is about to be sent; nothing is sent where it rejects. */
  begin: () => Promise<Intent>
  /** Called when the cluster has answered, or will not. */
  answered: () => void
}

/**
 * Joins a client and its cluster for exec, attach, port-forward and watches over a WebSocket (or SPDY/3.1, of
 * older clients). Resolves when either side has closed; rejects only when it could not be recorded, and then nothing was
 * sent.
 */
export async function upgrade(exchange: Upgrading): Promise<void> {
  const { request, socket, admitted, connection } = exchange
  const protocol = request.headers.upgrade ?? ''
  if (!/^(websocket|spdy\/3\.1)$/i.test(protocol)) {
    answerStatusOnSocket(socket, badRequest('only upgrades to websocket and SPDY/3.1 are understood'))
    return
  }
  const intent = await exchange.begin()
  let reply: Reply
  try {
    reply = await ask(exchange, protocol)
  } catch (error) {
    exchange.lost()
    const sentence = `The cluster "${admitted.cluster.title}" does not answer: ${whyUnreachable(error)}.`
    await intent.complete(503)
    answerStatusOnSocket(socket, serviceUnavailable(sentence))
    return
  }
  const { answer } = reply
  // Whoever is about to be joined must not fall over an error while the entry is being written.
  reply.upstream?.on('error', () => socket.destroy())
  exchange.answered()
  await intent.complete(answer.statusCode ?? 502)
  const headers = responseHeaders(answer.headers, connection)
  if (!reply.upstream) {
    delete headers['content-length']
    socket.write(headText(answer.statusCode ?? 502, { ...headers, connection: 'close' }))
    await new Promise<void>((resolve) => pipeline(answer, socket, () => resolve()))
    return
  }
  const { upstream } = reply
  delete headers['cache-control']
  socket.write(
    headText(101, { ...headers, connection: 'Upgrade', upgrade: answer.headers.upgrade ?? protocol }),
  )
  if (reply.upstreamHead.length > 0) socket.write(reply.upstreamHead)
  if (exchange.head.length > 0) upstream.write(exchange.head)
  await join(
    socket,
    upstream,
    /^websocket$/i.test(protocol) ? pinging(exchange.limits.pingAfterMs) : undefined,
  )
}

type Reply =
  | { answer: IncomingMessage; upstream: Duplex; upstreamHead: Buffer }
  | { answer: IncomingMessage; upstream?: undefined }

function ask(
  { request, socket, admitted, connection, agents, limits }: Upgrading,
  protocol: string,
): Promise<Reply> {
  const { target } = admitted
  const headers = requestHeaders(request.headers, connection, admitted)
  const offered = withoutToken(request.headers)
  delete headers['sec-websocket-protocol']
  if (offered) headers['sec-websocket-protocol'] = offered
  headers['connection'] = 'Upgrade'
  headers['upgrade'] = protocol
  return new Promise((resolve, reject) => {
    if (socket.destroyed) return reject(new Error('The caller left before the request was sent'))
    const open = agents.open(connection, request.method ?? 'GET', target, headers)
    const timer = setTimeout(
      () => open.destroy(tookTooLong()),
      limits.connectTimeoutMs + limits.answerTimeoutMs,
    )
    const settle = () => {
      clearTimeout(timer)
      socket.off('close', giveUp)
    }
    const giveUp = () => open.destroy()
    socket.once('close', giveUp)
    open.on('error', (error) => {
      settle()
      reject(error)
    })
    open.on('upgrade', (answer, upstream, upstreamHead) => {
      settle()
      upstream.setTimeout(0)
      upstream.setNoDelay(true)
      upstream.setKeepAlive(true, 15_000)
      resolve({ answer, upstream, upstreamHead })
    })
    open.on('response', (answer) => {
      settle()
      resolve({ answer })
    })
    open.end()
  })
}

/** How long one side may take to close after the other has said good-bye. */
const closeGraceMs = 5_000

/**
 * Passes bytes both ways until both are closed; who breaks off takes the other along. What comes from the cluster goes
 * through `pings`.
 */
function join(client: Duplex, cluster: Duplex, pings: Transform | undefined): Promise<void> {
  const carry = (from: Duplex, to: Duplex, through?: Transform) =>
    new Promise<void>((resolve) => {
      from.on('error', () => to.destroy())
      from.once('close', () => {
        resolve()
        // After a proper end its last bytes may still be on their way to a slow reader.
        if (from.readableEnded) setTimeout(() => to.destroy(), closeGraceMs).unref()
        else to.destroy()
      })
      if (from.destroyed) to.destroy()
      if (through) {
        to.once('close', () => through.destroy())
        from.pipe(through).pipe(to)
      } else from.pipe(to)
    })
  return Promise.all([carry(client, cluster), carry(cluster, client, pings)]).then(() => undefined)
}
