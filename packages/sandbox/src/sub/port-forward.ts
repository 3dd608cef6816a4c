import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { welcomePage } from '../nodes/container-files.ts'
import type { Pod } from '../types.ts'
import { SpdyConnection } from './spdy.ts'

export const portForwardProtocols = ['SPDY/3.1+portforward.k8s.io']

type Stream = { kind: 'error' | 'data'; port: number; request: string; received: Buffer }

const mostRequestBytes = 1 << 20

function listens(pod: Pod, port: number): boolean {
  const declared = pod.spec.containers.flatMap((container) => container.ports ?? [])
  // Images that everybody knows listen although the pod does not say so.
  const known = pod.spec.containers.some(({ image = '' }) =>
    /nginx|httpd/.test(image) ? port === 80 : /redis/.test(image) && port === 6379,
  )
  return known || declared.some((one) => one.containerPort === port)
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
      const text = `error forwarding port ${port} to pod ${pod.metadata.uid}, uid : failed to connect to localhost:${port} inside namespace: connection refused`
      if (partner !== undefined) spdy.write(partner, Buffer.from(text), true)
      spdy.write(id, Buffer.alloc(0), true)
      streams.delete(id)
    },
    data(id, bytes, isLast) {
      const stream = streams.get(id)
      if (stream?.kind !== 'data') return
      stream.received = Buffer.concat([stream.received, bytes])
      const text = stream.received.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/\r\ncontent-length:\s*(\d+)/i.exec(text)?.[1] ?? 0)
      const isWhole = end >= 0 && text.length >= end + 4 + length
      if (!isWhole && !isLast && stream.received.length < mostRequestBytes) return
      streams.delete(id)
      spdy.write(id, isWhole ? answer(pod, text) : Buffer.alloc(0), true)
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
