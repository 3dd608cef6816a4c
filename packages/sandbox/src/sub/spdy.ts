import { constants, createDeflate, createInflate, type Deflate, type Inflate } from 'node:zlib'

/** The text that SPDY/3 compresses headers against (draft-mbelshe-httpbis-spdy-00, 2.6.10.1). */
const words =
  'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow authorization cache-control connection content-base content-encoding content-language content-length content-location content-md5 content-range content-type date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade user-agent vary via warning www-authenticate method get status'.split(
    ' ',
  )
const more = ['200 OK', 'version', 'HTTP/1.1', 'url', 'public', 'set-cookie', 'keep-alive', 'origin']
const rest =
  '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service UnavailableJan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMTchunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.'

function sized(word: string): Buffer {
  const bytes = Buffer.alloc(4 + word.length)
  bytes.writeUInt32BE(word.length)
  bytes.write(word, 4, 'latin1')
  return bytes
}

/** Both sides compress headers against it. */
export const dictionary = Buffer.concat([...[...words, ...more].map(sized), Buffer.from(rest, 'latin1')])

type Headers = Record<string, string>

export type SpdyHandlers = {
  /** A stream that the client has opened. */
  opened(id: number, headers: Headers): void
  data(id: number, bytes: Buffer, isLast: boolean): void
  reset(id: number): void
}

const type = { synStream: 1, synReply: 2, rst: 3, ping: 6, goAway: 7, windowUpdate: 9 } as const
const fin = 1
const largestFrame = 1 << 20
const mostHeaders = 64

function readHeaders(block: Buffer): Headers {
  const headers: Headers = {}
  let at = 4
  const count = block.length >= 4 ? block.readUInt32BE(0) : 0
  for (let i = 0; i < Math.min(count, mostHeaders) && at + 4 <= block.length; i++) {
    const nameLength = block.readUInt32BE(at)
    const name = block.toString('latin1', at + 4, at + 4 + nameLength)
    at += 4 + nameLength
    if (at + 4 > block.length) break
    const valueLength = block.readUInt32BE(at)
    headers[name.toLowerCase()] = block.toString('latin1', at + 4, at + 4 + valueLength)
    at += 4 + valueLength
  }
  return headers
}

/** The server's side of SPDY/3.1, as far as kubectl's port-forward speaks it. */
export class SpdyConnection {
  readonly #send: (bytes: Buffer) => void
  readonly #handlers: SpdyHandlers
  readonly #inflate: Inflate = createInflate({ dictionary, finishFlush: constants.Z_SYNC_FLUSH })
  readonly #deflate: Deflate = createDeflate({ dictionary, flush: constants.Z_SYNC_FLUSH })
  #buffer: Buffer = Buffer.alloc(0)
  // Header blocks share one compression state, so frames are read one after the other.
  #work: Promise<void> = Promise.resolve()

  constructor(send: (bytes: Buffer) => void, handlers: SpdyHandlers) {
    this.#send = send
    this.#handlers = handlers
  }

  /** Takes bytes from the client. Resolves when they are dealt with; rejects when they make no sense. */
  receive(bytes: Buffer): Promise<void> {
    this.#work = this.#work.then(() => this.#read(bytes))
    return this.#work
  }

  write(id: number, bytes: Buffer, isLast = false): void {
    const header = Buffer.alloc(8)
    header.writeUInt32BE(id)
    header.writeUInt32BE(((isLast ? fin : 0) << 24) | bytes.length, 4)
    this.#send(Buffer.concat([header, bytes]))
  }

  async #read(bytes: Buffer): Promise<void> {
    this.#buffer = Buffer.concat([this.#buffer, bytes])
    while (this.#buffer.length >= 8) {
      const length = this.#buffer.readUInt32BE(4) & 0xffffff
      if (length > largestFrame) throw new RangeError('The SPDY frame is too large.')
      if (this.#buffer.length < 8 + length) return
      const frame = this.#buffer.subarray(0, 8 + length)
      this.#buffer = this.#buffer.subarray(8 + length)
      await this.#frame(frame)
    }
  }

  async #frame(frame: Buffer): Promise<void> {
    const flags = frame[4] ?? 0
    const payload = frame.subarray(8)
    if (((frame[0] ?? 0) & 0x80) === 0) {
      const id = frame.readUInt32BE(0) & 0x7fffffff
      if (payload.length > 0) this.#control(type.windowUpdate, 0, uint32(id, payload.length))
      this.#handlers.data(id, payload, (flags & fin) !== 0)
      return
    }
    const kind = frame.readUInt16BE(2)
    if (kind === type.synStream && payload.length >= 10) {
      const id = payload.readUInt32BE(0) & 0x7fffffff
      const headers = readHeaders(await this.#through(this.#inflate, payload.subarray(10)))
      const block = await this.#through(this.#deflate, uint32(0))
      this.#control(type.synReply, 0, Buffer.concat([uint32(id), block]))
      this.#handlers.opened(id, headers)
      if ((flags & fin) !== 0) this.#handlers.data(id, Buffer.alloc(0), true)
    } else if (kind === type.rst && payload.length >= 4)
      this.#handlers.reset(payload.readUInt32BE(0) & 0x7fffffff)
    else if (kind === type.ping) this.#control(type.ping, 0, payload)
  }

  #control(kind: number, flags: number, payload: Buffer): void {
    const header = Buffer.alloc(8)
    header.writeUInt16BE(0x8003)
    header.writeUInt16BE(kind, 2)
    header.writeUInt32BE((flags << 24) | payload.length, 4)
    this.#send(Buffer.concat([header, payload]))
  }

  #through(stream: Inflate | Deflate, bytes: Buffer): Promise<Buffer> {
    return new Promise((done, fail) => {
      const parts: Buffer[] = []
      const collect = (part: Buffer) => parts.push(part)
      const leave = () => {
        stream.off('data', collect)
        stream.off('error', fail)
      }
      stream.on('data', collect)
      stream.once('error', fail)
      stream.write(bytes, () => {
        stream.flush(constants.Z_SYNC_FLUSH, () => {
          leave()
          done(Buffer.concat(parts))
        })
      })
    })
  }
}

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4)
  return bytes
}
