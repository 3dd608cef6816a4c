import type { Duplex } from 'node:stream'

/** Time for the other side to read the last words and to close. */
const closeGraceMs = 2_000

/**
 * Sends the last words and closes. A client that never closes its own half is cut off: it would keep a descriptor of
 * this process for ever.
 */
export function endSocket(socket: Duplex, text: string): void {
  // What still arrives is not read by anybody, and must not keep the end from being seen.
  socket.resume()
  socket.end(text)
  const timer = setTimeout(() => socket.destroy(), closeGraceMs)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}
