import { connect, type Socket } from 'node:net'

import type { Outbound } from '../../../platform/outbound/outbound.ts'

const texts: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'closed the connection at once',
  EHOSTUNREACH: 'cannot be reached from this server',
  ENETUNREACH: 'cannot be reached from this server',
  EADDRNOTAVAIL: 'cannot be reached from this server',
  ETIMEDOUT: 'did not take the connection in time',
}

/** A connection to an address, or why there is none, in words. What the guard refuses is not connected to. */
export function connectTcp(
  outbound: Outbound,
  { address, port, timeoutMs }: { address: string; port: number; timeoutMs: number },
): Promise<{ socket: Socket } | { problem: string }> {
  const refusal = outbound.guard.refusalOf(address)
  if (refusal !== undefined) return Promise.resolve({ problem: `not connected: the address ${refusal}` })
  return new Promise((resolve) => {
    const socket = connect({ host: address, port })
    const timer = setTimeout(() => end(`did not take the connection within ${timeoutMs / 1000} s`), timeoutMs)
    const end = (problem: string) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ problem })
    }
    // Stays: an error of a socket that nobody hears ends the process.
    socket.on('error', (error: NodeJS.ErrnoException) => end(texts[error.code ?? ''] ?? 'cannot be reached'))
    socket.once('connect', () => {
      clearTimeout(timer)
      resolve({ socket })
    })
  })
}
