import type {
  AuthenticatedPayload,
  ClientFrame,
  Command,
  ControlFrame,
  EventFrame,
  LiveEventType,
  LivePosition,
  Subscription,
} from '@bey/contract'
import { isEventFrame, liveLimits, matchesPattern } from '@bey/contract'
import type { Clock } from '../clock.ts'
import { realClock } from '../clock.ts'
import { asError, createCommands } from './commands.ts'
import type { Credentials, LiveLog } from './connection.ts'
import { createConnection } from './connection.ts'
import type { Outcome } from './following.ts'
import type { GenericFrame, ReceivedFrame } from './frames.ts'
import { isControlFrame, withoutToken } from './frames.ts'
import { createHeartbeat } from './heartbeat.ts'
import { createListeners } from './listeners.ts'
import type { Pending } from './pending.ts'
import { createPending } from './pending.ts'
import type { OpenSocket } from './socket-port.ts'
import { openWebSocket } from './socket-port.ts'
import type { LiveState } from './state.ts'
import type { StateHolder } from './state-holder.ts'
import { createStateHolder } from './state-holder.ts'
import { liveTexts } from './texts.ts'
import type { LoggedMessage } from './traffic.ts'
import { createTraffic } from './traffic.ts'

export type LiveSocketOptions = {
  /** Address of `/ws`, `ws:` or `wss:`. */
  url: string
  openSocket?: OpenSocket | undefined
  clock?: Clock | undefined
  /** From 0 to 1, for the spread of retries. */
  random?: (() => number) | undefined
  log?: LiveLog | undefined
}

export type LiveSocket = {
  /** The same object until something changes. */
  readonly state: LiveState
  /** The newest 100 messages sent and received, oldest first. */
  readonly messages: readonly LoggedMessage[]
  /** Ignored while a socket is open or connecting, refused (and logged) without token or organization. */
  connect: (credentials: Credentials) => void
  /** Ends the connection and keeps the credentials for `reconnect`. */
  disconnect: () => void
  /** Ends the connection and forgets credentials, events and messages: for logging out. */
  forget: () => void
  /** Connects anew at once with the credentials it has. */
  reconnect: () => void
  /** Leaves, and connects with the other organization after 100 ms. Nothing of the old one is delivered any more. */
  switchOrganization: (organizationId: number) => void
  /** For whenever the connection may have died or come back unnoticed: page in front, network back, computer awake. */
  pageBecameVisible: () => void
  pageUnloads: () => void
  /** Milliseconds of a round trip. Rejects with 'Ping timeout' after 5 s, the connection being given up then. */
  ping: () => Promise<number>
  /** Sends a command. Rejects with a sentence of the error catalogue. */
  command: (command: Command) => Promise<void>
  /**
   * Follows something until released, over any number of reconnects; counted, so that several may follow the
   * same. `onResult` is called each time it took effect, or with an error when it was refused.
   */
  subscribe: (subscription: Subscription, onResult?: Outcome) => () => void
  /** Calls back for each message whose type is the pattern or matches its `*`; returns the way to stop. */
  on: {
    <T extends LiveEventType>(type: T, handler: (event: EventFrame<T>) => void): () => void
    (pattern: string, handler: (frame: ReceivedFrame) => void): () => void
  }
  /** Calls back when the connection changed; `messages`, `events` and `last_activity` alone do not count. */
  onState: (handler: (state: LiveState) => void) => () => void
  /** Calls back for each message sent or received. */
  onTraffic: (handler: () => void) => () => void
  /**
   * Calls back when something may have been missed: after every connect, once everything followed before is
   * followed again, and when the server says so. What is on screen must then be fetched, unless it was read at
   * `position` or later.
   */
  onRefetch: (handler: (reason: string, position: LivePosition | undefined) => void) => () => void
}

