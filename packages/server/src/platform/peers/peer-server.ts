import type { AddressInfo } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'

import type { Clock } from '../clock.ts'
import { linesOf } from '../lines.ts'
import type { Log } from '../log.ts'
import {
  alivePeriodMs,
  frameText,
  heardWithin,
  helloFrame,
  parseFrame,
  pskIdentity,
  readHello,
  tlsOptions,
} from './protocol.ts'

/**
 * Answers a stream that a peer opened, until `signal` is aborted: `begin` once, then lines, which are without ends of lines. What
 * it resolves with ends the stream, and reaches the peer as JSON.
 */
export type ServeStream = (
  request: unknown,
  signal: AbortSignal,
  on: { begin: () => void; line: (text: string) => void },
) => Promise<unknown>

export type PeerServer = {
  port: number
  /** Streams that peers have open now. */
  streams(): number
  stop(): Promise<void>
}

type Options = {
  /** Of this process, which it says to whoever connects. */
  id: string
  host: string
  port: number
  key: Buffer
  serve: ServeStream
  clock: Clock
  log: Log
}

const maxPeers = 256
const maxStreamsOfPeer = 50_000
/** What a peer sends are requests alone. */
const maxRequestLength = 64 * 1024
/** Of what a peer has not taken yet. One that is further behind is cut off, and begins again. */
const maxBacklogBytes = 32 * 1024 * 1024
const handshakeMs = 3_000
/** Longer than at the other side: whoever serves loses nothing by waiting. */
const clientSilenceMs = 10_000

/** Listens for peers. Rejects with the error of the system where the address cannot be listened at. */
export async function startPeerServer({
  id,
  host,
  port,
  key,
  serve,
  clock,
  log,
}: Options): Promise<PeerServer> {
  const sockets = new Set<TLSSocket>()
  let streams = 0

  const server = createServer(
    {
      ...tlsOptions,
      handshakeTimeout: handshakeMs,
      pskCallback: (_socket, identity) => (identity === pskIdentity ? key : null),
    },
    (socket) => {
      sockets.add(socket)
      // Its reader learns of it as well.
      socket.on('error', (error) => log.debug({ err: error }, 'The connection of a peer broke'))
      socket.once('close', () => sockets.delete(socket))
      attend(socket).catch((error: unknown) => log.debug({ err: error }, 'A peer was cut off'))
    },
  )
  server.maxConnections = maxPeers
  server.on('tlsClientError', (error) => log.debug({ err: error }, 'A peer was not let in'))

  async function attend(socket: TLSSocket): Promise<void> {
    const open = new Map<number, AbortController>()
    const send = (text: string) => {
      if (socket.destroyed) return
      socket.write(text)
      if (socket.writableLength > maxBacklogBytes) socket.destroy(new Error('The peer reads too slowly'))
    }

    async function answer(stream: number, request: unknown): Promise<void> {
      const left = new AbortController()
      open.set(stream, left)
      streams += 1
      try {
        const outcome = await serve(request, left.signal, {
          begin: () => send(frameText('begun', stream)),
          line: (text) => send(frameText('line', stream, text)),
        })
        if (!left.signal.aborted) send(frameText('end', stream, JSON.stringify(outcome)))
      } catch (error) {
        log.error({ err: error }, 'A stream for a peer failed')
        send(frameText('end', stream, 'null'))
      } finally {
        open.delete(stream)
        streams -= 1
      }
    }

    const stopAlive = clock.setInterval(() => send(frameText('alive')), alivePeriodMs)
    let isKnown = false
    try {
      const tooLong = () => {
        throw new Error('A peer sent too long a line')
      }
      const heard = heardWithin(socket, clientSilenceMs, clock)
      for await (const line of linesOf(heard, maxRequestLength, tooLong)) {
        const frame = parseFrame(line)
        if (!isKnown) {
          readHello(frame)
          isKnown = true
          send(helloFrame(id))
        } else if (frame.word === 'open') {
          if (open.size >= maxStreamsOfPeer) throw new Error('A peer opened too many streams')
          void answer(frame.stream, JSON.parse(frame.text))
        } else if (frame.word === 'close') open.get(frame.stream)?.abort()
      }
    } finally {
      stopAlive()
      socket.destroy()
      for (const each of open.values()) each.abort()
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      server.on('error', (error) => log.warn({ err: error }, 'The listener for peers failed'))
      resolve()
    })
  })
  return {
    port: (server.address() as AddressInfo).port,
    streams: () => streams,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
