import type { IncomingMessage } from 'node:http'
import { readBody, whyUnreachable } from '../connection/cluster-agents.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import type { KubeClient } from '../watch/kube-client.ts'
import { missingRight } from './log-target.ts'

export type ContainerLogAddress = { namespace: string; pod: string; container: string }

export type LogQuery = {
  follow: boolean
  previous: boolean
  /** RFC 3339. The cluster goes by whole seconds. */
  sinceTime?: string | undefined
  tail?: number | undefined
}

/** Why a log cannot be read: not yet, never, not any more, or for want of a connection. */
export type LogRefusal = {
  code: 'waiting' | 'forbidden' | 'gone' | 'unreachable' | 'failed'
  message: string
}

const maxRefusalBytes = 64 * 1024

/** Opens a container's log. Never throws: a refusal says why in words. */
export async function openContainerLog(
  client: KubeClient,
  connect: () => Promise<ClusterConnection>,
  address: ContainerLogAddress,
  query: LogQuery,
  signal: AbortSignal,
): Promise<IncomingMessage | LogRefusal> {
  try {
    const answer = await client.open(await connect(), logPath(address, query), signal)
    if (answer.statusCode === 200) {
      answer.socket.setKeepAlive(true, 15_000)
      return answer
    }
    const body = await readBody(answer, maxRefusalBytes)
    return refusal(answer.statusCode ?? 0, statusMessage(body), address)
  } catch (error) {
    return {
      code: 'unreachable',
      message: `The log of ${address.pod} cannot be read at the moment: ${whyUnreachable(error)}.`,
    }
  }
}

function logPath({ namespace, pod, container }: ContainerLogAddress, query: LogQuery): string {
  const search = new URLSearchParams({ container, timestamps: 'true' })
  if (query.follow) search.set('follow', 'true')
  if (query.previous) search.set('previous', 'true')
  if (query.sinceTime !== undefined) search.set('sinceTime', `${query.sinceTime.slice(0, 19)}Z`)
  if (query.tail !== undefined) search.set('tailLines', String(query.tail))
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log`
  return `${path}?${search.toString()}`
}

function refusal(status: number, message: string, { namespace, pod }: ContainerLogAddress): LogRefusal {
  if (status === 400) return { code: 'waiting', message }
  if (status === 404) return { code: 'gone', message }
  if (status === 403) return { code: 'forbidden', message: missingRight('get', 'pods/log', namespace) }
  const why = message || `it answered with status ${status}`
  return { code: 'failed', message: `The cluster does not give the log of ${pod}: ${why}.` }
}

/** The sentence of a Status object, or the text of what is none. */
function statusMessage(body: Buffer): string {
  const text = body.toString('utf8')
  try {
    const { message } = JSON.parse(text) as { message?: unknown }
    if (typeof message === 'string') return message
  } catch {
    // Not JSON: a proxy in between answers in its own words.
  }
  return text.slice(0, 300)
}
