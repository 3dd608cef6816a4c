import { Agent, type AgentOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import { connect as connectTls, type ConnectionOptions, TLSSocket } from 'node:tls'

import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { trustOptions } from '../../../platform/outbound/tls-options.ts'
import { openTunnel } from '../../../platform/outbound/tunnel.ts'
import type { ClusterConnection } from './ports.ts'

type Dial = Agent['createConnection']
type Answer = Parameters<Dial>[1]

const tunnelTimeoutMs = 10_000

/** Kept connections of one cluster, checked, authenticated and led through a proxy as its connection says. */
export class ClusterAgent extends Agent {
  readonly #connection: ClusterConnection
  readonly #outbound: Outbound | undefined
  /** When the certificate ends that the cluster showed last; undefined before the first. */
  certificateEndsAt: Date | undefined

  constructor(connection: ClusterConnection, outbound: Outbound | undefined) {
    super({
      keepAlive: true,
      keepAliveMsecs: 15_000,
      maxFreeSockets: 8,
      ...tlsOptions(connection),
      ...(outbound && { lookup: outbound.lookup }),
    })
    this.#connection = connection
    this.#outbound = outbound
  }

  override createConnection(...[options, answer]: Parameters<Dial>): ReturnType<Dial> {
    const { proxyUrl } = this.#connection
    const host = options.host ?? ''
    if (proxyUrl === undefined) {
      const refusal = this.#outbound?.refusalOfHost(host)
      return refusal
        ? answerLater(Promise.reject(refusal), answer)
        : this.#observed(super.createConnection(options, answer))
    }
    const port = Number(options.port) || 443
    const tunnel = { proxyUrl, host, port, outbound: this.#outbound, timeoutMs: tunnelTimeoutMs }
    const secured = openTunnel(tunnel).then((socket) =>
      this.#observed(connectTls({ ...options, socket } as ConnectionOptions)),
    )
    return answerLater(secured, answer)
  }

  #observed<S extends Duplex | null | undefined>(socket: S): S {
    if (socket instanceof TLSSocket) {
      socket.once('secureConnect', () => {
        // A session that was resumed shows none.
        this.certificateEndsAt = socket.getPeerX509Certificate()?.validToDate ?? this.certificateEndsAt
      })
    }
    return socket
  }
}

function answerLater(socket: Promise<Duplex>, answer: Answer): undefined {
  socket.then(
    (found) => answer?.(null, found),
    // Node reads no socket where there is an error.
    (error: Error) => answer?.(error, undefined as unknown as Duplex),
  )
}

/** What TLS has to check of a cluster, and the certificate that says who Bey is. */
function tlsOptions({ caPem, clientCertificate, skipsTlsVerify }: ClusterConnection): AgentOptions {
  return {
    ...trustOptions(caPem),
    ...(clientCertificate && { cert: clientCertificate.certificatePem, key: clientCertificate.keyPem }),
    ...(skipsTlsVerify && { rejectUnauthorized: false }),
  }
}
