import { connect } from 'node:tls'

import type { Clock } from '../clock.ts'
import { linesOf } from '../lines.ts'
import {
  alivePeriodMs,
  type Frame,
  frameText,
  heardWithin,
  helloFrame,
  parseFrame,
  pskIdentity,
  readHello,
  silenceMs,
  tlsOptions,
} from './protocol.ts'

/** How a stream ended: the peer ended it with an outcome, the connection to it was lost, or it was left. */
export type StreamEnd = { kind: 'ended'; outcome: unknown } | { kind: 'lost' } | { kind: 'left' }

export type StreamHandlers = { begin: () => void; line: (text: string) => void }

export type PeerConnection = {
  /** Rejects with what a handler throws; the stream is closed then. */
  open(request: unknown, on: StreamHandlers, signal: AbortSignal): Promise<StreamEnd>
  close(): void
}

type Options = {
  ownId: string
  /** Who is expected at the address. */
  peerId: string
  address: { host: string; port: number }
  key: Buffer
  clock: Clock
  /** It is known and may be asked. */
  onOpen: () => void
  /** It was lost, or could not be made; once. */
  onLost: (reason: Error | undefined) => void
}

type OpenStream = StreamHandlers & { end: (end: StreamEnd) => void; fail: (error: unknown) => void }

/** What is sent of an object in a watch is bounded where it is read from the cluster; this is a little more. */
const maxLineLength = 17 * 1024 * 1024

/** Connects to a peer and keeps the connection until the peer is silent for 3 s. */
export function connectPeer({ ownId, peerId, address, key, clock, onOpen, onLost }: Options): PeerConnection {
  const streams = new Map<number, OpenStream>()
  let next = 1
  let failure: Error | undefined
  const socket = connect({
    ...address,
    ...tlsOptions,
    pskCallback: () => ({ psk: key, identity: pskIdentity }),
    // The key says who the peer is.
    checkServerIdentity: () => undefined,
  })
  socket.on('error', (error) => {
    failure = error
  })
  let stopAlive = () => undefined as void
  socket.once('secureConnect', () => {
    send(helloFrame(ownId))
    stopAlive = clock.setInterval(() => send(frameText('alive')), alivePeriodMs)
  })

  function send(text: string): void {
    if (!socket.destroyed) socket.write(text)
  }

  function take({ word, stream, text }: Frame): void {
    const open = streams.get(stream)
    if (!open) return
    try {
      if (word === 'begun') open.begin()
      else if (word === 'line') open.line(text)
      else if (word === 'end') {
        streams.delete(stream)
        open.end({ kind: 'ended', outcome: JSON.parse(text) })
      }
    } catch (error) {
      streams.delete(stream)
      send(frameText('close', stream))
      open.fail(error)
    }
  }

  async function read(): Promise<void> {
    let isKnown = false
    const tooLong = () => {
      throw new Error('A peer sent too long a line')
    }
    for await (const line of linesOf(heardWithin(socket, silenceMs, clock), maxLineLength, tooLong)) {
      const frame = parseFrame(line)
      if (isKnown) take(frame)
      else if (frame.word !== 'alive') {
        // An address may lead elsewhere: to this process itself, or to one that has taken the place of another.
        if (readHello(frame) !== peerId) throw new Error('Another process answers at the address of a peer')
        isKnown = true
        onOpen()
      }
    }
  }

  read()
    .catch((error: unknown) => {
      failure ??= error instanceof Error ? error : undefined
    })
    .finally(() => {
      stopAlive()
      socket.destroy()
      for (const each of streams.values()) each.end({ kind: 'lost' })
      streams.clear()
      onLost(failure)
    })

  return {
    open(request, on, signal) {
      if (signal.aborted) return Promise.resolve({ kind: 'left' })
      if (socket.destroyed) return Promise.resolve({ kind: 'lost' })
      const stream = next++
      return new Promise((resolve, reject) => {
        const leave = () => {
          if (!streams.delete(stream)) return
          send(frameText('close', stream))
          resolve({ kind: 'left' })
        }
        const over = () => signal.removeEventListener('abort', leave)
        signal.addEventListener('abort', leave, { once: true })
        streams.set(stream, {
          ...on,
          end: (end) => (over(), resolve(end)),
          fail: (error) => (over(), reject(error)),
        })
        send(frameText('open', stream, JSON.stringify(request)))
      })
    },
    close: () => socket.destroy(),
  }
}
