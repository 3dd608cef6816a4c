import type { FastifyInstance } from 'fastify'
import type { Closing } from './closing.ts'
import type { Config } from './config.ts'
import type { AnonymousClients } from './platform/http/anonymous-limits.ts'
import { listenHttp, stopAccepting } from './platform/http/listen.ts'
import { type CertificateSource, listenTls, type TlsListener } from './platform/http/tls-listener.ts'

/**
 * Begins to accept requests, over HTTPS too where this process is no worker, and answers the port of HTTP. Both are written
 * to `open` as soon as they are known.
 */
export async function openListeners({
  http,
  config,
  certificate,
  anonymousClients,
  closing,
  open,
}: {
  http: FastifyInstance
  config: Config
  certificate: CertificateSource
  anonymousClients: AnonymousClients
  closing: Pick<Closing, 'add'>
  open: { https?: TlsListener; port?: number }
}): Promise<number> {
  const port = await listenHttp(http, config)
  open.port = port
  closing.add('listener', async () => stopAccepting(http.server))
  if (config.role === 'worker') return port
  const https = await listenTls(http, certificate, {
    host: config.host,
    port: config.tlsPort,
    anonymousClients,
  })
  open.https = https
  closing.add('HTTPS listener', async () => https.stopAccepting())
  return port
}
