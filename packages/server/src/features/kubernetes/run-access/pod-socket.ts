import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'

import type { WebSocket } from 'ws'

import { ConnectionProblem } from '../../../platform/outbound/connection-problem.ts'
import { type ClusterAgents, readBody, whyUnreachable } from '../connection/cluster-agents.ts'
import { ownCredentials } from '../connection/own-credentials.ts'
import type { ClusterConnection } from '../connection/ports.ts'
import { statusMessage } from './status-message.ts'

/** Each frame begins with the number of its channel; kubelets of all versions speak it. */
const protocol = 'v4.channel.k8s.io'
const maxErrorBytes = 64 * 1024

type Asked = {
  namespace: string
  pod: string
  /** A subresource of the pod with its query: `portforward?ports=5432`. */
  subresource: string
  /** Sent beside Bey's own credentials. */
  headers?: OutgoingHttpHeaders | false
  /** Sentences for a refusal: of the rights, and of anything else, which is given as the cluster says it. */
  forbidden: string
  refused: (said: string) => string
}

/**
 * Opens a socket to a pod through the API of its cluster and answers `wrap` of it, called before its first message. Rejects
 * with a ConnectionProblem that says in a sentence what is in the way.
 */
export function openPodSocket<Stream>(
  agents: Pick<ClusterAgents, 'openSocket'>,
  connection: ClusterConnection,
  asked: Asked,
  wrap: (socket: WebSocket) => Stream,
): Promise<Stream> {
  const { namespace, pod, subresource, headers } = asked
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/${subresource}`
  const socket = agents.openSocket(connection, path, protocol, {
    ...ownCredentials(connection),
    ...headers,
    'user-agent': 'bey',
  })
  return new Promise((resolve, reject) => {
    socket.once('unexpected-response', (_request, answer) => {
      refusalText(answer, asked)
        .then((text) => reject(new ConnectionProblem(text)), reject)
        .finally(() => {
          socket.on('error', () => undefined)
          socket.terminate()
        })
    })
    socket.once('error', (error) => reject(lostConnection(whyUnreachable(error), error)))
    // Messages may follow at once, so they are read from now on.
    socket.once('open', () => resolve(wrap(socket)))
  })
}

async function refusalText(answer: IncomingMessage, { pod, forbidden, refused }: Asked): Promise<string> {
  const { statusCode = 0 } = answer
  if (statusCode === 404) return `The pod "${pod}" is gone.`
  if (statusCode === 401 || statusCode === 403) return forbidden
  const text = (await readBody(answer, maxErrorBytes)).toString('utf8')
  return refused(statusMessage(text) ?? `it answered ${statusCode}`)
}

/** The problem of a connection to a cluster that was lost, with its reason. */
export function lostConnection(why: string, cause?: Error): ConnectionProblem {
  return new ConnectionProblem(`The cluster does not answer: ${why}.`, { cause })
}
