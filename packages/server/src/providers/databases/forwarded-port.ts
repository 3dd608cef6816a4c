import { createServer, type Socket } from 'node:net'

import { GuardedSocket } from '../../platform/outbound/guarded-socket.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'

/**
 * A port of 127.0.0.1 that leads to an address which this machine may connect to: for programs that open connections
 * themselves, past the check of addresses.
 */
export async function forwardPort(
  outbound: Outbound,
  { host, port }: { host: string; port: number },
): Promise<{ port: number; close(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = new GuardedSocket(outbound).connect(port, host)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve())
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port')
  return {
    port: address.port,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
