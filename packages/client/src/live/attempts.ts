import type { AuthenticatedPayload, ClientFrame } from '@bey/contract'
import { retryDelayMs } from './backoff.ts'
import type { ConnectionOptions, Credentials } from './connection.ts'
import type { Link } from './link.ts'
import { createLink } from './link.ts'
import { authenticated, unlinked } from './state.ts'
import { liveTexts } from './texts.ts'

export type Attempts = {
  start: (status: 'connecting' | 'reconnecting') => void
  startIn: (delayMs: number) => void
  /** Ends the connection on purpose: what went wrong before is over. */
  leave: (reason: string) => void
  /** Treats the socket as lost and connects again. */
  giveUp: (text: string) => void
  /** False where no socket is open and authenticated. */
  send: (frame: ClientFrame) => boolean
  hasLink: () => boolean
  /** The server refused the credentials: they are tried again only when somebody asks for it. */
  isRefused: () => boolean
}

/** One attempt to connect after the other, with the pauses between them, until one is left on purpose. */
export function createAttempts(
  options: ConnectionOptions & { credentials: () => Credentials | undefined },
): Attempts {
  const { clock, change, note } = options
  let link: Link | undefined
  let failures = 0
  let wasRefused = false
  let cancelNextAttempt = () => {}

  function start(status: 'connecting' | 'reconnecting') {
    cancelNextAttempt()
    wasRefused = false
    link = createLink({
      ...options,
      onAnswered: answered,
      onClosed: closed,
      onTimeout: timedOut,
    })
    const mine = link
    const attempts = options.state().connection_details.connection_attempts + 1
    change({ connection_status: status, details: { connection_attempts: attempts } })
    note(`Connecting, attempt ${attempts} of infinity`)
    // Whoever heard of it may have left in that instant.
    if (link === mine) mine.open()
  }

  function answered(payload: AuthenticatedPayload) {
    if (!payload.success) {
      refused(payload.error ?? liveTexts.authenticationFailed)
      return
    }
    failures = 0
    link?.cancelTimers()
    change(authenticated(payload, new Date(clock.now()).toISOString()))
    note('Connected')
    options.onConnected(payload)
  }

  function refused(text: string) {
    wasRefused = true
    drop(1008, liveTexts.authenticationFailed)
    note(text)
    change({ connection_status: 'disconnected', last_error: text })
  }

  function closed(code: number, reason: string) {
    // A computer that slept before it could authenticate is closed with 1008 as well; its credentials are good.
    if (code === 1008 && link?.isAuthenticating()) {
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
    if (!link && options.credentials()) retryLater()
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
    dropped.cancelTimers()
    change(unlinked)
    dropped.drop(code, reason)
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

  return {
    start,
    startIn(delayMs) {
      cancelNextAttempt = clock.setTimeout(() => start('connecting'), delayMs)
    },
    leave,
    giveUp,
    send(frame) {
      if (!link || options.state().connection_status !== 'connected') return false
      link.send(frame)
      return true
    },
    hasLink: () => link !== undefined,
    isRefused: () => wasRefused,
  }
}
