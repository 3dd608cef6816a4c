import type { AuthenticatedPayload, ClientFrame, ControlFrame } from '@bey/contract'
import { liveLimits } from '@bey/contract'
import type { Clock } from '../clock.ts'
import { createAttempts } from './attempts.ts'
import type { GenericFrame } from './frames.ts'
import type { OpenSocket } from './socket-port.ts'
import type { LiveState, StateChange } from './state.ts'
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

/** Keeps one socket open with the credentials that it was given. */
export function createConnection(options: ConnectionOptions): Connection {
  let credentials: Credentials | undefined
  const attempts = createAttempts({ ...options, credentials: () => credentials })

  function connect(given: Credentials) {
    if (attempts.hasLink()) return
    const refusal = whyNot(given)
    if (refusal) {
      options.log('warning', refusal)
      return
    }
    credentials = given
    attempts.start('connecting')
  }

  function again() {
    if (credentials && options.url) {
      attempts.start('connecting')
      return
    }
    options.log('warning', liveTexts.nothingToReconnect)
    options.change({ last_error: liveTexts.nothingToReconnect })
  }

  return {
    connect,
    disconnect: () => attempts.leave('Disconnected'),
    forget() {
      credentials = undefined
      attempts.leave('Disconnected')
    },
    reconnect() {
      attempts.leave('Reconnecting')
      again()
    },
    switchOrganization(organizationId) {
      if (!credentials) return
      credentials = { ...credentials, organizationId }
      attempts.leave('Switching organization')
      attempts.startIn(liveLimits.organizationSwitchDelayMs)
    },
    pageBecameVisible() {
      if (attempts.hasLink() || attempts.isRefused()) return
      if (credentials && options.url) attempts.start('reconnecting')
    },
    pageUnloads: () => attempts.leave('Page unload'),
    send: attempts.send,
    giveUp: attempts.giveUp,
    organizationId: () => credentials?.organizationId,
  }
}

function whyNot({ token, organizationId }: Credentials): string | undefined {
  if (!token) return liveTexts.tokenRequired
  return organizationId ? undefined : liveTexts.organizationRequired
}
