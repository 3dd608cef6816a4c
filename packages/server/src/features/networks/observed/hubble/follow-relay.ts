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
/** More flows in a second are left to the relay, which forgets its oldest ones. */
const mostFlowsPerSecond = 5_000

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

  async function begin([pod]: readonly Pod[]): Promise<void> {
    if (pod === undefined) return
    following.endedAtMs = undefined
    const started = Promise.withResolvers<void>()
    following.started = started.promise
    try {
      const connection = await openPort(organizationId, clusterId, { ...pod, program: 'Hubble Relay' })
      const opened = openSession(connection)
      session = opened
      if (isStopped) opened.destroy()
      // Followed first, so that nothing is missed between both; what both report is counted once.
      const followed = take(callStream(opened, method, flowsRequest({ follow: true })))
      const listed = take(callStream(opened, method, flowsRequest({ newest: remembered }))).then(() => {
        following.hasAnswered = true
        following.problem = undefined
        started.resolve()
      })
      await Promise.all([followed, listed])
      throw new ConnectionProblem('Hubble Relay ended the connection.')
    } catch (error) {
      if (!(error instanceof ConnectionProblem) && !isStopped) following.problem = unreadable(error)
      else if (error instanceof ConnectionProblem) following.problem = error.message
      following.endedAtMs = clock.monotonicMs()
      session?.destroy()
      started.resolve()
    }
  }

  /** Counts the replies of a call; the relay waits while more come in a second than are counted. */
  async function take(replies: AsyncIterable<Uint8Array>): Promise<void> {
    let [second, taken] = [clock.monotonicMs(), 0]
    for await (const bytes of replies) {
      const reply = readFlowsReply(bytes)
      if (reply.kind === 'flow') following.counts.add(reply.flow)
      else if (reply.kind === 'lost') following.lost += reply.count
      else if (reply.kind === 'nodes') {
        for (const name of reply.names)
          if (reply.isAway) following.awayNodes.add(name)
          else following.awayNodes.delete(name)
      }
      taken += 1
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
