import type { TLSSocket } from 'node:tls'

import { z } from 'zod'

import type { Clock } from '../clock.ts'

/**
 * The version of what peers say to each other. Only processes of the same version connect, so that during an upgrade each
 * version shares among its own.
 */
export const peerProtocol = 1

/** How often each side says that it lives. */
export const alivePeriodMs = 1_000
/** A peer that says nothing for longer has died or hangs: less than 5 s, within which it is replaced. */
export const silenceMs = 3_000

/**
 * TLS with a key that both sides have (RFC 4279, RFC 5489): it encrypts, and it proves to each side that the other has the
 * root key of this installation. Whoever does not have it gets no further than the handshake.
 */
export const tlsOptions = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const
export const pskIdentity = 'bey-peer'

/**
 * One line: a word, the number of a stream, and what the word needs, as JSON or as the text of a stream's line. The side that
 * connected says `hello`, `open` and `close`; the other says `hello`, `begun`, `line` and `end`; both say `alive`.
 */
export type Frame = { word: string; stream: number; text: string }

export function frameText(word: string, stream = 0, text = ''): string {
  return `${word} ${stream} ${text}\n`
}

/** Throws for what is no frame. */
export function parseFrame(line: string): Frame {
  const wordEnd = line.indexOf(' ')
  const streamEnd = line.indexOf(' ', wordEnd + 1)
  const stream = Number(line.slice(wordEnd + 1, streamEnd))
  if (wordEnd < 1 || streamEnd < 0 || !Number.isSafeInteger(stream)) throw new Error('A peer sent no frame')
  return { word: line.slice(0, wordEnd), stream, text: line.slice(streamEnd + 1) }
}

const hello = z.object({ protocol: z.literal(peerProtocol), id: z.string().max(100) })

/** What each side says first: the version that it speaks, and its id. */
export const helloFrame = (id: string): string =>
  frameText('hello', 0, JSON.stringify({ protocol: peerProtocol, id }))

/** The id of the other side. Throws where it speaks another version. */
export function readHello({ word, text }: Frame): string {
  const said = word === 'hello' ? hello.safeParse(JSON.parse(text)).data : undefined
  if (said === undefined) throw new Error('A peer speaks another version of the protocol')
  return said.id
}

/** What comes from the other side of a connection, which is ended when nothing comes for `withinMs`. */
export async function* heardWithin(
  socket: TLSSocket,
  withinMs: number,
  clock: Clock,
): AsyncGenerator<Buffer> {
  let heardAtMs = clock.monotonicMs()
  const isSilent = () => clock.monotonicMs() - heardAtMs > withinMs
  const endIfSilent = () => (isSilent() ? socket.destroy(new Error('The peer is silent')) : undefined)
  // Asked again after what has arrived was read: this process itself may have been held up.
  const stop = clock.setInterval(
    () => (isSilent() ? setImmediate(endIfSilent) : undefined),
    alivePeriodMs / 4,
  )
  socket.setNoDelay(true)
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      heardAtMs = clock.monotonicMs()
      yield chunk
    }
  } finally {
    stop()
  }
}
