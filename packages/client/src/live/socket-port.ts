/** A socket that is open or opening. After its owner calls `close`, no callback follows. */
export type OpenedSocket = {
  send: (text: string) => void
  close: (code: number, reason: string) => void
}

export type SocketHandlers = {
  onOpen: () => void
  onMessage: (text: string) => void
  /** Also how an attempt that never opened ends. */
  onClose: (code: number, reason: string) => void
}

export type OpenSocket = (url: string, handlers: SocketHandlers) => OpenedSocket

/** Opens the platform's own WebSocket, of a browser or of Node. Throws SyntaxError if the address is none. */
export function openWebSocket(url: string, handlers: SocketHandlers): OpenedSocket {
  const socket = new WebSocket(url)
  socket.onopen = handlers.onOpen
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') handlers.onMessage(data)
  }
  socket.onclose = ({ code, reason }) => handlers.onClose(code, reason)
  return {
    send: (text) => socket.send(text),
    close: (code, reason) => socket.close(permitted(code), reason),
  }
}

// A page may only close with 1000 or a code of its own (WebSockets standard, close(), step 1).
function permitted(code: number): number {
  return code === 1000 || code >= 3000 ? code : code + 3000
}
