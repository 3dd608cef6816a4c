import type { Clock } from '../clock.ts'
import type { KindKey, KubeObject } from '../types.ts'
import { History } from './history.ts'
import { Journal } from './journal.ts'
import { KindTable } from './kind-table.ts'
import { noteSize, sizeOf } from './object-size.ts'
import { goneLine, promiseLine, Replay, writtenLine } from './replay.ts'

export type Change = {
  type: 'ADDED' | 'MODIFIED' | 'DELETED'
  kind: string
  object: KubeObject
  /** The object before, absent when it was added. */
  old: KubeObject | undefined
  revision: number
}

export type Listener = (change: Change) => void

const texts = new WeakMap<KubeObject, string>()

/** The JSON of a stored object, made once. */
export function textOf(object: KubeObject): string {
  let text = texts.get(object)
  if (text === undefined) {
    text = JSON.stringify(object)
    texts.set(object, text)
  }
  return text
}

// Revisions are promised to the disk in blocks, so that heartbeats, which are not written, never cause one to be
// handed out twice after a crash.
const revisionBlock = 10_000
// Events are the most of what there is, and nothing that starts needs them.
const readLater = 'events'
const objectsPerTurn = 200

/**
 * Every object of one sandbox, with one revision counter for all kinds. Writes are synchronous; listeners hear of
 * them in order, after they are on disk, in a later turn of the event loop.
 */
export class Store {
  readonly #tables = new Map<string, KindTable>()
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #journal: Journal | undefined
  readonly #clock: Pick<Clock, 'soon'>
  #revision = 1
  #promised = 0
  #bytes = 0
  readonly #history: History
  #outbox: Change[] = []
  #scheduled = false
  #isClosed = false

