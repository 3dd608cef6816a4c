import type { AuthenticatedPayload, ClientFrame, ControlFrame } from '@bey/contract'
import { liveLimits } from '@bey/contract'
import type { Clock } from '../clock.ts'
import { retryDelayMs } from './backoff.ts'
import type { GenericFrame } from './frames.ts'
import { isControlFrame, parseFrame } from './frames.ts'
import type { OpenSocket, OpenedSocket } from './socket-port.ts'
import type { LiveState, StateChange } from './state.ts'
import { authenticated, unlinked } from './state.ts'
import { liveTexts } from './texts.ts'

export type Credentials = { token: string; organizationId: number }

export type LiveLog = (level: 'debug' | 'warning' | 'error', message: string, detail?: unknown) => void

export type ConnectionOptions = {
  /** Address of `/ws`. */
  url: string
  openSocket: OpenSocket
  clock: Clock
  random: () => number
  log: LiveLog
  state: () => LiveState
  change: (change: StateChange) => void
  /** Adds to the messages of the connection. */
  note: (message: string) => void
  onSent: (frame: ClientFrame) => void
  onReceived: (frame: GenericFrame) => void
  onControl: (frame: Exclude<ControlFrame, { type: 'AUTHENTICATED' }>) => void
  onFrame: (frame: GenericFrame) => void
  onConnected: (payload: AuthenticatedPayload) => void
  /** The socket is gone: nothing that waits for an answer will get one. */
  onGone: () => void
}

export type Connection = {
  connect: (credentials: Credentials) => void
  disconnect: () => void
  forget: () => void
  reconnect: () => void
  switchOrganization: (organizationId: number) => void
  pageBecameVisible: () => void
  pageUnloads: () => void
  /** False where no socket is open and authenticated. */
  send: (frame: ClientFrame) => boolean
  /** Treats the socket as lost and connects again. */
  giveUp: (text: string) => void
  organizationId: () => number | undefined
}

type Link = { socket?: OpenedSocket; isAuthenticating: boolean; cancelTimers: (() => void)[] }

