import { Transform } from 'node:stream'

/** A ping without a message (RFC 6455, section 5.5.2); what a server sends is not masked. */
const pingFrame = Buffer.from([0x89, 0x00])
const closeOpcode = 0x8

/**
 * Passes on what a WebSocket server sends, and a ping wherever nothing was sent for `afterMs`: between two frames, never
 * inside of one, and none after a close frame. The client answers each with a pong, which the cluster ignores
 * (RFC 6455, section 5.5.3), so that both ways stay in use.
 */
export function pinging(afterMs: number): Transform {
  const frames = frameReader()
  const timer = setInterval(() => {
    if (frames.isBetween() && !frames.isClosing()) stream.push(pingFrame)
  }, afterMs)
  timer.unref()
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      frames.read(chunk)
      timer.refresh()
      done(null, chunk)
    },
    flush(done) {
      clearInterval(timer)
      done()
    },
    destroy(error, done) {
      clearInterval(timer)
      done(error)
    },
  })
  return stream
}

/** Follows where frames of a server begin and end, whatever the pieces in which they arrive. */
function frameReader() {
  let header: number[] = []
  let payloadLeft = 0
  let isClosing = false

  /** Length of the payload by the header read so far; undefined while the header is not whole. */
  function payloadLength(): number | undefined {
    const short = (header[1] ?? 0) & 0x7f
    if (header.length < 2) return undefined
    const extra = short === 126 ? 2 : short === 127 ? 8 : 0
    if (header.length < 2 + extra) return undefined
    return extra === 0 ? short : header.slice(2).reduce((sum, byte) => sum * 256 + byte, 0)
  }

  return {
    isBetween: () => header.length === 0 && payloadLeft === 0,
    isClosing: () => isClosing,
    read(chunk: Buffer): void {
      let at = 0
      while (at < chunk.length) {
        if (payloadLeft > 0) {
          const taken = Math.min(payloadLeft, chunk.length - at)
          payloadLeft -= taken
          at += taken
          continue
        }
        header.push(chunk[at] ?? 0)
        at += 1
        const length = payloadLength()
        if (length === undefined) continue
        if (((header[0] ?? 0) & 0x0f) === closeOpcode) isClosing = true
        payloadLeft = length
        header = []
      }
    },
  }
}
