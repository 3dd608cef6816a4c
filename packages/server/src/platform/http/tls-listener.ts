import { createServer, type Server } from 'node:https'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { answerMalformed } from './malformed.ts'
import type { AnonymousClients } from './anonymous-limits.ts'
import { asksForUpgrade } from './upgrades.ts'

/** PEM texts. */
export type Certificate = { key: string; cert: string; ca: string }

/** Where the certificate comes from, and who wants to know when it was renewed. */
export type CertificateSource = {
  current(): Certificate
  onRenewed(callback: (certificate: Certificate) => void): () => void
}

export type TlsListener = {
  port: number
  /** Takes no new connection; requests under way go on. */
  stopAccepting(): void
  /** Ends what is still under way. */
  closeAll(): void
}

/** Serves the same application over HTTPS; upgrades go where those of the first server go. */
export async function listenTls(
  app: FastifyInstance,
  source: CertificateSource,
  { host, port, anonymousClients }: { host: string; port: number; anonymousClients: AnonymousClients },
): Promise<TlsListener> {
  const server = createServer(
    { ...secureContext(source.current()), shouldUpgradeCallback: asksForUpgrade },
    (request, response) => app.routing(request, response),
  )
  server.keepAliveTimeout = 75_000
  server.requestTimeout = 60_000
  server.on('upgrade', (request, socket, head) => app.server.emit('upgrade', request, socket, head))
  server.on('clientError', (error, socket) => {
    if (socket instanceof Socket) answerMalformed(error, socket, anonymousClients)
    else socket.destroy()
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  const stopRenewal = source.onRenewed((certificate) => server.setSecureContext(secureContext(certificate)))
  await listen(server, host, port)
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    stopAccepting() {
      stopRenewal()
      server.close()
      server.closeIdleConnections()
    },
    closeAll: () => server.closeAllConnections(),
  }
}

function secureContext({ key, cert, ca }: Certificate) {
  return { key, cert: `${cert.trimEnd()}\n${ca}`, minVersion: 'TLSv1.2' as const }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
