import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { welcomePage } from '../nodes/container-files.ts'
import { badRequest } from '../status-error.ts'
import type { Pod } from '../types.ts'
import { SpdyConnection } from './spdy.ts'

export const portForwardProtocols = ['SPDY/3.1+portforward.k8s.io']
/** Two channels a port instead: its data, and its errors. The ports stand in the query. */
export const portForwardChannels = ['v4.channel.k8s.io', 'v5.channel.k8s.io']

type Stream = { kind: 'error' | 'data'; port: number; request: string; received: Buffer }

const mostRequestBytes = 1 << 20
const mostPorts = 100
/** The one that can close a channel of its own. */
const closingProtocol = 'v5.channel.k8s.io'

function listens(pod: Pod, port: number): boolean {
  const declared = pod.spec.containers.flatMap((container) => container.ports ?? [])
  // Images that everybody knows listen although the pod does not say so.
  const known = pod.spec.containers.some(({ image = '' }) =>
    /nginx|httpd/.test(image) ? port === 80 : /redis/.test(image) && port === 6379,
  )
  return known || declared.some((one) => one.containerPort === port)
}

/** The port of this machine that stands for a port of a pod, where the operator of the sandbox lets it. */
function localPortOf(pod: Pod, port: number, forwardedPorts: readonly number[]): number | undefined {
  const local = Number(pod.metadata.annotations?.[`sandbox.bey/forward-${port}`])
  return forwardedPorts.includes(local) ? local : undefined
}

function answer(pod: Pod, request: string): Buffer {
  const [method = 'GET', path = '/'] = request.split('\r\n')[0]?.split(' ') ?? []
  const isNginx = pod.spec.containers.some(({ image = '' }) => /nginx/.test(image))
  const body =
    isNginx && path === '/'
      ? welcomePage
      : `${JSON.stringify({ pod: pod.metadata.name, namespace: pod.metadata.namespace, method, path })}\n`
  const type = isNginx && path === '/' ? 'text/html' : 'application/json'
  const head = `HTTP/1.1 200 OK\r\nServer: sandbox\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`
  return Buffer.from(method === 'HEAD' ? head : head + body)
}

function refusedText(pod: Pod, port: number): string {
  return `error forwarding port ${port} to pod ${pod.metadata.uid}, uid : failed to connect to localhost:${port} inside namespace: connection refused`
}

/** What the program answers once its request is whole; undefined before, and nothing where it never will be. */
function replyTo(pod: Pod, received: Buffer, isLast: boolean): Buffer | undefined {
  const text = received.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const length = Number(/\r\ncontent-length:\s*(\d+)/i.exec(text)?.[1] ?? 0)
  if (end >= 0 && text.length >= end + 4 + length) return answer(pod, text)
  return isLast || received.length >= mostRequestBytes ? Buffer.alloc(0) : undefined
}

/** Connections to the simulated programs of a pod: they answer HTTP, whatever is asked. */
function forward(pod: Pod, send: (bytes: Buffer) => void): SpdyConnection {
  const streams = new Map<number, Stream>()
  const spdy = new SpdyConnection(send, {
    opened(id, headers) {
      const kind = headers['streamtype'] === 'error' ? 'error' : 'data'
      const port = Number(headers['port'])
      const request = headers['requestid'] ?? ''
      streams.set(id, { kind, port, request, received: Buffer.alloc(0) })
      if (kind !== 'data') return
      const partner = [...streams].find(([, one]) => one.kind === 'error' && one.request === request)?.[0]
      if (listens(pod, port)) return
      if (partner !== undefined) spdy.write(partner, Buffer.from(refusedText(pod, port)), true)
      spdy.write(id, Buffer.alloc(0), true)
      streams.delete(id)
    },
    data(id, bytes, isLast) {
      const stream = streams.get(id)
      if (stream?.kind !== 'data') return
      stream.received = Buffer.concat([stream.received, bytes])
      const reply = replyTo(pod, stream.received, isLast)
      if (reply === undefined) return
      streams.delete(id)
      spdy.write(id, reply, true)
      const partner = [...streams].find(
        ([, one]) => one.kind === 'error' && one.request === stream.request,
      )?.[0]
      if (partner === undefined) return
      streams.delete(partner)
      spdy.write(partner, Buffer.alloc(0), true)
    },
    reset: (id) => streams.delete(id),
  })
  return spdy
}

