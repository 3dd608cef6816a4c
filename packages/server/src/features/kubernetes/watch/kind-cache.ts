import type { Clock } from '../../../platform/clock.ts'
import type { Entry } from './entries.ts'
import type { Kind } from './kinds.ts'
import type { KubeObject } from './kube-types.ts'
import type { PrintedColumn } from './list-format.ts'
import type { SharedWatch, WatchView } from './shared-watch.ts'
import type { Table } from './table.ts'
import { createTable } from './table.ts'

/** One kind of one cluster, kept current by the list and watch that all readers of its resource share. */
export type KindCache<E extends Entry> = {
  table: Table<E>
  isLive(): boolean
  /** When the rows were last known to be current. */
  asOf(): Date
  /** Resolves with the first list, or rejects with why there is none, in words. */
  ready(): Promise<void>
  /** The same, but resolves already when the table holds the first page of a long list. */
  begun(): Promise<void>
  /** Whether there is no whole list yet: the table holds what has been read of it so far. */
  isPartial(): boolean
  /** The same, and reading it has not failed so far. */
  isBeingRead(): boolean
  /** Objects that the cluster says are still to be read of the first list. */
  remaining(): number
  /** Why it could not be listed or is not watched at the moment, in words; undefined while all is well. */
  failure(): { reason: string; isRefused: boolean } | undefined
  /** Tries again at once if it is waiting to. */
  kick(): void
  stop(): void
}

/** A change of one object: what is kept of it, and the whole of it, which is not kept. */
export type ObjectChange = { type: 'upsert' | 'remove'; entry: Entry; object: KubeObject }

/** A list as it was read at some time before. */
export type LastKnown = { entries: Entry[]; columns: PrintedColumn[]; asOf: Date }

export type KindCacheDeps = {
  watch: SharedWatch
  clock: Clock
  /** One object changed or was removed; without one, any may have, or the freshness of all did. */
  onChange: (change?: ObjectChange) => void
  onLive: () => void
  onLost: (reason: string, why: LossReason) => void
  /** What another process may have kept of it; asked for where there is no first list. */
  lastKnown: () => Promise<LastKnown | undefined>
}

/** `isGone`: there is no such cluster to be reached any more. `isRefused`: it answers, but not to Bey. */
type LossReason = { isGone: boolean; isRefused: boolean }

/** There is no list; the message says why in words. `isRefused`: the cluster answers, but does not let Bey read it. */
export class NotListed extends Error {
  readonly isRefused: boolean

  constructor(reason: string, isRefused = false) {
    super(reason)
    this.name = 'NotListed'
    this.isRefused = isRefused
  }
}

/** Where objects are listed, in which form (whole objects by default), and what is kept of each. */
export type KindSource<E extends Entry> = Partial<Pick<WatchView, 'reads' | 'onColumns'>> & {
  path: Kind['path']
  /** Whether it can be watched in single namespaces where not in all. */
  isNamespaced?: boolean
  entry: (object: KubeObject) => E
}

export function startKindCache<E extends Entry>(kind: KindSource<E>, deps: KindCacheDeps): KindCache<E> {
  const table = createTable<E>()
  let isLive = false
  let isListed = false
  let currentAt = new Date(0)
  let lastFailure: { reason: string; isRefused: boolean } | undefined
  /** Of what was kept before this process: it is asked for once, and shown until there is a list. */
  let recall: 'possible' | 'asked' | 'shown' | 'over' = 'possible'
  /** While the first list is being read: how much of it is missing. */
  let partial: { remaining: number } | undefined
  const waiting = createWaiting()
  const waitingForPage = createWaiting()

  const reflector = deps.watch.join({
    reads: kind.reads ?? 'objects',
    onColumns: kind.onColumns,
    entry: kind.entry,
    onPage(entries, { isFirst, remaining = 0 }) {
      if (isListed) return
      if (isFirst) table.replaceAll(entries)
      else for (const entry of entries) table.upsert(entry)
      partial = { remaining }
      waitingForPage.resolve()
    },
    onList(entries, namespace) {
      if (recall === 'shown') table.replaceAll([])
      recall = 'over'
      const others = namespace === undefined ? [] : [...table.values()].filter(isOutside(namespace))
      table.replaceAll([...others, ...entries])
      isListed = true
      partial = undefined
      lastFailure = undefined
      // What was just read is current; should the watch that follows not come about, it is lost again.
      isLive = true
      waiting.resolve()
      waitingForPage.resolve()
      deps.onChange()
    },
    onChange(type, object) {
      const entry = kind.entry(object)
      if (type === 'remove') table.remove(entry)
      else table.upsert(entry)
      deps.onChange({ type, entry, object })
    },
    onLive() {
      lastFailure = undefined
      if (!isLive) {
        isLive = true
        deps.onChange()
      }
      deps.onLive()
    },
    onLost(reason, why) {
      const isNews = lastFailure?.reason !== reason
      lastFailure = { reason, isRefused: why.isRefused }
      if (isLive || isNews) {
        if (isLive) currentAt = deps.clock.now()
        isLive = false
        deps.onChange()
      }
      if (partial) table.replaceAll([])
      partial = undefined
      if (recall === 'possible' && !isListed && !why.isRefused && !why.isGone) void showLastKnown(reason)
      else if (recall !== 'asked') fail(new NotListed(reason, why.isRefused))
      deps.onLost(reason, why)
    },
  })

  async function showLastKnown(reason: string): Promise<void> {
    recall = 'asked'
    const known = await deps.lastKnown().catch(() => undefined)
    // A list may have come meanwhile.
    if (recall !== 'asked') return
    recall = known ? 'shown' : 'over'
    if (!known) return fail(new NotListed(reason))
    // Whoever kept them kept entries of this kind.
    table.replaceAll(known.entries as E[])
    isListed = true
    currentAt = known.asOf
    waiting.resolve()
    waitingForPage.resolve()
    deps.onChange()
  }

  function fail(error: NotListed): void {
    waiting.reject(error)
    waitingForPage.reject(error)
  }

  function wait(among: Waiting): Promise<void> {
    // What failed is being tried again, and anyone who asks now need not wait for it.
    if (lastFailure !== undefined) reflector.kick()
    return among.wait()
  }

  return {
    table,
    isLive: () => isLive,
    asOf: () => (isLive || partial ? deps.clock.now() : currentAt),
    ready: () => (isListed ? Promise.resolve() : wait(waiting)),
    begun: () => (isListed || partial ? Promise.resolve() : wait(waitingForPage)),
    isPartial: () => !isListed,
    isBeingRead: () => !isListed && lastFailure === undefined,
    remaining: () => partial?.remaining ?? 0,
    failure: () =>
      lastFailure ?? (isListed ? undefined : { reason: 'it has not been read yet', isRefused: false }),
    kick: () => reflector.kick(),
    stop() {
      reflector.stop()
      recall = 'over'
      fail(new NotListed('it is no longer watched'))
    },
  }
}

const isOutside = (namespace: string) => (entry: Entry) => entry.namespace !== namespace

/** Those who wait for something that happens once, or fails and is tried again. */
type Waiting = ReturnType<typeof createWaiting>

function createWaiting() {
  const all = new Set<PromiseWithResolvers<void>>()
  const take = () => {
    const taken = [...all]
    all.clear()
    return taken
  }
  return {
    wait(): Promise<void> {
      const one = Promise.withResolvers<void>()
      all.add(one)
      return one.promise
    },
    resolve: () => take().forEach((each) => each.resolve()),
    reject: (error: Error) => take().forEach((each) => each.reject(error)),
  }
}
