import type { Duplex } from 'node:stream'

/** Time for the client to read the response and to close. */
const closeGraceMs = 2_000

/**
 * Sends `text` and closes. A client that never closes its own half is disconnected: otherwise it would hold a file
 * descriptor of this process for ever.
 */
export function endSocket(socket: Duplex, text: string): void {
  // Unread data would prevent the `end` event, so what still arrives is discarded.
  socket.resume()
  socket.end(text)
  const timer = setTimeout(() => socket.destroy(), closeGraceMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}