/**
 * The ports that a query asks for, each once or separated by commas. Throws 400 where there is none, too many or no port.
 */
export function portsOf(query: URLSearchParams): number[] {
  const texts = query.getAll('ports').flatMap((one) => one.split(','))
  if (texts.length === 0) throw badRequest('query parameter "port" is required')
  if (texts.length > mostPorts) throw badRequest(`at most ${mostPorts} ports can be forwarded at once`)
  return texts.map((text) => {
    const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
    if (port < 1 || port > 65_535) throw badRequest(`unable to parse ${JSON.stringify(text)} as a port`)
    return port
  })
}

/** Channels 2n and 2n + 1 are data and errors of the port n; each begins with the port as two bytes, low one first. */
export function serveChannelPortForward(
  socket: WebSocket,
  pod: Pod,
  ports: readonly number[],
  forwardedPorts: readonly number[],
): void {
  const real = new Map<number, Socket>()
  const received = ports.map(() => Buffer.alloc(0))
  const open = new Set(ports.keys())
  const send = (to: number, bytes: Buffer) => socket.send(Buffer.concat([Buffer.from([to]), bytes]))
  const end = (index: number) => {
    if (!open.delete(index)) return
    if (socket.protocol === closingProtocol) socket.send(Buffer.from([255, 2 * index]))
    if (open.size === 0) socket.close(1000)
  }
  for (const [index, port] of ports.entries()) {
    const number = Buffer.alloc(2)
    number.writeUInt16LE(port)
    send(2 * index, number)
    send(2 * index + 1, number)
  }
  for (const [index, port] of ports.entries()) {
    const localPort = localPortOf(pod, port, forwardedPorts)
    if (localPort !== undefined) {
      const local = connect(localPort, '127.0.0.1')
      real.set(index, local)
      local.on('data', (bytes) => send(2 * index, bytes))
      local.on('error', () => send(2 * index + 1, Buffer.from(refusedText(pod, port))))
      local.on('close', () => end(index))
      continue
    }
    if (listens(pod, port)) continue
    send(2 * index + 1, Buffer.from(refusedText(pod, port)))
    end(index)
  }
  socket.on('close', () => {
    for (const local of real.values()) local.destroy()
  })
  socket.on('message', (frame: Buffer) => {
    const isEnd = frame[0] === 255 && socket.protocol === closingProtocol
    const to = (isEnd ? frame[1] : frame[0]) ?? 0
    const index = to >> 1
    if (to % 2 === 1 || !open.has(index)) return
    const bytes = isEnd ? Buffer.alloc(0) : frame.subarray(1)
    const local = real.get(index)
    if (local !== undefined) {
      if (isEnd) local.end()
      else local.write(bytes)
      return
    }
    const whole = Buffer.concat([received[index] ?? Buffer.alloc(0), bytes])
    received[index] = whole
    const reply = replyTo(pod, whole, isEnd)
    if (reply === undefined) return
    if (reply.length > 0) send(2 * index, reply)
    end(index)
  })
}

/** Forwards ports over a WebSocket that carries SPDY, as kubectl does from 1.31 on. */
export function servePortForward(socket: WebSocket, pod: Pod): void {
  const spdy = forward(pod, (bytes) => socket.send(bytes))
  socket.on('message', (data: Buffer) => {
    spdy.receive(data).catch(() => socket.close(1002))
  })
}

/** Forwards ports over a connection that speaks SPDY itself, as older clients do. */
export function serveSpdyPortForward(socket: Duplex, head: Buffer, pod: Pod): void {
  socket.write(
    'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: portforward.k8s.io\r\n\r\n',
  )
  const spdy = forward(pod, (bytes) => socket.write(bytes))
  const take = (data: Buffer) => {
    spdy.receive(data).catch(() => socket.destroy())
  }
  take(head)
  socket.on('data', take)
}
