import type { AuthenticatedPayload, ClientFrame, ControlFrame } from '@bey/contract'
import { liveLimits } from '@bey/contract'
import type { ConnectionOptions, Credentials } from './connection.ts'
import { isControlFrame, parseFrame } from './frames.ts'
import type { OpenedSocket } from './socket-port.ts'

export type LinkOptions = Pick<
  ConnectionOptions,
  'url' | 'openSocket' | 'clock' | 'log' | 'note' | 'onSent' | 'onReceived' | 'onControl' | 'onFrame'
> & {
  credentials: () => Credentials | undefined
  onAnswered: (payload: AuthenticatedPayload) => void
  onClosed: (code: number, reason: string) => void
  /** It was not open and authenticated in time. */
  onTimeout: () => void
}

/** One socket from its opening to its end; once it is dropped it calls nothing any more. */
export type Link = {
  open: () => void
  send: (frame: ClientFrame) => void
  /** It has sent its credentials. */
  isAuthenticating: () => boolean
  cancelTimers: () => void
  /** Lets go of the socket; with a code also closes it. */
  drop: (code?: number, reason?: string) => void
}

export function createLink(options: LinkOptions): Link {
  const { clock, note } = options
  let socket: OpenedSocket | undefined
  let isAuthenticating = false
  let isDropped = false
  let timers: (() => void)[] = []

  // A socket that was given up may still call back.
  const unlessDropped = <A extends unknown[]>(run: (...args: A) => void) => {
    return (...args: A) => (isDropped ? undefined : run(...args))
  }

  function open() {
    timers.push(clock.setTimeout(options.onTimeout, liveLimits.connectTimeoutMs))
    try {
      socket = options.openSocket(options.url, {
        onOpen: unlessDropped(opened),
        onMessage: unlessDropped(received),
        onClose: unlessDropped(options.onClosed),
      })
    } catch (error) {
      options.log('error', 'The socket could not be opened', error)
      options.onClosed(1006, 'The socket could not be opened')
    }
  }

  function opened() {
    note('Socket open')
    timers.push(clock.setTimeout(authenticate, liveLimits.authenticateDelayMs))
  }

  function authenticate() {
    const payload = options.credentials()
    if (!payload) return
    isAuthenticating = true
    send({ type: 'AUTHENTICATE', payload })
  }

  function send(frame: ClientFrame) {
    options.onSent(frame)
    socket?.send(JSON.stringify(frame))
  }

  function received(text: string) {
    const frame = parseFrame(text)
    if (!frame) {
      options.log('warning', 'A message of the socket could not be read')
      return
    }
    options.onReceived(frame)
    if (isControlFrame(frame)) control(frame)
    options.onFrame(frame)
  }

  function control(frame: ControlFrame) {
    if (frame.type === 'AUTHENTICATED') options.onAnswered(frame.payload)
    else options.onControl(frame)
  }

  function cancelTimers() {
    for (const cancel of timers) cancel()
    timers = []
  }

  return {
    open,
    send,
    isAuthenticating: () => isAuthenticating,
    cancelTimers,
    drop(code, reason = '') {
      isDropped = true
      cancelTimers()
      if (code !== undefined) socket?.close(code, reason)
    },
  }
}
