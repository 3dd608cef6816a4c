import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Two ends of one connection: `near` to the client under test, `far` to PostgreSQL. */
type Pair = { near: Socket; far: Socket }

/**
 * A proxy to the test database until the tests of the file end. `carry` moves what each end of a new connection sends
 * to the other; if one end closes, so does the other. Answers the address of the database through the proxy.
 */
export async function postgresProxy(url: string, carry: (pair: Pair) => void): Promise<string> {
  const there = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(join(there.searchParams.get('host') ?? '', `.s.PGSQL.${there.port || 5432}`))
    carry({ near, far })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  afterAll(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const here = new URL(url)
  here.searchParams.delete('host')
  here.hostname = '127.0.0.1'
  here.port = String((server.address() as AddressInfo).port)
  return here.href
}
