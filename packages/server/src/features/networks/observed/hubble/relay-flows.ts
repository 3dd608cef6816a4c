import type { Clock } from '../../../../platform/clock.ts'
import type { ClusterSnapshot } from '@bey/contract/reachability/snapshot'
import type { FlowLog, FlowSource } from '../flow-log.ts'
import { findRelay } from './find-relay.ts'
import { followRelay, type Following, mostFlowsPerSecond, type OpenPort } from './follow-relay.ts'

export type RelayNeeds = {
  openPort: OpenPort
  clock: Pick<Clock, 'now' | 'monotonicMs' | 'setInterval' | 'setTimeout'>
}

/** How long a relay is followed after the last question about its cluster. */
const idleMs = 5 * 60_000
const sweepMs = 30_000
/** How long the first question waits for what the relay remembers. */
const firstAnswerMs = 3_000
const retryMs = 5_000
/** How long it is said that the relay sends more than is counted. */
const behindMs = 10_000

/**
 * Connections that Hubble Relay of a cluster reports. It is followed from the first question on, through the API of the
 * cluster, and until some minutes after the last; what it reports is added up in memory.
 */
export function relayFlows({ openPort, clock }: RelayNeeds): FlowSource {
  const followed = new Map<number, { following: Following; askedAtMs: number; attempt: number }>()
  const stopSweeping = clock.setInterval(() => {
    for (const [clusterId, { following, askedAtMs }] of followed) {
      if (clock.monotonicMs() - askedAtMs < idleMs) continue
      following.stop()
      followed.delete(clusterId)
    }
  }, sweepMs)

  return {
    async read(organizationId, clusterId, snapshot) {
      const relay = findRelay(snapshot)
      const before = followed.get(clusterId)
      if (relay === undefined || 'problem' in relay) {
        before?.following.stop()
        followed.delete(clusterId)
        return relay && { source: null, reason: relay.problem }
      }
      const askedAtMs = clock.monotonicMs()
      if (before === undefined) {
        const following = followRelay({ openPort, clock }, organizationId, clusterId, relay.pods)
        followed.set(clusterId, { following, askedAtMs, attempt: 0 })
        await within(following.started, firstAnswerMs, clock)
        return logOf(following, snapshot, clock.monotonicMs())
      }
      before.askedAtMs = askedAtMs
      const { following } = before
      if (following.endedAtMs !== undefined && askedAtMs - following.endedAtMs > retryMs) {
        before.attempt += 1
        const { attempt } = before
        const turned = relay.pods.map((_, index) => relay.pods[(index + attempt) % relay.pods.length])
        following.restart(turned.filter((pod) => pod !== undefined))
      }
      return logOf(following, snapshot, askedAtMs)
    },
    stop() {
      stopSweeping()
      for (const { following } of followed.values()) following.stop()
      followed.clear()
    },
  }
}

/** Resolves with the work, or after a time at the latest. */
async function within(work: Promise<void>, ms: number, clock: Pick<Clock, 'setTimeout'>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const cancel = clock.setTimeout(late.resolve, ms)
  await Promise.race([work, late.promise])
  cancel()
}

function logOf(following: Following, snapshot: ClusterSnapshot, nowMs: number): FlowLog {
  const { counts, problem, lost, behindAtMs, hasAnswered } = following
  const isBehind = behindAtMs !== undefined && nowMs - behindAtMs < behindMs
  const flows = counts.list(snapshot)
  if (flows.length === 0 && problem !== undefined) return { source: null, reason: problem }
  if (!hasAnswered) return { source: null, reason: 'Hubble Relay has not answered yet.' }
  const away = [...following.awayNodes]
  const gaps = [
    problem && `${problem} Connections are those that were observed before.`,
    away.length > 0 && `Hubble hears nothing of ${listed(away)}.`,
    counts.forwarded > 0 &&
      counts.directed === 0 &&
      'This version of Hubble does not say which packets are replies, so connections that were let through are not counted.',
    isBehind &&
      `Hubble reports more than ${mostFlowsPerSecond.toLocaleString('en-US')} packets a second at the moment. Bey counts ${mostFlowsPerSecond.toLocaleString('en-US')} of them; connections are missing.`,
    lost > 0 && `Hubble lost ${lost} ${lost === 1 ? 'event' : 'events'}.`,
  ].filter((text) => typeof text === 'string')
  return {
    source: 'hubble',
    flows,
    sinceMs: counts.sinceMs,
    incomplete: gaps.length === 0 ? null : gaps.join(' '),
  }
}

const mostNamed = 3
function listed(names: readonly string[]): string {
  const shown = names.slice(0, mostNamed).join(', ')
  const nodes = names.length === 1 ? 'the node' : 'the nodes'
  return names.length > mostNamed
    ? `${nodes} ${shown} and ${names.length - mostNamed} more`
    : `${nodes} ${shown}`
}
