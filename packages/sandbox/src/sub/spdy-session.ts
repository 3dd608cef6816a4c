import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { isTrue } from '../api/request.ts'
import { channel, type SessionSocket } from './session.ts'
import { SpdyConnection } from './spdy.ts'

/** What a client may offer in X-Stream-Protocol-Version, best first; from v4 on a session ends with a Status. */
const protocols = ['v4.channel.k8s.io', 'v3.channel.k8s.io', 'v2.channel.k8s.io', 'channel.k8s.io'] as const
type Protocol = (typeof protocols)[number]

const channels: Record<string, number> = {
  stdin: channel.stdin,
  stdout: channel.stdout,
  stderr: channel.stderr,
  error: channel.error,
  resize: channel.resize,
}

/** The best protocol that a client offers, which may be several headers or one with commas; the first ones named none. */
export function spdyProtocol(header: string | string[] | undefined): Protocol | undefined {
  if (header === undefined) return 'channel.k8s.io'
  const offered = [header].flat().flatMap((one) => one.split(',').map((name) => name.trim()))
  return protocols.find((one) => offered.includes(one))
}

/** How many streams a client opens for a session with this query: one for errors, and those that it asks for. */
function streamsFor(query: URLSearchParams, protocol: Protocol): number {
  const isTty = isTrue(query, 'tty')
  const asked = ['stdin', 'stdout', 'stderr'].filter(
    (name) => isTrue(query, name) && !(name === 'stderr' && isTty),
  )
  const resizes = isTty && (protocol === 'v4.channel.k8s.io' || protocol === 'v3.channel.k8s.io')
  return 1 + asked.length + (resizes ? 1 : 0)
}

/** A session over SPDY/3.1, whose streams look like the channels of a WebSocket to its server. */
class SpdySession extends EventEmitter implements SessionSocket {
  readonly protocol: Protocol
  readonly #socket: Duplex
  readonly #spdy: SpdyConnection
  /** Numbers of the streams by channel. */
  readonly #streams = new Map<number, number>()
  readonly #early: Buffer[] = []
  #isStarted = false

  constructor(socket: Duplex, protocol: Protocol, expected: number, start: (session: SpdySession) => void) {
    super()
    this.protocol = protocol
    this.#socket = socket
    this.#spdy = new SpdyConnection((bytes) => void (socket.writable && socket.write(bytes)), {
      opened: (id, headers) => {
        const to = channels[headers['streamtype'] ?? '']
        if (to === undefined) return
        this.#streams.set(to, id)
        if (this.#isStarted || this.#streams.size < expected) return
        this.#isStarted = true
        start(this)
        for (const message of this.#early) this.emit('message', message)
      },
      data: (id, bytes, isLast) => {
        const from = [...this.#streams].find(([, stream]) => stream === id)?.[0]
        if (from === undefined) return
        if (bytes.length > 0) this.#take(Buffer.concat([Buffer.from([from]), bytes]))
        if (isLast) this.#take(Buffer.from([channel.close, from]))
      },
      reset: (id) => {
        for (const [to, stream] of this.#streams) if (stream === id) this.#streams.delete(to)
      },
    })
    socket.once('close', () => this.emit('close'))
  }

  receive(bytes: Buffer): void {
    this.#spdy.receive(bytes).catch(() => this.#socket.destroy())
  }

  send(frame: Buffer): void {
    const to = frame[0] ?? channel.stdout
    const id = this.#streams.get(to)
    if (id === undefined || frame.length <= 1) return
    const bytes = frame.subarray(1)
    const text = to === channel.error && this.protocol !== 'v4.channel.k8s.io' ? plainError(bytes) : bytes
    if (text.length > 0) this.#spdy.write(id, text)
  }

  close(): void {
    for (const [to, id] of this.#streams) {
      if (to !== channel.stdin && to !== channel.resize) this.#spdy.write(id, Buffer.alloc(0), true)
    }
    this.#socket.end()
  }

  #take(message: Buffer): void {
    if (this.#isStarted) this.emit('message', message)
    else this.#early.push(message)
  }
}

/** Before v4 a session that went well says nothing, and any other says why in words. */
function plainError(status: Buffer): Buffer {
  const { status: outcome, message = '' } = JSON.parse(status.toString()) as {
    status?: string
    message?: string
  }
  return Buffer.from(outcome === 'Success' ? '' : message)
}

/** Answers the upgrade and calls back once the client has opened the streams that its query asks for. */
export function openSpdySession(
  { socket, head, query }: { socket: Duplex; head: Buffer; query: URLSearchParams },
  protocol: Protocol,
  start: (session: SessionSocket) => void,
): void {
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: ${protocol}\r\n\r\n`,
  )
  const session = new SpdySession(socket, protocol, streamsFor(query, protocol), start)
  session.receive(head)
  socket.on('data', (bytes: Buffer) => session.receive(bytes))
}
