import type { Socket } from 'node:net'

import { postgresProxy } from './postgres-proxy.ts'

/** A proxy to the test database that can fall silent, as when the machine behind it is gone. */
export async function silenceableConnection(url: string) {
  const sockets = new Set<Socket>()
  const proxied = await postgresProxy(url, ({ near, far }) => {
    near.pipe(far)
    far.pipe(near)
    sockets.add(near).add(far)
  })
  return {
    url: proxied,
    /** Connections that are open carry nothing any more and are not closed either; new ones work. */
    fallSilent() {
      for (const socket of sockets) socket.unpipe().on('data', () => undefined)
    },
  }
}
