import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** A line of the journal, in the order in which it was written. */
type JournalLine = string

/** Is shown one line: the bytes from `start` to `end`. They stay as they are, so a reader may come back to them. */
type LineReader = (bytes: Buffer, start: number, end: number) => void

const compactFromBytes = 16 * 1024 * 1024

function generations(dir: string, kind: 'snapshot' | 'log'): number[] {
  const pattern = new RegExp(`^${kind}-(\\d+)\\.jsonl$`)
  return readdirSync(dir)
    .flatMap((file) => pattern.exec(file)?.[1] ?? [])
    .map(Number)
    .toSorted((a, b) => a - b)
}

function writeAll(fd: number, text: string): number {
  const bytes = Buffer.from(text)
  let written = 0
  while (written < bytes.length) written += writeSync(fd, bytes, written)
  return bytes.length
}

/** Calls `read` for every whole line and returns the length in bytes of what was whole. */
function readLines(path: string, read: LineReader): number {
  const bytes = readFileSync(path)
  let start = 0
  for (let end = bytes.indexOf(10, start); end !== -1; end = bytes.indexOf(10, start)) {
    // Only the last write can be torn, and then it lacks its end: what is whole but unreadable is damage.
    try {
      read(bytes, start, end)
    } catch (error) {
      throw new Error(`The state file ${path} is damaged at byte ${start}.`, { cause: error })
    }
    start = end + 1
  }
  return start
}

/**
 * A snapshot plus a log of everything since, in `dir`. A line is safe from the death of this process once `flush`
 * has returned. While a new snapshot is being written the old one and both logs stay, so any moment is a good one
 * to be killed in.
 */
export class Journal {
  readonly #dir: string
  #generation = 0
  #fd = -1
  #bytes = 0
  #snapshotBytes = 0
  #pending: JournalLine[] = []
  #compacting: Promise<void> | undefined

  constructor(dir: string) {
    this.#dir = dir
  }

  /** Replays what is on disk, oldest first, and opens the log for writing. */
  open(read: LineReader): void {
    const base = generations(this.#dir, 'snapshot').at(-1)
    if (base !== undefined) this.#snapshotBytes = readLines(this.#path('snapshot', base), read)
    const logs = generations(this.#dir, 'log').filter((generation) => generation >= (base ?? 0))
    let whole = 0
    for (const generation of logs) {
      whole = readLines(this.#path('log', generation), read)
      this.#bytes += whole
    }
    this.#generation = logs.at(-1) ?? base ?? 0
    this.#fd = openSync(this.#path('log', this.#generation), 'a', 0o600)
    if (statSync(this.#path('log', this.#generation)).size > whole) ftruncateSync(this.#fd, whole)
  }

  append(line: JournalLine): void {
    this.#pending.push(line)
  }

  /** Hands everything appended so far to the operating system. */
  flush(): void {
    if (this.#pending.length === 0) return
    const text = `${this.#pending.join('\n')}\n`
    this.#bytes += writeAll(this.#fd, text)
    this.#pending = []
  }

  /** Bytes on disk. */
  get bytes(): number {
    return this.#snapshotBytes + this.#bytes
  }

  /** Whether so much of the disk is taken by what no longer holds that a fresh snapshot is worth its cost. */
  isWasteful(liveBytes: number): boolean {
    return !this.#compacting && this.bytes - liveBytes > Math.max(compactFromBytes, liveBytes / 2)
  }

  /** Starts a new log at once and writes `lines` (the whole state of this moment) as its snapshot in slices. */
  compact(lines: Iterable<JournalLine>): Promise<void> {
    this.flush()
    const old = this.#generation
    this.#generation += 1
    const next = openSync(this.#path('log', this.#generation), 'a', 0o600)
    closeSync(this.#fd)
    this.#fd = next
    this.#bytes = 0
    this.#compacting = this.#writeSnapshot(lines, this.#generation, old).finally(() => {
      this.#compacting = undefined
    })
    return this.#compacting
  }

  async #writeSnapshot(lines: Iterable<JournalLine>, generation: number, old: number): Promise<void> {
    const temporary = join(this.#dir, 'snapshot.tmp')
    const fd = openSync(temporary, 'w', 0o600)
    let bytes = 0
    let slice: string[] = []
    for (const line of lines) {
      slice.push(line)
      if (slice.length < 200) continue
      bytes += writeAll(fd, `${slice.join('\n')}\n`)
      slice = []
      await new Promise(setImmediate)
    }
    if (slice.length > 0) bytes += writeAll(fd, `${slice.join('\n')}\n`)
    fsyncSync(fd)
    closeSync(fd)
    renameSync(temporary, this.#path('snapshot', generation))
    this.#snapshotBytes = bytes
    for (const kind of ['snapshot', 'log'] as const) {
      for (const past of generations(this.#dir, kind)) if (past <= old) rmSync(this.#path(kind, past))
    }
  }

  async close(): Promise<void> {
    this.flush()
    await this.#compacting
    fsyncSync(this.#fd)
    closeSync(this.#fd)
  }

  #path(kind: 'snapshot' | 'log', generation: number): string {
    return join(this.#dir, `${kind}-${generation}.jsonl`)
  }
}
