import type { Clock } from '../clock.ts'
import { loadServerKey } from '../crypto/server-seal.ts'
import type { RootKey } from '../crypto/root-key.ts'
import { uuidv7 } from '../crypto/uuid.ts'
import type { Database } from '../db/database.ts'
import { ConfigError } from '../errors.ts'
import type { Log } from '../log.ts'
import { formatPeerAddress, parsePeerAddress, type PeerAddress } from './peer-address.ts'
import { connectPeer, type PeerConnection, type StreamEnd, type StreamHandlers } from './peer-connection.ts'
import { beat, leave, type PeerRow } from './peer-rows.ts'
import { type ServeStream, startPeerServer } from './peer-server.ts'

/** The other processes of this installation, as far as they can be reached. */
export type Peers = {
  /** Of this process, new at each boot. */
  id: string
  /**
   * Answers the streams that peers open, and joins the peers: they know of this process from now on. Resolves when it was
   * announced.
   */
  join(serve: ServeStream): Promise<void>
  /** Resolves when the peers that were there when it joined are connected, or found not to be reached. */
  ready(): Promise<void>
  /** Ids of the peers that answer now. */
  connected(): ReadonlySet<string>
  /** Calls back when that changes; returns the way to stop. */
  onChange(callback: () => void): () => void
  /** Opens a stream at a peer. Rejects with what a handler throws. */
  open(peerId: string, request: unknown, on: StreamHandlers, signal: AbortSignal): Promise<StreamEnd>
  /** `unreachable`: peers that live, as the database says, and have not been connected for 5 s. */
  figures(): { connected: number; unreachable: number; served: number }
  stop(): Promise<void>
}

type Options = {
  database: Pick<Database, 'asSystem'>
  rootKey: RootKey
  address: PeerAddress
  clock: Clock
  log: Log
}

const beatPeriodMs = 1_000
const retryMs = 2_000
/** One that has just died still has a fresh heartbeat: it counts as unreachable after this time. */
const unreachableAfterMs = 5_000

type Known = {
  address: string
  connection: PeerConnection
  state: 'connecting' | 'open' | 'lost'
  /** When it is tried again, on the monotonic clock. */
  retryAtMs: number
  isFresh: boolean
  /** Since when it is not connected, on the monotonic clock. */
  failingSinceMs: number
}

/**
 * Listens for the other processes of this installation and, once it joins, connects to each of them, as the table `peers` names
 * them. Throws ConfigError where the address cannot be listened at.
 */
export async function openPeers({ database, rootKey, address, clock, log }: Options): Promise<Peers> {
  const id = uuidv7()
  const key = await loadServerKey(database, rootKey, 'peer-channel')
  const known = new Map<string, Known>()
  const listeners = new Set<() => void>()
  const ready = Promise.withResolvers<void>()
  let serve: ServeStream = async () => null
  let connected: ReadonlySet<string> = new Set()
  let isStopped = false
  let hasLooked = false
  let stopTimer = () => undefined as void

  const server = await startPeerServer({
    id,
    ...address,
    key,
    serve: (...args) => serve(...args),
    clock,
    log,
  }).catch((error: unknown) => {
    throw new ConfigError(
      `BEY_PEER_ADDRESS is ${formatPeerAddress(address)}, where this process cannot listen (${error instanceof Error ? error.message : 'no reason given'}). Set BEY_PEER_ADDRESS to an address of this machine, at which its other processes reach it, and a free port.`,
      { cause: error },
    )
  })
  const ownAddress = formatPeerAddress({ ...address, port: server.port })

  function changed(): void {
    connected = new Set([...known].filter(([, { state }]) => state === 'open').map(([peerId]) => peerId))
    if (hasLooked && [...known.values()].every(({ state }) => state !== 'connecting')) ready.resolve()
    for (const callback of listeners) callback()
  }

  function connectTo({ id: peerId, address: peerAddress, isFresh }: PeerRow): void {
    const target = parsePeerAddress(peerAddress)
    if (!target) return
    const entry: Known = {
      address: peerAddress,
      state: 'connecting',
      retryAtMs: 0,
      isFresh,
      failingSinceMs: known.get(peerId)?.failingSinceMs ?? clock.monotonicMs(),
      connection: connectPeer({
        ownId: id,
        peerId,
        address: target,
        key,
        clock,
        onOpen() {
          entry.state = 'open'
          log.debug({ peerId, address: peerAddress }, 'A peer is connected')
          changed()
        },
        onLost(reason) {
          if (entry.state === 'open') entry.failingSinceMs = clock.monotonicMs()
          entry.state = 'lost'
          entry.retryAtMs = clock.monotonicMs() + retryMs
          log.debug({ peerId, address: peerAddress, err: reason }, 'A peer is not connected')
          changed()
        },
      }),
    }
    known.set(peerId, entry)
  }

  function take(rows: readonly PeerRow[]): void {
    const living = new Map(rows.map((row) => [row.id, row]))
    for (const [peerId, entry] of known) {
      entry.isFresh = living.get(peerId)?.isFresh === true
      // The connection itself says whether a peer lives, also one that cannot reach the database.
      if (!living.has(peerId) && entry.state === 'lost') known.delete(peerId)
    }
    for (const row of rows) {
      const entry = known.get(row.id)
      if (!entry || (entry.state === 'lost' && clock.monotonicMs() >= entry.retryAtMs)) connectTo(row)
    }
  }

  const unreachable = () =>
    [...known.values()].filter(
      ({ state, isFresh, failingSinceMs }) =>
        isFresh && state !== 'open' && clock.monotonicMs() - failingSinceMs >= unreachableAfterMs,
    )

  async function look(): Promise<void> {
    try {
      const own = { id, address: ownAddress, unreachable: unreachable().map((each) => each.address) }
      const rows = await database.asSystem('find the processes that share watches', (db) => beat(db, own))
      if (isStopped) return
      take(rows)
      if (!hasLooked) {
        hasLooked = true
        changed()
      }
    } catch (error) {
      // Whoever is connected stays connected.
      log.debug({ err: error }, 'The heartbeat among peers failed')
    }
    if (!isStopped) stopTimer = clock.setTimeout(() => void look(), beatPeriodMs)
  }

  return {
    id,
    join(next) {
      serve = next
      return look()
    },
    ready: () => ready.promise,
    connected: () => connected,
    onChange(callback) {
      listeners.add(callback)
      return () => void listeners.delete(callback)
    },
    open: (peerId, request, on, signal) =>
      known.get(peerId)?.connection.open(request, on, signal) ?? Promise.resolve({ kind: 'lost' }),
    figures: () => ({
      connected: connected.size,
      unreachable: unreachable().length,
      served: server.streams(),
    }),
    async stop() {
      isStopped = true
      stopTimer()
      ready.resolve()
      await database
        .asSystem('leave the processes that share watches', (db) => leave(db, id))
        .catch((error: unknown) => log.debug({ err: error }, 'The row of this peer stays'))
      for (const { connection } of known.values()) connection.close()
      await server.stop()
    },
  }
}
