import { createServer } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Cluster } from '../api/context.ts'
import { handleResource, requireAccess } from '../api/router.ts'
import { OpenApi } from '../discovery/openapi.ts'
import { StatusError } from '../status-error.ts'
import type { AdminHandler } from './admin.ts'
import { authenticate, userOfToken } from './authenticate.ts'
import type { Certificates } from './certificates.ts'
import { handlePage } from './pages.ts'
import { Metrics, metricsType } from './metrics.ts'
import { sendStatus, sendText } from './respond.ts'
import type { upgradeHandler } from '../sub/upgrade.ts'

export type ServerOptions = Certificates & {
  adminToken: string
  signingKey: string
  host: string
  /** 0 for any. */
  port: number
  /** Whether another port will do when this one is taken. */
  isPortNegotiable: boolean
  admin: AdminHandler
}

export type RunningServer = { url: string; port: number; stop(): Promise<void> }

/** Listens with TLS and serves the API. Throws when the port is taken. */
export async function startServer(cluster: Cluster, options: ServerOptions): Promise<RunningServer> {
  const metrics = new Metrics(cluster)
  const openApi = new OpenApi(cluster.registry)
  const resolve = (token: string) =>
    userOfToken(token, options.adminToken, options.signingKey, cluster.store, cluster.clock.now())

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'https://sandbox')
    metrics.observe(request, response, url)
    if (await options.admin(request, response, url)) return
    const { ms: delayMs } = cluster.apiDelay
    if (delayMs > 0) await new Promise<void>((done) => cluster.clock.after(delayMs, done))
    const who = authenticate(request, resolve)
    if (
      /^\/(api\/v1|apis\/[^/]+\/[^/]+)\/./.test(url.pathname) &&
      !url.pathname.startsWith('/apis/metrics.k8s.io/')
    ) {
      await handleResource(cluster, { request, response, url, who }, resolve)
      return
    }
    requireAccess(cluster, who.user, { verb: 'get', path: url.pathname })
    if (url.pathname === '/metrics') return sendText(response, 200, metrics.text(), metricsType)
    handlePage(cluster, openApi, { request, response, url, who })
  }

  // A certificate of our own authority says who a client is; without one it may still bring a token.
  const tls = {
    key: options.keyPem,
    cert: options.certificatePem,
    ca: options.caPem,
    requestCert: true,
    rejectUnauthorized: false,
  }
  const server = createServer(tls, (request, response) => {
    serve(request, response).catch((error: unknown) => {
      if (error instanceof StatusError) return sendStatus(response, error)
      cluster.report(error)
      sendStatus(response, new StatusError(500, 'InternalError', 'Internal error occurred'))
    })
  })
  server.keepAliveTimeout = 75_000
  // Loaded with the first session: most sandboxes never see one.
  let sessions: Promise<ReturnType<typeof upgradeHandler>> | undefined
  server.on('upgrade', (request, socket, head) => {
    sessions ??= import('../sub/upgrade.ts').then((module) => module.upgradeHandler(cluster, resolve))
    sessions.then((handler) => handler.handle(request, socket, head)).catch(cluster.report)
  })
  const port = await listen(server, options)
  const host = options.host === '0.0.0.0' || options.host === '::' ? '127.0.0.1' : options.host
  return {
    port,
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    stop: () =>
      new Promise((done) => {
        void sessions?.then((handler) => handler.stop())
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

type Listener = ReturnType<typeof createServer>

async function listen(server: Listener, { host, port, isPortNegotiable }: ServerOptions): Promise<number> {
  try {
    return await listenOn(server, host, port)
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    if (!isTaken) throw error
    if (isPortNegotiable && port !== 0) return listenOn(server, host, 0)
    throw new Error(`Port ${port} on ${host} is taken by another program.`, { cause: error })
  }
}

function listenOn(server: Listener, host: string, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      // A TCP server that listens has such an address.
      done((server.address() as AddressInfo).port)
    })
  })
}
