import { Agent, request } from 'node:https'

import type { LiveCluster } from '../../features/clusters/provider.ts'

const timeoutMs = 15_000
const maxReplyBytes = 64 * 1024 * 1024

export type Admin = {
  /** Speaks JSON with the cluster as its administrator. Throws when it does not answer or refuses. */
  call<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T>
  close(): void
}

/** A connection to one sandbox, trusting its own certificate authority and nothing else. */
export function adminOf(live: Pick<LiveCluster, 'url' | 'caPem' | 'token'>, signal?: AbortSignal): Admin {
  const agent = new Agent({ ca: live.caPem, keepAlive: true, maxSockets: 4 })
  return {
    close: () => agent.destroy(),
    call: <T>(method: 'GET' | 'POST', path: string, body?: unknown) =>
      new Promise<T>((resolve, reject) => {
        const outgoing = request(
          new URL(path, live.url),
          {
            method,
            agent,
            signal,
            timeout: timeoutMs,
            headers: {
              authorization: `Bearer ${live.token}`,
              accept: 'application/json',
              ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            },
          },
          (reply) => {
            let text = ''
            reply.setEncoding('utf8')
            reply.on('data', (chunk: string) => {
              text += chunk
              if (text.length > maxReplyBytes) outgoing.destroy(new Error('The reply is too large'))
            })
            reply.on('error', reject)
            reply.on('end', () => {
              const status = reply.statusCode ?? 0
              if (status >= 200 && status < 300) resolve(parse(text) as T)
              else reject(new Error(`${method} ${path} answered ${status}: ${messageOf(text)}`))
            })
          },
        )
        outgoing.on('timeout', () =>
          outgoing.destroy(new Error(`It did not answer within ${timeoutMs / 1000} s`)),
        )
        outgoing.on('error', reject)
        outgoing.end(body === undefined ? undefined : JSON.stringify(body))
      }),
  }
}

// The one place where replies of a cluster take the type that the caller expects of that path.
function parse(text: string): unknown {
  return text === '' ? null : JSON.parse(text)
}

function messageOf(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed) return String(parsed.message)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return text.slice(0, 200)
}