  /** Without a directory nothing is kept on disk. */
  constructor(dir: string | undefined, clock: Pick<Clock, 'soon'>) {
    this.#clock = clock
    this.#journal = dir === undefined ? undefined : new Journal(dir)
    if (this.#journal) this.#replay(this.#journal)
    this.#history = new History(this.#revision)
  }

  get revision(): number {
    return this.#revision
  }

  get size(): number {
    let sum = 0
    for (const table of this.#tables.values()) sum += table.size
    return sum
  }

  /** Bytes of all objects as JSON. */
  get bytes(): number {
    return this.#bytes
  }

  /** Bytes of the files that the state is kept in. */
  get diskBytes(): number {
    return this.#journal?.bytes ?? 0
  }

  get<T>(kind: KindKey<T>, namespace: string | undefined, name: string): T | undefined {
    return this.find(kind.key, namespace, name) as T | undefined
  }

  find(kind: string, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#tables.get(kind)?.get(namespace ?? '', name)
  }

  /** All objects of a kind in the order of namespace and name. */
  list<T>(kind: KindKey<T>, namespace?: string): T[] {
    return this.all(kind.key, namespace) as T[]
  }

  all(kind: string, namespace?: string): KubeObject[] {
    return this.#tables.get(kind)?.list(namespace) ?? []
  }

  count(kind: string): number {
    return this.#tables.get(kind)?.size ?? 0
  }

  kinds(): string[] {
    return [...this.#tables.keys()]
  }

  /** Keeps, from now on, the objects of a kind findable by the values that `of` gives for each. */
  addIndex<T>(kind: KindKey<T>, name: string, of: (object: T) => readonly string[]): void {
    this.#table(kind.key).addIndex(name, of as (object: KubeObject) => readonly string[])
  }

  /** The objects that an index holds under a value, in no particular order. */
  indexed<T>(kind: KindKey<T>, index: string, value: string): T[] {
    return (this.#tables.get(kind.key)?.indexed(index, value) ?? []) as T[]
  }

  /**
   * Writes an object, new or not, and gives it the next revision. The caller gives it up: it must not change after.
   * An ephemeral write is not put on disk (heartbeats).
   */
  write(kind: string, object: KubeObject, ephemeral = false): KubeObject {
    const table = this.#table(kind)
    const old = table.get(object.metadata.namespace ?? '', object.metadata.name)
    object.metadata.resourceVersion = String(this.#next())
    table.set(object)
    this.#append(kind, object, old, ephemeral)
    this.#announce({ type: old ? 'MODIFIED' : 'ADDED', kind, object, old, revision: this.#revision })
    return object
  }

  #append(kind: string, object: KubeObject, old: KubeObject | undefined, ephemeral: boolean): void {
    const before = old ? sizeOf(old) : 0
    // Heartbeats are many and hardly change an object's size.
    if (ephemeral && old) return noteSize(object, before)
    // The text of events, which are many and seldom read, is not worth keeping in memory.
    const text = kind === readLater ? JSON.stringify(object) : textOf(object)
    noteSize(object, Buffer.byteLength(text))
    this.#bytes += sizeOf(object) - before
    if (!ephemeral) this.#journal?.append(writtenLine(kind, object, text))
  }

  remove(kind: string, namespace: string | undefined, name: string): KubeObject | undefined {
    const old = this.#tables.get(kind)?.delete(namespace ?? '', name)
    if (!old) return undefined
    this.#bytes -= sizeOf(old)
    const revision = this.#next()
    this.#journal?.append(goneLine(kind, namespace, name, revision))
    const object = { ...old, metadata: { ...old.metadata, resourceVersion: String(revision) } }
    noteSize(object, sizeOf(old))
    this.#announce({ type: 'DELETED', kind, object, old, revision })
    return object
  }

  /** Forgets the kind itself, when its definition is gone. */
  dropKind(kind: string): void {
    if (this.count(kind) === 0) this.#tables.delete(kind)
  }

  /** Hears of every change of a kind (`*`: of all) from the next one on. */
  subscribe(kind: string, listener: Listener): () => void {
    const set = this.#listeners.get(kind) ?? new Set()
    set.add(listener)
    this.#listeners.set(kind, set)
    return () => set.delete(listener)
  }

  /** The changes of a kind after a revision, or undefined when they are no longer all known. */
  since(kind: string, revision: number): Change[] | undefined {
    return this.#history.since(kind, revision)
  }

  /** Puts all that was written on disk; to be called before a client receives it. */
  flush(): void {
    this.#journal?.flush()
  }

  /** Delivers what is waiting. */
  deliver(): void {
    this.#scheduled = false
    this.flush()
    const changes = this.#outbox
    this.#outbox = []
    for (const change of changes) {
      for (const listener of this.#listeners.get(change.kind) ?? []) listener(change)
      for (const listener of this.#listeners.get('*') ?? []) listener(change)
    }
    if (this.#journal?.isWasteful(this.#bytes)) this.#journal.compact(this.#dump()).catch(rethrowLater)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.deliver()
    this.#journal?.append(promiseLine(this.#revision))
    await this.#journal?.close()
  }

  #next(): number {
    this.#revision += 1
    if (this.#revision > this.#promised) {
      this.#promised = this.#revision + revisionBlock
      this.#journal?.append(promiseLine(this.#promised))
    }
    return this.#revision
  }

  #announce(change: Change): void {
    this.#history.add(change)
    this.#outbox.push(change)
    if (this.#scheduled) return
    this.#scheduled = true
    this.#clock.soon(() => this.deliver())
  }

  #table(kind: string): KindTable {
    let table = this.#tables.get(kind)
    if (!table) {
      table = new KindTable()
      this.#tables.set(kind, table)
    }
    return table
  }

  *#dump(): Iterable<string> {
    // Objects never change, so holding on to today's list is a consistent snapshot.
    const all = [...this.#tables].flatMap(([kind, table]) => table.list().map((object) => ({ kind, object })))
    yield promiseLine(this.#promised)
    for (const { kind, object } of all) yield lineOf(kind, object)
  }

  #readLater(table: KindTable, objects: Iterable<KubeObject>): void {
    table.readLater(objects[Symbol.iterator]())
    const readOn = () => {
      if (!this.#isClosed && table.readOn(objectsPerTurn)) this.#clock.soon(readOn)
    }
    this.#clock.soon(readOn)
  }

  #replay(journal: Journal): void {
    const replay = new Replay()
    journal.open((bytes, start, end) => replay.add(bytes, start, end))
    for (const [kind, objects] of replay.kinds()) {
      if (kind === readLater) this.#readLater(this.#table(kind), objects)
      else for (const object of objects) this.#table(kind).set(object)
    }
    this.#bytes = replay.bytes
    this.#promised = replay.promised
    this.#revision = Math.max(this.#revision, replay.revision, replay.promised)
  }
}

function lineOf(kind: string, object: KubeObject): string {
  return writtenLine(kind, object, kind === readLater ? JSON.stringify(object) : textOf(object))
}

function rethrowLater(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}
