import type { IncomingMessage } from 'node:http'
import type { KubeAnswer, KubeRequest } from '../../../platform/clusters/open-cluster.ts'
import { type ClusterAgents, readBody, tookTooLong, whyUnreachable } from './cluster-agents.ts'
import { ownCredentials } from './own-credentials.ts'
import type { ClusterConnection } from './ports.ts'

const timeoutMs = 15_000
const maxAnswerBytes = 8 * 1024 * 1024

/** Sends single requests in Bey's own name. Throws an Error that says in words why a cluster did not answer. */
export function createKubeSender(agents: ClusterAgents) {
  return async function send(
    connection: ClusterConnection,
    { method, path, body, contentType = 'application/json' }: KubeRequest,
  ): Promise<KubeAnswer> {
    const sent = body === undefined ? undefined : JSON.stringify(body)
    // Of a DELETE Node does not say by itself that a body follows.
    const about = sent && { 'content-type': contentType, 'content-length': Buffer.byteLength(sent) }
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        const request = agents.open(connection, method, path, {
          accept: 'application/json',
          ...ownCredentials(connection),
          'user-agent': 'bey',
          ...about,
        })
        const timer = setTimeout(() => request.destroy(tookTooLong()), timeoutMs)
        request.on('response', (response) => {
          clearTimeout(timer)
          resolve(response)
        })
        request.on('error', reject)
        request.on('close', () => clearTimeout(timer))
        request.end(sent)
      })
      answer.setTimeout(timeoutMs, () => answer.destroy(tookTooLong()))
      const text = (await readBody(answer, maxAnswerBytes)).toString('utf8')
      return { status: answer.statusCode ?? 0, body: text === '' ? null : (JSON.parse(text) as unknown) }
    } catch (cause) {
      throw new Error(`The cluster does not answer: ${whyUnreachable(cause)}.`, { cause })
    }
  }
}

export type KubeSender = ReturnType<typeof createKubeSender>
