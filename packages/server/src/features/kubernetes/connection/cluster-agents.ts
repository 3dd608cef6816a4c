import { Agent, request as httpsRequest } from 'node:https'
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { ClusterConnection } from './ports.ts'

/** Opens requests to clusters, keeping connections alive per cluster. */
export type ClusterAgents = {
  open(
    connection: ClusterConnection,
    method: string,
    path: string,
    headers: OutgoingHttpHeaders,
  ): ClientRequest
  close(): void
}

/** More clusters than this at once, and the one unused for longest loses its kept connections. */
const maxAgents = 256

export function createClusterAgents(): ClusterAgents {
  const agents = new Map<string, Agent>()

  function agentOf(connection: ClusterConnection): Agent {
    const key = `${connection.url}\n${connection.caPem}`
    const agent = agents.get(key) ?? makeAgent(connection)
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
      return httpsRequest({
        agent: agentOf(connection),
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method,
        path: pathname.replace(/\/$/, '') + path,
        headers,
      })
    },
    close() {
      for (const agent of agents.values()) agent.destroy()
      agents.clear()
    },
  }
}

function makeAgent({ caPem }: ClusterConnection): Agent {
  return new Agent({
    keepAlive: true,
    keepAliveMsecs: 15_000,
    maxFreeSockets: 8,
    ...(caPem && { ca: caPem }),
  })
}

/** Why a cluster did not answer, in words that follow "… does not answer: ". */
export function whyUnreachable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return 'the connection was refused'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'the connection was lost'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its address is not known'
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'there is no way to its network'
  if (code === 'ETIMEDOUT') return 'it took too long'
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(code)) return 'its certificate is not the one that belongs to it'
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
    if (length > maxBytes) throw new Error(`The cluster answered more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
