import { sizeOf } from './object-size.ts'
import type { Change } from './store.ts'

const changesPerKind = 1024
const mostBytes = 16 * 1024 * 1024
/** A kind whose changes are large keeps so many all the same, for watchers that have just listed it. */
const leastChanges = 8

type KindHistory = { changes: Change[]; bytes: number; from: number }

/** The latest changes of each kind, for watchers that resume; bounded in number by kind and in bytes over all kinds. */
export class History {
  readonly #kinds = new Map<string, KindHistory>()
  readonly #start: number
  #bytes = 0

  /** Changes up to the revision `start` are unknown. */
  constructor(start: number) {
    this.#start = start
  }

  add(change: Change): void {
    const history = this.#kinds.get(change.kind) ?? { changes: [], bytes: 0, from: this.#start }
    this.#kinds.set(change.kind, history)
    history.changes.push(change)
    history.bytes += sizeOf(change.object)
    this.#bytes += sizeOf(change.object)
    if (history.changes.length > changesPerKind * 1.5)
      this.#drop(history, history.changes.length - changesPerKind)
    while (this.#bytes > mostBytes) {
      const largest = [...this.#kinds.values()].toSorted((a, b) => b.bytes - a.bytes)[0]
      if (largest === undefined || largest.changes.length <= leastChanges) return
      this.#drop(largest, Math.ceil((largest.changes.length - leastChanges) / 2))
    }
  }

  /** The changes of a kind after a revision, or undefined when they are no longer all known. */
  since(kind: string, revision: number): Change[] | undefined {
    const history = this.#kinds.get(kind)
    if (revision < (history?.from ?? this.#start)) return undefined
    return history?.changes.filter((change) => change.revision > revision) ?? []
  }

  #drop(history: KindHistory, count: number): void {
    const dropped = history.changes.splice(0, count)
    const bytes = dropped.reduce((sum, { object }) => sum + sizeOf(object), 0)
    history.bytes -= bytes
    this.#bytes -= bytes
    history.from = dropped.at(-1)?.revision ?? history.from
  }
}
