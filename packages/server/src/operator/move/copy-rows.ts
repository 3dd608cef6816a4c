import { once } from 'node:events'
import type { Duplex } from 'node:stream'

import type { Connection, Submittable } from 'pg'
import type pg from 'pg'

import { type RowDigest, rowDigest } from './row-digest.ts'

// The types of pg do not show the half of its connection that COPY uses.
type CopyConnection = Connection & { stream: Duplex; endCopyFrom(): void; query(text: string): void }
type Client = pg.Client | pg.PoolClient

const frameBytes = 64 * 1024
/** A frame of CopyData: its type and its length, itself included (PostgreSQL, Message Formats). */
const headBytes = 5
const copyDataType = 'd'.charCodeAt(0)

/**
 * Copies what `select` answers into `into`, such as `public.users (id, name)`, in the binary format, so that each value arrives as it
 * was sent. Answers a digest of the rows as they left. Both clients are inside a transaction; neither is usable when it throws.
 */
export async function copyRows(
  source: Client,
  select: string,
  target: Client,
  into: string,
): Promise<RowDigest> {
  const digest = rowDigest()
  const sink = new CopyIn(`copy ${into} from stdin (format binary)`)
  target.query(sink)
  await Promise.race([sink.ready, sink.over])
  const out = new CopyOut(`copy ${select} to stdout (format binary)`, (message) => {
    digest.add(message)
    return sink.write(message)
  })
  source.query(out)
  // The target refuses a row while the source still sends.
  await Promise.race([out.over, sink.over])
  sink.end()
  await sink.over
  return digest
}

/** Reads the rows of a table and keeps their digest alone. */
export async function digestRows(client: Client, select: string): Promise<RowDigest> {
  const digest = rowDigest()
  const out = new CopyOut(`copy ${select} to stdout (format binary)`, (message) => {
    digest.add(message)
    return undefined
  })
  client.query(out)
  await out.over
  return digest
}

/** One statement COPY, from its submission to the answer that the server is ready for the next one. */
abstract class Copy implements Submittable {
  readonly over: Promise<void>
  readonly #settle: { resolve(): void; reject(error: unknown): void }
  readonly #text: string

  constructor(text: string) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#text = text
    this.#settle = { resolve, reject }
    this.over = promise
    // Whoever waits hears of it; a second failure of the same copy has no listener.
    promise.catch(() => undefined)
  }

  submit(connection: Connection): void {
    ;(connection as CopyConnection).query(this.#text)
  }

  handleError(error: unknown): void {
    this.#settle.reject(error)
  }

  handleReadyForQuery(): void {
    this.#settle.resolve()
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

class CopyOut extends Copy {
  #isPaused = false
  readonly #take: (message: Buffer) => Promise<unknown> | undefined

  /** `take` is handed one message at a time, valid until it returns; what it answers is waited for before more is read. */
  constructor(text: string, take: (message: Buffer) => Promise<unknown> | undefined) {
    super(text)
    this.#take = take
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: CopyConnection): void {
    const taken = this.#take(chunk)
    if (taken === undefined || this.#isPaused) return
    this.#isPaused = true
    connection.stream.pause()
    void taken.finally(() => {
      this.#isPaused = false
      connection.stream.resume()
    })
  }
}

class CopyIn extends Copy {
  readonly ready: Promise<void>
  readonly #onReady: () => void
  #connection: CopyConnection | undefined
  #frame = Buffer.allocUnsafe(frameBytes)
  #filled = headBytes

  constructor(text: string) {
    super(text)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ready = promise
    this.#onReady = resolve
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#connection = connection
    this.#onReady()
  }

  /** Answers when more may be written, undefined for at once. */
  write(message: Buffer): Promise<unknown> | undefined {
    let isFull = false
    for (let offset = 0; offset < message.length;) {
      const copied = message.copy(this.#frame, this.#filled, offset)
      offset += copied
      this.#filled += copied
      if (this.#filled === frameBytes) isFull = !this.#send() || isFull
    }
    const stream = this.#connection?.stream
    if (!isFull || stream === undefined) return undefined
    // Whether it fails is said by the copy itself.
    return Promise.race([once(stream, 'drain'), this.over]).catch(() => undefined)
  }

  end(): void {
    this.#send()
    this.#connection?.endCopyFrom()
  }

  #send(): boolean {
    if (this.#filled === headBytes) return true
    const frame = this.#frame.subarray(0, this.#filled)
    frame.writeUInt8(copyDataType, 0)
    frame.writeUInt32BE(this.#filled - 1, 1)
    this.#frame = Buffer.allocUnsafe(frameBytes)
    this.#filled = headBytes
    return this.#connection?.stream.write(frame) ?? false
  }
}