/** Opens, authenticates and keeps one socket: the states of a connection and the moves between them. */
export function createConnection(options: ConnectionOptions): Connection {
  const { clock, change, note } = options
  let credentials: Credentials | undefined
  let link: Link | undefined
  let failures = 0
  // Refused credentials are not tried again by themselves, only when somebody asks for it.
  let isRefused = false
  let cancelNextAttempt = () => {}

  function start(status: 'connecting' | 'reconnecting') {
    cancelNextAttempt()
    isRefused = false
    const mine: Link = { isAuthenticating: false, cancelTimers: [] }
    link = mine
    const attempts = options.state().connection_details.connection_attempts + 1
    change({ connection_status: status, details: { connection_attempts: attempts } })
    note(`Connecting, attempt ${attempts} of infinity`)
    mine.cancelTimers.push(clock.setTimeout(timedOut, liveLimits.connectTimeoutMs))
    // A socket that was given up may still call back: only the current one counts.
    const ifCurrent = <A extends unknown[]>(run: (...args: A) => void) => {
      return (...args: A) => (link === mine ? run(...args) : undefined)
    }
    try {
      mine.socket = options.openSocket(options.url, {
        onOpen: ifCurrent(opened),
        onMessage: ifCurrent(received),
        onClose: ifCurrent(closed),
      })
    } catch (error) {
      options.log('error', 'The socket could not be opened', error)
      closed(1006, 'The socket could not be opened')
    }
  }

  function opened() {
    note('Socket open')
    link?.cancelTimers.push(clock.setTimeout(authenticate, liveLimits.authenticateDelayMs))
  }

  function authenticate() {
    if (!link || !credentials) return
    link.isAuthenticating = true
    transmit({ type: 'AUTHENTICATE', payload: credentials })
  }

  function transmit(frame: ClientFrame) {
    options.onSent(frame)
    link?.socket?.send(JSON.stringify(frame))
  }

  function received(text: string) {
    const frame = parseFrame(text)
    if (!frame) {
      options.log('warning', 'A message of the socket could not be read')
      return
    }
    options.onReceived(frame)
    if (isControlFrame(frame)) {
      if (frame.type === 'AUTHENTICATED') answered(frame.payload)
      else options.onControl(frame)
    }
    options.onFrame(frame)
  }

  function answered(payload: AuthenticatedPayload) {
    if (!payload.success) {
      refused(payload.error ?? liveTexts.authenticationFailed)
      return
    }
    failures = 0
    link?.cancelTimers.splice(0).forEach((cancel) => cancel())
    change(authenticated(payload, new Date(clock.now()).toISOString()))
    note('Connected')
    options.onConnected(payload)
  }

  function refused(text: string) {
    isRefused = true
    drop(1008, liveTexts.authenticationFailed)
    note(text)
    change({ connection_status: 'disconnected', last_error: text })
  }

  function closed(code: number, reason: string) {
    // A computer that slept before it could authenticate is closed with 1008 as well; its credentials are good.
    if (code === 1008 && link?.isAuthenticating) {
      refused(liveTexts.authenticationFailed)
      return
    }
    drop()
    note(reason ? `Connection closed (${code}: ${reason})` : `Connection closed (${code})`)
    change({ last_error: liveTexts.connectionClosed })
    retryLater()
  }

  function timedOut() {
    drop(4000, liveTexts.connectionTimeout)
    note(liveTexts.connectionTimeout)
    change({ connection_status: 'disconnected', last_error: liveTexts.connectionTimeout })
    // A listener may have connected or forgotten in that instant.
    if (!link && credentials) retryLater()
  }

  function giveUp(text: string) {
    drop(4000, text)
    note(text)
    change({ last_error: text })
    retryLater()
  }

  function retryLater() {
    failures += 1
    const delayMs = retryDelayMs(failures, options.random)
    cancelNextAttempt()
    cancelNextAttempt = clock.setTimeout(() => start('reconnecting'), delayMs)
    change({ connection_status: 'reconnecting' })
  }

  /** Lets go of the socket; with a code also closes it. */
  function drop(code?: number, reason = '') {
    const dropped = link
    if (!dropped) return
    link = undefined
    dropped.cancelTimers.forEach((cancel) => cancel())
    change(unlinked)
    if (code !== undefined) dropped.socket?.close(code, reason)
    options.onGone()
  }

  function leave(reason: string) {
    cancelNextAttempt()
    failures = 0
    drop(1000, reason)
    note(reason)
    // Left on purpose: what went wrong before is over.
    change({ connection_status: 'disconnected', last_error: null, details: { connection_attempts: 0 } })
  }

  function connect(given: Credentials) {
    if (link) return
    const refusal = whyNot(given)
    if (refusal) {
      options.log('warning', refusal)
      return
    }
    credentials = given
    start('connecting')
  }

  function again() {
    if (credentials && options.url) {
      failures = 0
      start('connecting')
      return
    }
    options.log('warning', liveTexts.nothingToReconnect)
    change({ last_error: liveTexts.nothingToReconnect })
  }

  return {
    connect,
    disconnect: () => leave('Disconnected'),
    forget() {
      credentials = undefined
      leave('Disconnected')
    },
    reconnect() {
      leave('Reconnecting')
      again()
    },
    switchOrganization(organizationId) {
      if (!credentials) return
      credentials = { ...credentials, organizationId }
      leave('Switching organization')
      cancelNextAttempt = clock.setTimeout(() => start('connecting'), liveLimits.organizationSwitchDelayMs)
    },
    pageBecameVisible() {
      if (!link && credentials && !isRefused && options.url) start('reconnecting')
    },
    pageUnloads: () => leave('Page unload'),
    send(frame) {
      if (!link || options.state().connection_status !== 'connected') return false
      transmit(frame)
      return true
    },
    giveUp,
    organizationId: () => credentials?.organizationId,
  }
}

function whyNot({ token, organizationId }: Credentials): string | undefined {
  if (!token) return liveTexts.tokenRequired
  return organizationId ? undefined : liveTexts.organizationRequired
}
