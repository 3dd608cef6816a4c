import { createHash } from 'node:crypto'
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'

import { WebSocket } from 'ws'

import { type Outbound, OutboundRefused } from '../../../platform/outbound/outbound.ts'
import { ProxyRefused, ProxyUnreachable } from '../../../platform/outbound/tunnel.ts'
import { ClusterAgent } from './cluster-agent.ts'
import type { ClusterConnection } from './ports.ts'
import { tracedCall } from './trace-call.ts'
import { BadAnswer, refuseTooLarge } from './bad-answer.ts'

/** Opens requests to clusters, keeping connections alive per cluster. */
export type ClusterAgents = {
  /** `path` begins with a slash and is below that of the cluster's URL. Sends no credentials beside a client certificate. */
  open(
    connection: ClusterConnection,
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
  ): ClientRequest
  /** Opens a WebSocket, as `open` does a request; it fails where the cluster does not answer within 10 s. */
  openSocket(
    connection: ClusterConnection,
    path: string,
    protocol: string,
    headers: OutgoingHttpHeaders,
  ): WebSocket
  /** When the certificate ends that the API server showed last; undefined before the first connection. */
  certificateEndsAt(connection: ClusterConnection): Date | undefined
  close(): void
}

/** More clusters than this at once, and the one unused for longest loses its kept connections. */
const maxAgents = 256
const handshakeTimeoutMs = 10_000
const maxMessageBytes = 16 * 1024 * 1024

/** `outbound` checks the addresses of clusters that this server did not start itself; without it none is checked. */
export function createClusterAgents(outbound?: Outbound): ClusterAgents {
  const agents = new Map<string, ClusterAgent>()

  function agentOf(connection: ClusterConnection): ClusterAgent {
    const key = keyOf(connection)
    const agent = agents.get(key) ?? new ClusterAgent(connection, connection.isOwn ? undefined : outbound)
    // Moved to the end: a Map keeps the order of insertion, so the first is the one unused for longest.
    agents.delete(key)
    agents.set(key, agent)
    if (agents.size > maxAgents) dropOldest()
    return agent
  }

  function dropOldest(): void {
    const [oldest] = agents
    if (!oldest) return
    agents.delete(oldest[0])
    // Requests under way keep their sockets; only idle ones are closed.
    for (const sockets of Object.values(oldest[1].freeSockets))
      for (const socket of sockets ?? []) socket.destroy()
  }

  return {
    open(connection, method, path, headers) {
      const { hostname, port, pathname } = new URL(connection.url)
      return tracedCall(method, path, headers, (sent) =>
        httpsRequest({
          agent: agentOf(connection),
          hostname: hostname.replace(/^\[|\]$/g, ''),
          port,
          method,
          path: pathname.replace(/\/$/, '') + path,
          headers: sent,
          ...(connection.tlsServerName && { servername: connection.tlsServerName }),
        }),
      )
    },
    openSocket(connection, path, protocol, headers) {
      const url = new URL(connection.url)
      return new WebSocket(`wss://${url.host}${url.pathname.replace(/\/$/, '')}${path}`, [protocol], {
        agent: agentOf(connection),
        headers: headers as Record<string, string | string[]>,
        handshakeTimeout: handshakeTimeoutMs,
        maxPayload: maxMessageBytes,
        perMessageDeflate: false,
        ...(connection.tlsServerName && { servername: connection.tlsServerName }),
      })
    },
    certificateEndsAt: (connection) => agents.get(keyOf(connection))?.certificateEndsAt,
    close() {
      for (const agent of agents.values()) agent.destroy()
      agents.clear()
    },
  }
}

/** Connections that differ in what was checked of them, or in whom they represent, are never shared. */
function keyOf(connection: ClusterConnection): string {
  const { url, caPem, clientCertificate, skipsTlsVerify, tlsServerName, proxyUrl, isOwn } = connection
  const parts = [url, caPem, clientCertificate, skipsTlsVerify, tlsServerName, proxyUrl, isOwn]
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64')
}

/** Why a cluster did not answer, in words that follow "… does not answer: ". */
export function whyUnreachable(error: unknown): string {
  if (error instanceof OutboundRefused || error instanceof BadAnswer) return error.message
  if (error instanceof ProxyRefused) return `its proxy answered with status ${error.status}`
  if (error instanceof ProxyUnreachable) return `its proxy does not answer: ${whyUnreachable(error.cause)}`
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return 'the connection was refused'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'the connection was lost'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its address is not known'
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'there is no way to its network'
  if (code === 'ETIMEDOUT') return 'it took too long'
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another name'
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(code)) return 'its certificate is not the one that belongs to it'
  if (/^ERR_SSL|^EPROTO/.test(code)) return 'it does not speak TLS as expected'
  return 'the connection failed'
}

/** An error that `whyUnreachable` reports as "it took too long". */
export function tookTooLong(): Error {
  return Object.assign(new Error('The cluster took too long'), { code: 'ETIMEDOUT' })
}

/** Reads an answer that is expected to be small; throws beyond `maxBytes`. */
export async function readBody(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxBytes) refuseTooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
