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
import type { Credentials, LiveLog } from './connection.ts'
import { createConnection } from './connection.ts'
import type { Outcome } from './following.ts'
import { createFollowing } from './following.ts'
import type { GenericFrame, ReceivedFrame } from './frames.ts'
import { isControlFrame, withoutToken } from './frames.ts'
import { createListeners } from './listeners.ts'
import { createPending } from './pending.ts'
import type { OpenSocket } from './socket-port.ts'
import { openWebSocket } from './socket-port.ts'
import type { LiveState, StateChange } from './state.ts'
import { changed, initialState } from './state.ts'
import { liveTexts } from './texts.ts'
import type { LoggedMessage } from './traffic.ts'
import { createTraffic } from './traffic.ts'
import { watchSleep } from './wake.ts'

/** The newest events kept in the state. */
const eventsKept = 50

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
  const stateListeners = createListeners<[LiveState]>(onError)
  const trafficListeners = createListeners<[]>(onError)
  const refetchListeners = createListeners<[string, LivePosition | undefined]>(onError)
  const frameListeners = createListeners<[GenericFrame]>(onError)
  const pending = createPending(clock)
  const following = createFollowing()
  const traffic = createTraffic(clock, liveLimits.messageLogKept)
  let state = initialState
  let frames = 0
  let connections = 0
  /** From here on everything that is followed has been sent. */
  let position: LivePosition | undefined
  let cancelPing = () => {}
  let stopWatchingSleep = () => {}

  const connection = createConnection({
    url: options.url,
    openSocket: options.openSocket ?? openWebSocket,
    clock,
    random: options.random ?? Math.random,
    log,
    state: () => state,
    change,
    note,
    onSent: (frame) => logTraffic('sent', withoutToken(frame)),
    onReceived: (frame) => logTraffic('received', frame),
    onControl,
    onFrame,
    onConnected,
    onGone() {
      cancelPing()
      stopWatchingSleep()
      following.forgetResults()
      pending.rejectAll(liveTexts.connectionClosed)
    },
  })

  function change(next: StateChange) {
    state = changed(state, next)
    stateListeners.call(state)
  }

  function note(message: string) {
    const messages = state.connection_details.connection_messages
    const entry = { timestamp: new Date(clock.now()).toISOString(), message }
    change({
      details: { connection_messages: [...messages, entry].slice(-liveLimits.connectionMessagesKept) },
    })
  }

  function logTraffic(type: LoggedMessage['type'], data: unknown) {
    traffic.add(type, data)
    if (type === 'received') state = { ...state, last_activity: new Date(clock.now()).toISOString() }
    trafficListeners.call()
  }

  function onControl(frame: Exclude<ControlFrame, { type: 'AUTHENTICATED' }>) {
    switch (frame.type) {
      case 'CONNECTED':
        change({ id: frame.payload.connectionId })
        return
      case 'PONG':
        pending.resolve(frame.id, frame.payload)
        return
      case 'COMMAND_RESULT': {
        const { commandId, success, error } = frame.payload
        if (success) position = frame.payload.position ?? position
        if (success) pending.resolve(commandId, undefined)
        else pending.reject(commandId, error ?? liveTexts.commandFailed)
        return
      }
      case 'SUBSCRIPTION_UPDATE':
        change({ subscriptions: frame.payload.subscriptions })
        return
      case 'REFETCH':
        refetchListeners.call(frame.payload.reason, undefined)
    }
  }

  function onFrame(frame: GenericFrame) {
    if (frame.organizationId !== undefined && frame.organizationId !== connection.organizationId()) {
      log('warning', 'An event of another organization was dropped', frame.type)
      return
    }
    if (isEventFrame(frame)) state = { ...state, events: [...state.events.slice(1 - eventsKept), frame] }
    frameListeners.call(frame)
  }

  function onConnected(payload: AuthenticatedPayload) {
    position = payload.position
    pingLater()
    stopWatchingSleep = watchSleep(clock, checkNow)
    connections += 1
    const mine = connections
    const followedAgain = following.list().map(follow)
    if (followedAgain.length === 0) {
      refetchListeners.call('Connected', position)
      return
    }
    void Promise.all(followedAgain).then(() => {
      if (connections === mine && state.connection_status === 'connected')
        refetchListeners.call('Connected', position)
    })
  }

  async function follow(subscription: Subscription): Promise<void> {
    try {
      await command({ type: 'SUBSCRIBE', payload: subscription })
      following.settle(subscription, undefined)
    } catch (error) {
      // Whatever is still followed when the connection is back is asked for again.
      if (state.connection_status === 'connected') following.settle(subscription, asError(error))
    }
  }

  // Found out now rather than at the next ping.
  function checkNow() {
    if (state.connection_status === 'connected') ping().catch(logFailure)
  }

  function pingLater() {
    cancelPing()
    cancelPing = clock.setTimeout(() => {
      pingLater()
      ping().catch(logFailure)
    }, liveLimits.pingIntervalMs)
  }

  async function ping(): Promise<number> {
    const id = nextId()
    const startedAt = clock.now()
    send({ type: 'PING', id, payload: { timestamp: startedAt } })
    try {
      await pending.wait(id, liveLimits.pingTimeoutMs, liveTexts.pingTimeout)
    } catch (error) {
      if (asError(error).message === liveTexts.pingTimeout) connection.giveUp(liveTexts.pingTimeout)
      throw error
    }
    const roundTripMs = clock.now() - startedAt
    change({ details: { ping_time: roundTripMs } })
    return roundTripMs
  }

  async function command(payload: Command): Promise<void> {
    const id = nextId()
    send({ type: 'COMMAND', id, payload })
    await pending.wait(id, liveLimits.commandTimeoutMs, liveTexts.commandTimeout(payload.type))
  }

  function send(frame: ClientFrame) {
    if (!connection.send(frame)) throw new Error(liveTexts.notConnected)
  }

  function logFailure(error: unknown) {
    log('debug', asError(error).message)
  }

  function nextId(): string {
    frames += 1
    return String(frames)
  }

  function subscribe(subscription: Subscription, onResult: Outcome = () => {}) {
    const outcome = createListeners<[Error | undefined]>(onError)
    outcome.add(onResult)
    const { isFirst, release } = following.add(subscription, outcome.call)
    if (isFirst && state.connection_status === 'connected') void follow(subscription)
    return () => {
      if (!release() || state.connection_status !== 'connected') return
      command({ type: 'UNSUBSCRIBE', payload: subscription }).catch(logFailure)
    }
  }

  function on(pattern: string, handler: (frame: never) => void) {
    return frameListeners.add((frame) => {
      const isGeneric = !isControlFrame(frame) && !isEventFrame(frame)
      // The pattern decides what the handler takes: see the signatures of `on`.
      if (matchesPattern(pattern, frame.type) || (isGeneric && pattern === 'EVENT')) handler(frame as never)
    })
  }

  return {
    get state() {
      return state
    },
    get messages() {
      return traffic.list()
    },
    connect: connection.connect,
    disconnect: connection.disconnect,
    forget() {
      connection.forget()
      traffic.clear()
      state = initialState
      stateListeners.call(state)
    },
    reconnect: connection.reconnect,
    switchOrganization(organizationId) {
      traffic.clear()
      state = { ...state, events: [] }
      connection.switchOrganization(organizationId)
    },
    pageBecameVisible() {
      connection.pageBecameVisible()
      checkNow()
    },
    pageUnloads: connection.pageUnloads,
    ping,
    command,
    subscribe,
    on,
    onState: stateListeners.add,
    onTraffic: trafficListeners.add,
    onRefetch: refetchListeners.add,
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
