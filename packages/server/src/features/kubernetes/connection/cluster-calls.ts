import type { ClusterAgents } from './cluster-agents.ts'
import { readBody, tookTooLong } from './cluster-agents.ts'
import { type Identity, identityHeaders } from './identity.ts'
import { ownCredentials } from './own-credentials.ts'
import type { ClusterConnection } from './ports.ts'

/** What a cluster answered to one request. */
export type ClusterAnswer = { status: number; body: ClusterBody }

/** What is read of answers; everything is optional, for a cluster may answer anything. */
type ClusterBody = {
  reason?: string
  message?: string
  details?: { retryAfterSeconds?: number; causes?: { message?: string }[] }
  status?: { allowed?: boolean; reason?: string } | string
  metadata?: { uid?: string; continue?: string; labels?: Record<string, string> }
  spec?: { unschedulable?: boolean }
  items?: unknown[]
}

/** Sends requests to one cluster in somebody's name, so that its own RBAC decides. */
export type ClusterCalls = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  options?: { body?: unknown; contentType?: string; signal?: AbortSignal },
) => Promise<ClusterAnswer>

const timeoutMs = 15_000
const maxAnswerBytes = 64 * 1024 * 1024

/** Rejects with the system's error where the cluster does not answer; `whyUnreachable` tells it in words. */
export function clusterCallsAs(
  agents: ClusterAgents,
  connection: ClusterConnection,
  identity: Identity,
): ClusterCalls {
  return (method, path, { body, contentType = 'application/json', signal } = {}) =>
    new Promise((resolve, reject) => {
      const sent = body === undefined ? undefined : JSON.stringify(body)
      const request = agents.open(connection, method, path, {
        ...ownCredentials(connection),
        ...(connection.impersonate && identityHeaders(identity)),
        accept: 'application/json',
        'user-agent': 'bey',
        ...(sent !== undefined && {
          'content-type': contentType,
          'content-length': Buffer.byteLength(sent),
        }),
      })
      const abort = () => request.destroy(new Error('No longer wanted'))
      signal?.addEventListener('abort', abort, { once: true })
      request.on('close', () => signal?.removeEventListener('abort', abort))
      request.setTimeout(timeoutMs, () => request.destroy(tookTooLong()))
      request.on('error', reject)
      request.on('response', (answer) => {
        readBody(answer, maxAnswerBytes)
          .then((bytes) => resolve({ status: answer.statusCode ?? 0, body: parsed(bytes) }))
          .catch(reject)
      })
      if (signal?.aborted) abort()
      request.end(sent)
    })
}

function parsed(bytes: Buffer): ClusterBody {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

/** The cluster's reason in one line: its message and the causes that explain it. */
export function reasonOf({ status, body }: ClusterAnswer): string {
  const causes = body.details?.causes?.flatMap(({ message }) => (message ? [message] : [])) ?? []
  return [body.message ?? `it answered ${status}`, ...causes].join(' ')
}
