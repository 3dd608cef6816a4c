import type { Server } from 'node:http'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ConfigError } from '../errors.ts'

/** Listens and answers the port. Throws ConfigError with a sentence where that cannot be. */
export async function listenHttp(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<number> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw cannotListen(error, 'PORT', host, port)
  }
  const address = app.server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

/** Throws what listening would throw, before anything is started that would have to be stopped again. */
export async function requireFreePort(variable: string, host: string, port: number): Promise<void> {
  if (port === 0) return
  const probe = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen({ host, port, exclusive: true }, () => resolve())
    })
  } catch (error) {
    throw cannotListen(error, variable, host, port)
  }
  await new Promise((resolve) => probe.close(resolve))
}

/** `variable` names the setting that chooses the port. */
function cannotListen(error: unknown, variable: string, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `Port ${port} on ${host} is taken by another program. Stop that one, or set ${variable} to a free port.`,
        { cause: error },
      )
    case 'EACCES':
      return new ConfigError(
        `This user may not listen on port ${port}. Set ${variable} to a port above 1023.`,
        { cause: error },
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ConfigError(
        `HOST is "${host}", which is not an address of this machine. Set HOST to one, for example 127.0.0.1, or 0.0.0.0 for all.`,
        { cause: error },
      )
    default:
      return error
  }
}

/** Takes no new connection and ends those that wait for a request; requests under way go on. */
export function stopAccepting(server: Server): void {
  if (server.listening) server.close()
  server.closeIdleConnections()
}

/** Requests under way may take this long to end once the server stops. */
const drainMs = 5_000

/** Waits for the requests under way, for a while. */
export async function closeHttp(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), drainMs)
  try {
    await app.close()
  } finally {
    clearTimeout(timer)
  }
}
