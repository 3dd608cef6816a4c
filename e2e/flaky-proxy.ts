import { createConnection, createServer } from 'node:net'
import type { Socket } from 'node:net'

/** Stands between browser and server, and cuts live sockets and log streams on demand; everything else passes. */
export type FlakyProxy = {
  url: string
  /** Live sockets that stand at the moment. */
  openSockets(): number
  /** Cuts them all, in whatever they are doing, and answers how many there were. */
  dropSockets(): number
  close(): Promise<void>
}

const isLive = /^(GET \/ws |POST \/api\/kubernetes\/clusters\/\d+\/logs )/

export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const { hostname, port } = new URL(target)
  const connections = new Set<Socket>()
  const live = new Set<Socket>()
  const server = createServer((browser) => {
    const upstream = createConnection(Number(port), hostname)
    connections.add(browser)
    browser.on('data', (chunk: Buffer) => {
      if (isLive.test(chunk.subarray(0, 80).toString('latin1'))) live.add(browser)
    })
    browser.pipe(upstream).pipe(browser)
    const end = () => {
      connections.delete(browser)
      live.delete(browser)
      browser.destroy()
      upstream.destroy()
    }
    for (const socket of [browser, upstream]) socket.on('error', end).on('close', end)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    openSockets: () => live.size,
    dropSockets() {
      const dropped = [...live]
      live.clear()
      for (const socket of dropped) socket.resetAndDestroy()
      return dropped.length
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        for (const socket of connections) socket.destroy()
      }),
  }
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
