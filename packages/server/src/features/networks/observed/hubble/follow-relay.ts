import type { ClientHttp2Session } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { Clock } from '../../../../platform/clock.ts'
import { ConnectionProblem } from '../../../../platform/outbound/connection-problem.ts'
import { FlowCounts } from './flow-counts.ts'
import { callStream, openSession } from './grpc-stream.ts'
import { flowsRequest, readFlowsReply } from './observer-messages.ts'

type Pod = { namespace: string; pod: string; port: number }

/** Connects to a port of a pod through the API of its cluster. Throws ConnectionProblem with a sentence. */
export type OpenPort = (
  organizationId: number,
  clusterId: number,
  target: Pod & { program: string },
) => Promise<Duplex>

export type Following = {
  counts: FlowCounts
  /** Nodes that the relay cannot ask. */
  awayNodes: Set<string>
  /** Events that Hubble says were lost. */
  lost: number
  /** When the relay last sent more in a second than is counted, on the clock that never steps. */
  behindAtMs: number | undefined
  hasAnswered: boolean
  /** Why the relay is not followed now, as a sentence, and since when on the clock that never steps. */
  problem: string | undefined
  endedAtMs: number | undefined
  /** Resolves once the relay has listed what it remembers, or cannot be read. */
  started: Promise<void>
  restart(pods: readonly Pod[]): void
  stop(): void
}

const method = '/observer.Observer/GetFlows'
/** Flows that the relay is asked for from before the first question. */
const remembered = 4_000
/** A relay that lists more than it was asked for, flows and notices about nodes, is read no further. */
const mostListed = 2 * remembered
/** More flows in a second are left to the relay, which forgets its oldest ones. */
export const mostFlowsPerSecond = 5_000
/** Pods of the relay that are asked in one go, and how long each has to list what it remembers. */
const mostPods = 3
const answerMs = 10_000
const mostNodes = 5_000

/** Adds up what a relay remembers and what it reports from now on, until stopped or lost. */
export function followRelay(
  { openPort, clock }: { openPort: OpenPort; clock: Pick<Clock, 'monotonicMs' | 'setTimeout'> },
  organizationId: number,
  clusterId: number,
  pods: readonly Pod[],
): Following {
  let session: ClientHttp2Session | undefined
  let isStopped = false
  const following: Following = {
    counts: new FlowCounts(),
    awayNodes: new Set(),
    lost: 0,
    behindAtMs: undefined,
    hasAnswered: false,
    problem: undefined,
    endedAtMs: undefined,
    started: Promise.resolve(),
    restart: (others) => void begin(others),
    stop() {
      isStopped = true
      session?.destroy()
    },
  }

  /** Asks one pod after the other until one answers. */
  async function begin(candidates: readonly Pod[]): Promise<void> {
    following.endedAtMs = undefined
    const started = Promise.withResolvers<void>()
    following.started = started.promise
    for (const pod of candidates.slice(0, mostPods)) {
      // oxlint-disable-next-line no-await-in-loop -- the next one is asked only where this one does not answer
      const hasAnswered = await follow(pod, started.resolve)
      if (hasAnswered || isStopped) break
    }
    following.endedAtMs = clock.monotonicMs()
    started.resolve()
  }

  /** Follows the relay in one pod until it is lost. Answers whether it listed what it remembers. */
  async function follow(pod: Pod, onListed: () => void): Promise<boolean> {
    let hasListed = false
    const silence = Promise.withResolvers<never>()
    const cancel = clock.setTimeout(() => {
      if (!hasListed) silence.reject(new ConnectionProblem(`Hubble Relay in ${pod.pod} does not answer.`))
    }, answerMs)
    const opening = openPort(organizationId, clusterId, { ...pod, program: 'Hubble Relay' })
    try {
      const connection = await Promise.race([opening, silence.promise])
      const opened = openSession(connection)
      session = opened
      if (isStopped) opened.destroy()
      // Followed first, so that nothing is missed between both; what both report is counted once.
      const followed = take(callStream(opened, method, flowsRequest({ follow: true })))
      const listed = take(callStream(opened, method, flowsRequest({ newest: remembered })), mostListed).then(
        () => {
          hasListed = true
          following.hasAnswered = true
          following.problem = undefined
          onListed()
        },
      )
      await Promise.race([Promise.all([followed, listed]), silence.promise])
      throw new ConnectionProblem('Hubble Relay ended the connection.')
    } catch (error) {
      if (!(error instanceof ConnectionProblem) && !isStopped) following.problem = unreadable(error)
      else if (error instanceof ConnectionProblem) following.problem = error.message
    } finally {
      cancel()
      session?.destroy()
      // One that is opened too late is closed as well.
      opening.then(
        (connection) => connection.destroy(),
        () => undefined,
      )
    }
    return hasListed
  }

  /** Counts the replies of a call, up to so many; the relay waits while more come in a second than are counted. */
  async function take(replies: AsyncIterable<Uint8Array>, most = Number.POSITIVE_INFINITY): Promise<void> {
    let [second, taken, total] = [clock.monotonicMs(), 0, 0]
    for await (const bytes of replies) {
      const reply = readFlowsReply(bytes)
      if (reply.kind === 'flow') following.counts.add(reply.flow)
      else if (reply.kind === 'lost') following.lost += reply.count
      else if (reply.kind === 'nodes') {
        for (const name of reply.names)
          if (!reply.isAway) following.awayNodes.delete(name)
          else if (following.awayNodes.size < mostNodes) following.awayNodes.add(name)
      }
      taken += 1
      total += 1
      if (total >= most) return
      if (taken < mostFlowsPerSecond) continue
      const restMs = second + 1_000 - clock.monotonicMs()
      if (restMs > 0) {
        following.behindAtMs = clock.monotonicMs()
        await new Promise<void>((resolve) => clock.setTimeout(resolve, restMs))
      }
      ;[second, taken] = [clock.monotonicMs(), 0]
    }
  }

  void begin(pods)
  return following
}

const unreadable = (error: unknown): string =>
  `Hubble Relay cannot be read: ${error instanceof Error ? error.message : String(error)}.`
