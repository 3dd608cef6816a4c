import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { liveLimits } from '@bey/contract'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import type { Clock } from '../clock.ts'
import type { SocketSession } from './socket-session.ts'
import { networkOf } from '../http/client-address.ts'
import { refuseUpgrade } from '../http/upgrades.ts'
import { isOwnOrigin, type OwnOrigins } from './origin.ts'
import type { Transport } from './outbox.ts'
import { createAnonymousSockets, type AnonymousBounds } from './anonymous-sockets.ts'

/** The server looks this often whether the other end is there. */
const probePeriodMs = 30_000
/** A socket that sent nothing for this long is considered lost. */
const silenceMs = 75_000
const closeGraceMs = 1_000

export type SocketServerOptions = {
  clock: Clock
  origins: OwnOrigins
  /** `entered` is called once the socket is authenticated. */
  openSocketSession: (transport: Transport, ip: string, entered: () => void) => SocketSession
  anonymousBounds?: AnonymousBounds
}

export type SocketServer = {
  takes: (path: string) => boolean
  handle: (request: IncomingMessage, socket: Duplex, head: Buffer, address: string) => void
  /** Closes every socket; resolves when all are closed, after 1 s at most. */
  close: () => Promise<void>
}

/** `/ws` on the connections that ask for an upgrade. */
export function createSocketServer(options: SocketServerOptions): SocketServer {
  const { clock } = options
  const server = new WebSocketServer({
    noServer: true,
    path: '/ws',
    maxPayload: liveLimits.maxMessageBytes,
    perMessageDeflate: false,
  })
  const anonymousClients = createAnonymousSockets(options.anonymousBounds)
  const lastHeardMs = new WeakMap<WebSocket, number>()
  const cancelProbe = clock.setInterval(probe, probePeriodMs)
  let isStopping = false

  function probe(): void {
    const nowMs = clock.monotonicMs()
    for (const socket of server.clients) {
      if (nowMs - (lastHeardMs.get(socket) ?? nowMs) > silenceMs) socket.terminate()
      else socket.ping()
    }
  }

  function handle(request: IncomingMessage, socket: Duplex, head: Buffer, address: string): void {
    if (isStopping) refuseUpgrade(socket, 503, 'The server is stopping.')
    else if (!isOwnOrigin(request, options.origins)) {
      refuseUpgrade(
        socket,
        403,
        'This page may not open a live connection: its address is neither BEY_PUBLIC_URL nor in BEY_HOSTS.',
      )
    } else {
      server.handleUpgrade(request, socket, head, (opened) => serve(opened, socket, address))
    }
  }

  function serve(socket: WebSocket, connection: Duplex, ip: string): void {
    const recordTraffic = () => lastHeardMs.set(socket, clock.monotonicMs())
    recordTraffic()
    const forget = anonymousClients.add(networkOf(ip), {
      close: () => conversation.closeAsAnonymous(),
    })
    const conversation = options.openSocketSession(transportOf(socket, connection), ip, forget)
    socket.on('message', (data, isBinary) => {
      recordTraffic()
      if (isBinary) socket.close(1003, 'Only text is understood')
      else conversation.received(textOf(data))
    })
    socket.on('pong', recordTraffic)
    // What follows an error is a close, with the code that says what was wrong (1002, 1007, 1009).
    socket.on('error', () => conversation.closed())
    socket.on('close', () => {
      forget()
      conversation.closed()
    })
  }

  return {
    takes: (path) => path === '/ws',
    handle,
    async close() {
      isStopping = true
      cancelProbe()
      for (const socket of server.clients) socket.close(1001, 'The server is stopping')
      const gone = new Promise<void>((resolve) => server.close(() => resolve()))
      const cancelGrace = clock.setTimeout(() => {
        for (const socket of server.clients) socket.terminate()
      }, closeGraceMs)
      await gone
      cancelGrace()
    },
  }
}

/** `connection` is what the socket speaks on: frames that are made already go past the library. */
function transportOf(socket: WebSocket, connection: Duplex): Transport {
  return {
    send: (text) => socket.send(text),
    write(frame) {
      if (socket.readyState !== socket.OPEN) return
      if (connection.writableCorked === 0) corkUntilNextTick(connection)
      connection.write(frame)
    },
    bufferedBytes: () => connection.writableLength,
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
  }
}

let corked: Duplex[] = []

/** A transaction has several events, which arrive together: each connection gets them with one system call. */
function corkUntilNextTick(connection: Duplex): void {
  connection.cork()
  corked.push(connection)
  if (corked.length > 1) return
  process.nextTick(() => {
    const waiting = corked
    corked = []
    for (const each of waiting) each.uncork()
  })
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8')
  return Buffer.isBuffer(data) ? data.toString('utf8') : Buffer.from(data).toString('utf8')
}
