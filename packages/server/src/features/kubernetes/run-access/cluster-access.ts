import type { Role } from '@bey/contract'

import type { Clock } from '../../../platform/clock.ts'
import { AppError } from '../../../platform/errors.ts'
import { StepFailure } from '../../../platform/engine/step-failure.ts'
import type { ClusterApi, KubernetesAccess } from '../../workflows/steps/ports.ts'
import type { ClusterAgents } from '../connection/cluster-agents.ts'
import { whyUnreachable } from '../connection/cluster-agents.ts'
import { clusterCallsAs } from '../connection/cluster-calls.ts'
import { identityHeaders } from '../connection/identity.ts'
import { ownCredentials } from '../connection/own-credentials.ts'
import type { ClusterConnection, Connect } from '../connection/ports.ts'
import { ownIdentity } from '../proxy/impersonation.ts'
import { drainNode } from './drain-node.ts'

type Options = { connect: Connect; agents: ClusterAgents; clock: Clock }

/** Lets steps of workflows speak to clusters in the name of the person who started the run, so that RBAC decides. */
export function createClusterAccess({ connect, agents, clock }: Options): KubernetesAccess {
  return {
    async open(organizationId, clusterId, actor) {
      const connection = await connect(organizationId, clusterId).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error
        throw new StepFailure(error.message, { cause: error })
      })
      return clusterApi({ agents, clock, connection, actor })
    },
  }
}

type Opened = {
  agents: ClusterAgents
  clock: Clock
  connection: ClusterConnection
  actor: { email: string; role: Role }
}

function clusterApi({ agents, clock, connection, actor }: Opened): ClusterApi {
  const identity = ownIdentity(actor)
  const call = clusterCallsAs(agents, connection, identity)
  return {
    async call(method, path, options = {}) {
      try {
        const { status, body } = await call(method, path, options)
        return { status, body }
      } catch (error) {
        throw failed(error, options.signal)
      }
    },
    async *lines(path, signal) {
      const request = agents.open(connection, 'GET', path, {
        ...ownCredentials(connection),
        ...(connection.impersonate && identityHeaders(identity)),
        'user-agent': 'bey',
      })
      const abort = () => request.destroy(new Error('No longer wanted'))
      signal.addEventListener('abort', abort, { once: true })
      try {
        yield* linesOf(await answerOf(request))
      } catch (error) {
        throw failed(error, signal)
      } finally {
        signal.removeEventListener('abort', abort)
        request.destroy()
      }
    },
    drainNode: (context, drain) => drainNode(call, clock, context, drain),
  }
}

function failed(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason
  return new StepFailure(`The cluster does not answer: ${whyUnreachable(error)}.`, {
    cause: error,
    reason: 'network',
  })
}

type Request = ReturnType<ClusterAgents['open']>
type Answer = AsyncIterable<Buffer>

function answerOf(request: Request): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request.on('error', reject)
    request.on('response', (answer) => {
      if (answer.statusCode === 200) return resolve(answer)
      answer.resume()
      // A container that has not begun has no log yet; anyone who asks tries again.
      resolve(nothing())
    })
    request.end()
  })
}

async function* nothing(): AsyncIterable<Buffer> {}

/** What follows in a longer line is left out, so that a program that prints no line break takes no memory. */
const maxLineCharacters = 16_384

async function* linesOf(answer: Answer): AsyncIterable<string> {
  let line = ''
  const decoder = new TextDecoder()
  for await (const chunk of answer) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    line += first.slice(0, maxLineCharacters - line.length)
    for (const next of others) {
      yield line
      line = next.slice(0, maxLineCharacters)
    }
  }
  if (line !== '') yield line
}
