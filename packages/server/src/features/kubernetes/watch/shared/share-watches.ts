import { z } from 'zod'

import type { Clock } from '../../../../platform/clock.ts'
import type { Database } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log.ts'
import type { Peers } from '../../../../platform/peers/peers.ts'
import type { ClusterConnection, Connect } from '../../connection/ports.ts'
import {
  type KubeClient,
  KubeError,
  parseWatchEvent,
  reasonOf,
  SilentWatch,
  splitWatchPath,
  type WatchHandlers,
} from '../kube-client.ts'
import { createWatchHub } from './watch-hub.ts'
import { createWatchOwners } from './watch-owners.ts'

/**
 * Watches that this process reads at API servers and from peers, and those that it passes on to peers; peers that are
 * connected, and those that live and cannot be reached.
 */
export type SharedWatchFigures = {
  fromClusters: number
  fromPeers: number
  toPeers: number
  connectedPeers: number
  unreachablePeers: number
}

export type WatchSharing = {
  /** Reads a cluster as `client` does, but its watches through the process that watches it for all. */
  clientOf(cluster: { id: number; organizationId: number }): KubeClient
  figures(): SharedWatchFigures
  stop(): void
}

type Options = {
  client: KubeClient
  connect: Connect
  peers: Peers
  database: Pick<Database, 'asSystem'>
  clock: Clock
  log: Log
}

/** What a process asks of the owner of a cluster. */
const watchRequest = z.object({
  organizationId: z.number().int(),
  clusterId: z.number().int(),
  path: z.string().max(16_384),
  accept: z.string().max(200),
})

/** How a watch ended at its owner. */
const watchOutcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ended') }),
  z.object({ kind: z.literal('refused'), status: z.number().int() }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
])
type WatchOutcome = z.infer<typeof watchOutcome>

const ended: WatchOutcome = { kind: 'ended' }
const gone = 410
/** How long a process watches for itself what an owner failed with. */
const ownMs = 60_000

/**
 * Shares the watches of clusters among processes: one process watches a cluster, and the others read its events from there.
 * Lists, and whether a cluster answers, each process asks of the cluster itself.
 */
export function shareWatches({ client, connect, peers, database, clock, log }: Options): WatchSharing {
  const hub = createWatchHub(client)
  /** Every watch that is read here, with the owner at which it began. */
  const reading = new Set<{ clusterId: number; key: string; owner: string; move: AbortController }>()
  /** Watches that this process reads for itself until a time of the monotonic clock: their owner failed with them. */
  const ownUntilMs = new Map<string, number>()
  const owners = createWatchOwners({
    peers,
    database,
    clock,
    log,
    inUse: () => [...new Set([...reading].map(({ clusterId }) => clusterId))],
    onChange() {
      const nowMs = clock.monotonicMs()
      for (const [key, untilMs] of ownUntilMs) if (untilMs <= nowMs) ownUntilMs.delete(key)
      const known = new Map<number, string>()
      for (const { clusterId, key, owner, move } of reading) {
        const now = known.get(clusterId) ?? owners.current(clusterId)
        known.set(clusterId, now)
        if (owner !== (ownUntilMs.has(key) ? peers.id : now)) move.abort()
      }
    },
  })

  void peers.join(async (asked, signal, { begin, line }): Promise<WatchOutcome> => {
    const request = watchRequest.safeParse(asked)
    if (!request.success || !splitWatchPath(request.data.path))
      return { kind: 'failed', reason: 'it is asked for no watch' }
    const { organizationId, clusterId, path, accept } = request.data
    try {
      const connection = await connect(organizationId, clusterId)
      const on = { accept, open: begin, event: (_event: unknown, text: string) => line(text) }
      await hub.watch({ clusterId, connection, path }, signal, on)
      return ended
    } catch (error) {
      // A silent watch begins again, wherever it is read.
      if (error instanceof SilentWatch) return ended
      if (error instanceof KubeError) return { kind: 'refused', status: error.status }
      return { kind: 'failed', reason: reasonOf(error) }
    }
  })

  /** Resolves where the reader shall begin again from the version that it has reached, perhaps at another owner. */
  async function follow(
    { owner, key }: { owner: string; key: string },
    request: z.infer<typeof watchRequest>,
    signal: AbortSignal,
    on: WatchHandlers,
  ): Promise<void> {
    const line = (text: string) => on.event(parseWatchEvent(text), text)
    const end = await peers.open(owner, request, { begin: on.open, line }, signal)
    if (end.kind !== 'ended') return
    const outcome = watchOutcome.safeParse(end.outcome).data
    if (outcome?.kind === 'ended') return
    if (outcome?.kind === 'refused' && outcome.status === gone) throw new KubeError(gone)
    // The owner may not reach what this process reaches: its own attempt tells.
    log.debug({ clusterId: request.clusterId, owner, outcome }, 'A cluster is watched without its owner')
    ownUntilMs.set(key, clock.monotonicMs() + ownMs)
  }

  async function watch(
    { id: clusterId, organizationId }: { id: number; organizationId: number },
    { connection, path }: { connection: ClusterConnection; path: string },
    signal: AbortSignal,
    on: WatchHandlers,
  ): Promise<void> {
    const key = `${clusterId} ${splitWatchPath(path)?.path}`
    const found = await owners.find(clusterId)
    const owner = ownUntilMs.has(key) ? peers.id : found
    const each = { clusterId, key, owner, move: new AbortController() }
    const until = AbortSignal.any([signal, each.move.signal])
    reading.add(each)
    try {
      if (owner === peers.id) await hub.watch({ clusterId, connection, path }, until, on)
      else await follow(each, { organizationId, clusterId, path, accept: on.accept }, until, on)
    } finally {
      reading.delete(each)
    }
  }

  return {
    clientOf: (cluster) => ({
      ...client,
      watch: (connection, path, signal, on) => watch(cluster, { connection, path }, signal, on),
    }),
    figures() {
      const { connected, unreachable, served } = peers.figures()
      return {
        fromClusters: hub.size(),
        fromPeers: [...reading].filter(({ owner }) => owner !== peers.id).length,
        toPeers: served,
        connectedPeers: connected,
        unreachablePeers: unreachable,
      }
    },
    stop: owners.stop,
  }
}
