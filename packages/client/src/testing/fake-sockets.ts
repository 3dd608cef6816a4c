import type { ClientFrame } from '@bey/contract'
import type { OpenSocket, SocketHandlers } from '../live/socket-port.ts'

/** One socket as the server's side sees it. */
export type FakeSocket = {
  url: string
  sent: ClientFrame[]
  /** How the client closed it, if it did. */
  closed: { code: number; reason: string } | undefined
  open: () => void
  receive: (frame: object | string) => void
  close: (code?: number, reason?: string) => void
}

/** Sockets without a network: the test plays the server. */
export function fakeSockets() {
  const all: FakeSocket[] = []
  const open: OpenSocket = (url, handlers: SocketHandlers) => {
    const socket: FakeSocket = {
      url,
      sent: [],
      closed: undefined,
      open: handlers.onOpen,
      receive: (frame) => handlers.onMessage(typeof frame === 'string' ? frame : JSON.stringify(frame)),
      close: (code = 1006, reason = '') => handlers.onClose(code, reason),
    }
    all.push(socket)
    return {
      // What the client sends is its own serialized frame.
      send: (text) => socket.sent.push(JSON.parse(text) as ClientFrame),
      close: (code, reason) => (socket.closed = { code, reason }),
    }
  }
  return {
    open,
    all,
    /** The newest one. */
    last(): FakeSocket {
      const socket = all.at(-1)
      if (!socket) throw new Error('No socket was opened.')
      return socket
    },
  }
}
