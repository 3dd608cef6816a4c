import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'

/** Where PostgreSQL listens: an address, or the socket of this machine. */
type Backend = { host: string; port: number } | { path: string }

/** Listens on a free port until it is closed. */
async function listen(onClient: (client: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    sockets.add(client)
    client.on('error', () => client.destroy())
    onClient(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // A server that listens on an address has a port.
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

function join(one: Socket, other: Socket): void {
  one.on('error', () => other.destroy())
  other.on('error', () => one.destroy())
  one.pipe(other)
  other.pipe(one)
}

/** PostgreSQL with TLS: agrees to encrypt, and passes everything on to a server without it. */
export function withTls(backend: Backend, { key, cert }: { key: string; cert: string }) {
  return listen((client) => {
    client.once('data', () => {
      client.write('S')
      const secureContext = createSecureContext({ key, cert })
      join(new TLSSocket(client, { isServer: true, secureContext }), connect(backend))
    })
  })
}

/** A pooler: gives sessions a process number of its own, as PgBouncer does. */
export function withPooler(backend: Backend) {
  return listen((client) => {
    const server = connect(backend)
    server.on('error', () => client.destroy())
    client.pipe(server)
    let held = Buffer.alloc(0)
    const onData = (data: Buffer) => {
      held = Buffer.concat([held, data])
      let at = 0
      while (held.length >= at + 5 && held.length >= at + 1 + held.readUInt32BE(at + 1)) {
        if (held[at] === 'K'.charCodeAt(0)) {
          held.writeUInt32BE(1_234_567, at + 5)
          server.off('data', onData)
          client.write(held)
          server.pipe(client)
          return
        }
        at += 1 + held.readUInt32BE(at + 1)
      }
      client.write(held.subarray(0, at))
      held = held.subarray(at)
    }
    server.on('data', onData)
  })
}

/** A server that says which version it is, and nothing else. */
export function ofVersion(version: string, number: number) {
  return listen((client) => {
    const message = (type: string, ...parts: Buffer[]) => {
      const body = Buffer.concat(parts)
      const head = Buffer.alloc(5)
      head.write(type)
      head.writeUInt32BE(body.length + 4, 1)
      client.write(Buffer.concat([head, body]))
    }
    const text = (value: string) => Buffer.from(`${value}\0`)
    const int32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer).reverse()
    const int16 = (value: number) => Buffer.from(Uint16Array.of(value).buffer).reverse()
    const ready = () => message('Z', Buffer.from('I'))
    const field = (name: string, type: number) =>
      Buffer.concat([text(name), int32(0), int16(0), int32(type), int16(0xffff), int32(0xffffffff), int16(0)])
    const value = (shown: string) => Buffer.concat([int32(shown.length), Buffer.from(shown)])
    client.once('data', () => {
      message('R', int32(0))
      ready()
      client.on('data', (data: Buffer) => {
        if (!data.includes('server_version')) {
          message('C', text('SET'))
        } else {
          message('T', int16(2), field('version', 25), field('number', 23))
          message('D', int16(2), value(version), value(String(number)))
          message('C', text('SELECT 1'))
        }
        ready()
      })
    })
  })
}
