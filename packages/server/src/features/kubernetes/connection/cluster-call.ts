import type { OutgoingHttpHeaders } from 'node:http'

import { type ClusterAgents, readBody, tookTooLong } from './cluster-agents.ts'
import { ownCredentials } from './own-credentials.ts'
import type { ClusterConnection } from './ports.ts'

export type ClusterReply = { status: number; mediaType: string; text: string }

/** One request in Bey's own name, answered as it came. Throws what `whyUnreachable` can tell. */
export type ClusterCall = (
  connection: ClusterConnection,
  method: 'GET' | 'POST',
  path: string,
  options?: { body?: unknown; headers?: OutgoingHttpHeaders; signal?: AbortSignal; timeoutMs?: number },
) => Promise<ClusterReply>

const maxReplyBytes = 8 * 1024 * 1024

export function createClusterCall(agents: ClusterAgents): ClusterCall {
  return (connection, method, path, { body, headers, signal, timeoutMs = 10_000 } = {}) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const asked = agents.open(connection, method, path, {
        ...ownCredentials(connection),
        accept: 'application/json',
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
        'user-agent': 'bey',
        ...headers,
      })
      const timer = setTimeout(() => asked.destroy(tookTooLong()), timeoutMs)
      const abort = () => asked.destroy(tookTooLong())
      signal?.addEventListener('abort', abort)
      if (signal?.aborted) abort()
      asked.on('error', reject)
      asked.on('close', () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      })
      asked.on('response', (answer) => {
        readBody(answer, maxReplyBytes).then(
          (bytes) =>
            resolve({
              status: answer.statusCode ?? 0,
              mediaType: answer.headers['content-type'] ?? '',
              text: bytes.toString('utf8'),
            }),
          reject,
        )
      })
      asked.end(text)
    })
  }
}
