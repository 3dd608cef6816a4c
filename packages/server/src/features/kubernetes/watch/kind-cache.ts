import type { Clock } from '../../../platform/clock.ts'
import type { Entry } from './entries.ts'
import type { Kind } from './kinds.ts'
import type { KubeObject } from './kube-types.ts'
import type { PrintedColumn } from './list-format.ts'
import type { Liveness } from './liveness.ts'
import type { LossReason } from './reflector.ts'
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
  /** Whether the cluster does not serve this kind: there is none of it, and that is not the same as an empty list. */
  isMissing(): boolean
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
  liveness: Pick<Liveness, 'silence' | 'lastAnswerAt' | 'generation'>
  clock: Clock
  /** One object changed or was removed; without one, any may have, or the freshness of all did. */
  onChange: (change?: ObjectChange) => void
  onLost: (reason: string, why: LossReason) => void
  /** What another process may have kept of it; asked for where there is no first list. */
  lastKnown: () => Promise<LastKnown | undefined>
}

/**
 * There is no list; the message says why in words. `refused`: the cluster answers, but does not let Bey read it. `missing`:
 * it answers, but does not serve the kind. `unread`: it does not answer, or has not yet.
 */
export class NotListed extends Error {
  readonly state: 'unread' | 'refused' | 'missing'

  constructor(reason: string, state: NotListed['state'] = 'unread') {
    super(reason)
    this.name = 'NotListed'
    this.state = state
  }

  get isRefused(): boolean {
    return this.state === 'refused'
  }
}

/**
 * What is known of a kind. It is a state of its own beside whether the cluster answers, so that an outage changes
 * nothing of it: what may not be read, or is not served, does not turn into an empty list.
 */
type KnownState = 'unread' | 'listed' | 'refused' | 'missing'

/** Where objects are listed, in which form (whole objects by default), and what is kept of each. */
export type KindSource<E extends Entry> = Partial<Pick<WatchView, 'reads' | 'onColumns'>> & {
  path: Kind['path']
  /** Whether it can be watched in single namespaces where not in all. */
  isNamespaced?: boolean
  entry: (object: KubeObject) => E
}

export function startKindCache<E extends Entry>(kind: KindSource<E>, deps: KindCacheDeps): KindCache<E> {
  const { liveness } = deps
  const table = createTable<E>()
  let state: KnownState = 'unread'
  let isCurrent = false
  let generation = liveness.generation()
  let currentAt = new Date(0)
  let lastFailure: string | undefined
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
      if (state === 'listed') return
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
      // What was just read is current; should the watch that follows not come about, it is lost again.
      settle('listed')
      isCurrent = true
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
      if (isCurrent) return
      isCurrent = true
      deps.onChange()
    },
    onLost(reason, why) {
      if (why.isRefused) outOfReach('refused', reason)
      else if (why.isMissing) outOfReach('missing', reason)
      else lost(reason, why.isGone)
      deps.onLost(reason, why)
    },
  })

  function settle(next: KnownState): void {
    state = next
    generation = liveness.generation()
    partial = undefined
    lastFailure = undefined
  }

  /** The cluster answered, and there are no objects that could be shown: nothing of before is shown either. */
  function outOfReach(next: 'refused' | 'missing', reason: string): void {
    const isNews = state !== next || !isCurrent
    table.replaceAll([])
    recall = 'over'
    settle(next)
    isCurrent = true
    if (next === 'missing') {
      waiting.resolve()
      waitingForPage.resolve()
    } else {
      lastFailure = reason
      fail(new NotListed(reason, next))
    }
    if (isNews) deps.onChange()
  }

  function lost(reason: string, isGone: boolean): void {
    const isNews = lastFailure !== reason
    if (state !== 'refused') lastFailure = reason
    if (isCurrent || isNews) {
      if (isCurrent) currentAt = lastCurrentAt()
      isCurrent = false
      deps.onChange()
    }
    if (partial) table.replaceAll([])
    partial = undefined
    if (recall === 'possible' && state === 'unread' && !isGone) void showLastKnown(reason)
    else if (recall !== 'asked') fail(notListed(reason))
  }

  const isLive = () =>
    isCurrent &&
    state !== 'unread' &&
    state !== 'refused' &&
    generation === liveness.generation() &&
    liveness.silence() === undefined

  /** What was watched was current until the cluster answered last. */
  function lastCurrentAt(): Date {
    return liveness.silence() ? (liveness.lastAnswerAt() ?? deps.clock.now()) : deps.clock.now()
  }

  function asOf(): Date {
    if (isCurrent || partial) return lastCurrentAt()
    return currentAt
  }

  function notListed(reason: string): NotListed {
    return new NotListed(reason, state === 'refused' ? 'refused' : 'unread')
  }

  async function showLastKnown(reason: string): Promise<void> {
    recall = 'asked'
    let known: LastKnown | undefined
    // What cannot be looked up is looked up again for whoever asks next.
    let next: 'possible' | 'over' = 'possible'
    try {
      known = await deps.lastKnown()
      next = 'over'
    } catch {
      // Its database may be away for a moment.
    }
    // A list may have come meanwhile.
    if (recall !== 'asked') return
    if (!known) {
      recall = next
      return fail(notListed(reason))
    }
    recall = 'shown'
    // Whoever kept them kept entries of this kind.
    table.replaceAll(known.entries as E[])
    state = 'listed'
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
    const silence = liveness.silence()
    // Nothing will be read before the cluster answers again.
    if (silence && recall !== 'possible' && recall !== 'asked')
      return Promise.reject(notListed(lastFailure ?? silence.reason))
    if (silence && recall === 'possible' && lastFailure !== undefined) void showLastKnown(silence.reason)
    // What failed is being tried again, and anyone who asks now need not wait for it.
    if (lastFailure !== undefined) reflector.kick()
    return among.wait()
  }

  const hasList = () => state === 'listed' || state === 'missing'

  return {
    table,
    isLive,
    asOf,
    ready: () => (hasList() ? Promise.resolve() : wait(waiting)),
    begun: () => (hasList() || partial ? Promise.resolve() : wait(waitingForPage)),
    isPartial: () => !hasList(),
    isMissing: () => state === 'missing',
    isBeingRead: () => state === 'unread' && lastFailure === undefined,
    remaining: () => partial?.remaining ?? 0,
    failure() {
      if (state === 'refused')
        return { reason: lastFailure ?? 'Bey has no right to read it', isRefused: true }
      const reason =
        liveness.silence()?.reason ?? lastFailure ?? (hasList() ? undefined : 'it has not been read yet')
      return reason === undefined ? undefined : { reason, isRefused: false }
    },
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
