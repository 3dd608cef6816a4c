import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A way to the test server that can fall silent, as when the machine behind it is gone. */
export async function silenceableConnection(url: string) {
  const there = new URL(url)
  const joined = new Set<Socket>()
  const way = createServer((near) => {
    const far = connect(join(there.searchParams.get('host') ?? '', `.s.PGSQL.${there.port || 5432}`))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      joined.add(one)
      one.pipe(other)
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((done) => way.listen(0, '127.0.0.1', done))
  afterAll(() => {
    for (const socket of joined) socket.destroy()
    way.close()
  })
  const here = new URL(url)
  here.searchParams.delete('host')
  here.hostname = '127.0.0.1'
  here.port = String((way.address() as AddressInfo).port)
  return {
    url: here.href,
    /** Connections that are open carry nothing any more and are not closed either; new ones work. */
    fallSilent() {
      for (const socket of joined) socket.unpipe().on('data', () => undefined)
    },
  }
}