/** The live socket as a state machine: it knows neither page nor framework, and time only through `clock`. */
export function createLiveSocket(options: LiveSocketOptions): LiveSocket {
  const clock = options.clock ?? realClock
  const log: LiveLog = options.log ?? (() => {})
  const onError = (error: unknown) => log('error', 'A subscriber of the live socket failed', error)
  const onFailure = (error: unknown) => log('debug', asError(error).message)
  const stateListeners = createListeners<[LiveState]>(onError)
  const trafficListeners = createListeners<[]>(onError)
  const refetchListeners = createListeners<[string, LivePosition | undefined]>(onError)
  const frameListeners = createListeners<[GenericFrame]>(onError)
  const state = createStateHolder(clock, stateListeners.call)
  const pending = createPending(clock)
  const traffic = createTraffic(clock, liveLimits.messageLogKept)
  const isConnected = () => state.get().connection_status === 'connected'
  let frames = 0
  let connections = 0
  /** From here on everything that is followed has been sent. */
  let position: LivePosition | undefined
  const shared = { pending, nextId: () => String((frames += 1)), send, isConnected, onFailure }
  const commands = createCommands({ ...shared, onError })
  const heartbeat = createHeartbeat({
    ...shared,
    clock,
    onRoundTrip: (ping_time) => state.change({ details: { ping_time } }),
    onTimeout: () => connection.giveUp(liveTexts.pingTimeout),
  })

  const connection = createConnection({
    url: options.url,
    openSocket: options.openSocket ?? openWebSocket,
    clock,
    random: options.random ?? Math.random,
    log,
    state: state.get,
    change: state.change,
    note: state.note,
    onSent: (frame) => logTraffic('sent', withoutToken(frame)),
    onReceived: (frame) => logTraffic('received', frame),
    onControl: (frame) =>
      handleControl(frame, {
        state,
        pending,
        onPosition: (reached) => (position = reached),
        onRefetch: (reason) => refetchListeners.call(reason, undefined),
      }),
    onFrame,
    onConnected,
    onGone() {
      heartbeat.stop()
      commands.forgetResults()
      pending.rejectAll(liveTexts.connectionClosed)
    },
  })

  function send(frame: ClientFrame) {
    if (!connection.send(frame)) throw new Error(liveTexts.notConnected)
  }

  function logTraffic(type: LoggedMessage['type'], data: unknown) {
    traffic.add(type, data)
    if (type === 'received') state.recordActivity()
    trafficListeners.call()
  }

  function onFrame(frame: GenericFrame) {
    if (frame.organizationId !== undefined && frame.organizationId !== connection.organizationId()) {
      log('warning', 'An event of another organization was dropped', frame.type)
      return
    }
    if (isEventFrame(frame)) state.addEvent(frame)
    frameListeners.call(frame)
  }

  function onConnected(payload: AuthenticatedPayload) {
    position = payload.position
    heartbeat.start()
    connections += 1
    const mine = connections
    const refetch = () => refetchListeners.call('Connected', position)
    const followed = commands.followAgain()
    if (!followed) refetch()
    else void followed.then(() => (connections === mine && isConnected() ? refetch() : undefined))
  }

  return {
    get state() {
      return state.get()
    },
    get messages() {
      return traffic.list()
    },
    connect: connection.connect,
    disconnect: connection.disconnect,
    forget() {
      connection.forget()
      traffic.clear()
      state.reset()
    },
    reconnect: connection.reconnect,
    switchOrganization(organizationId) {
      traffic.clear()
      state.forgetEvents()
      connection.switchOrganization(organizationId)
    },
    pageBecameVisible() {
      connection.pageBecameVisible()
      heartbeat.checkNow()
    },
    pageUnloads: connection.pageUnloads,
    ping: heartbeat.ping,
    command: commands.command,
    subscribe: commands.subscribe,
    on: (pattern: string, handler: (frame: never) => void) => frameListeners.add(matching(pattern, handler)),
    onState: stateListeners.add,
    onTraffic: trafficListeners.add,
    onRefetch: refetchListeners.add,
  }
}

type ControlParts = {
  state: StateHolder
  pending: Pending
  onPosition: (position: LivePosition) => void
  onRefetch: (reason: string) => void
}

function handleControl(
  frame: Exclude<ControlFrame, { type: 'AUTHENTICATED' }>,
  { state, pending, onPosition, onRefetch }: ControlParts,
): void {
  switch (frame.type) {
    case 'CONNECTED':
      state.change({ id: frame.payload.connectionId })
      return
    case 'PONG':
      pending.resolve(frame.id, frame.payload)
      return
    case 'COMMAND_RESULT': {
      const { commandId, success, error, position } = frame.payload
      if (success && position !== undefined) onPosition(position)
      if (success) pending.resolve(commandId, undefined)
      else pending.reject(commandId, error ?? liveTexts.commandFailed)
      return
    }
    case 'SUBSCRIPTION_UPDATE':
      state.change({ subscriptions: frame.payload.subscriptions })
      return
    case 'REFETCH':
      onRefetch(frame.payload.reason)
  }
}

function matching(pattern: string, handler: (frame: never) => void) {
  return (frame: GenericFrame) => {
    const isGeneric = !isControlFrame(frame) && !isEventFrame(frame)
    // The pattern decides what the handler takes: see the signatures of `on`.
    if (matchesPattern(pattern, frame.type) || (isGeneric && pattern === 'EVENT')) handler(frame as never)
  }
}
