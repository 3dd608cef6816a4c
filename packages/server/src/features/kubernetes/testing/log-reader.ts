import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { createLogTracker, type ContainerPosition, type LogRecord, type LogTracker } from '@bey/contract'
import { expect } from 'vitest'

export type ReadLine = { pod: string; container: string; at: string; text: string }

/** Reads a log stream as the console does: lines by source, events, and the position of each container. */
export class LogReader {
  readonly records: LogRecord[] = []
  readonly lines: ReadLine[] = []
  status = 0
  readonly #sources = new Map<number, { pod: string; podUid: string; container: string }>()
  readonly #restarts = new Map<number, number>()
  /** By pod and container, so that a reader that goes on knows what the one before has read. */
  readonly #trackers: Map<string, LogTracker>
  #answer: IncomingMessage | undefined
  #rest = ''
  problem: { code?: string; detail?: string } = {}

  constructor(before?: LogReader) {
    this.#trackers = before ? before.#trackers : new Map()
  }

  async open(sent: ClientRequest): Promise<this> {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    this.status = answer.statusCode ?? 0
    this.#answer = answer
    answer.setEncoding('utf8')
    answer.on('error', () => undefined)
    if (this.status !== 200) {
      let text = ''
      for await (const chunk of answer) text += String(chunk)
      this.problem = JSON.parse(text) as { code?: string; detail?: string }
      return this
    }
    answer.on('data', (chunk: string) => this.#take(chunk))
    return this
  }

  #take(chunk: string): void {
    const parts = (this.#rest + chunk).split('\n')
    this.#rest = parts.pop() ?? ''
    for (const part of parts) this.#record(JSON.parse(part) as LogRecord)
  }

  #record(record: LogRecord): void {
    this.records.push(record)
    if (record.type === 'source') {
      this.#sources.set(record.source, record)
      this.#restarts.set(record.source, record.restart)
      const key = keyOf(record)
      this.#trackers.set(key, this.#trackers.get(key) ?? createLogTracker())
    }
    if (record.type === 'event' && record.event === 'started')
      this.#restarts.set(record.source, record.restart)
    if (record.type !== 'lines') return
    for (const [source, at, text] of record.lines) {
      const { pod = '', podUid = '', container = '' } = this.#sources.get(source) ?? {}
      this.#trackers.get(keyOf({ podUid, container }))?.take(at, text)
      this.lines.push({ pod, container, at, text })
    }
  }

  get texts(): string[] {
    return this.lines.map(({ text }) => text)
  }

  events(): string[] {
    return this.records.flatMap((record) =>
      record.type === 'event'
        ? [
            `${record.event} ${record.restart}${record.exitCode === undefined ? '' : ` exit ${record.exitCode}`}`,
          ]
        : [],
    )
  }

  /** Where each container was read to. */
  positions(): ContainerPosition[] {
    return [...this.#sources].flatMap(([source, { podUid, container }]) => {
      const position = this.#trackers.get(keyOf({ podUid, container }))?.position()
      return position ? [{ podUid, container, restart: this.#restarts.get(source) ?? 0, ...position }] : []
    })
  }

  async until(holds: () => boolean, timeout = 60_000): Promise<void> {
    await expect.poll(holds, { timeout, interval: 20 }).toBe(true)
  }

  pause(): void {
    this.#answer?.pause()
  }

  resume(): void {
    this.#answer?.resume()
  }

  closed(): Promise<unknown> {
    const answer = this.#answer
    if (!answer || answer.closed) return Promise.resolve(undefined)
    // A stream that is cut off fails before it closes.
    return new Promise((resolve) => answer.once('close', resolve))
  }

  close(): void {
    this.#answer?.destroy()
  }
}

const keyOf = ({ podUid, container }: { podUid: string; container: string }) => `${podUid}/${container}`
