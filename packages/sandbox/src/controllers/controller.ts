import type { Cluster } from '../api/context.ts'
import type { Change } from '../store/store.ts'
import type { KindKey, Metadata } from '../types.ts'
import { controllerOf, queueKey, splitKey } from './owner.ts'
import { WorkQueue } from './work-queue.ts'

export type Controller = { stop(): void }

/** Asks for the object to be looked at again after so many simulated milliseconds. */
type Again = (delayMs: number) => void

export type ControllerOptions<T> = {
  kind: KindKey<T>
  /** Kinds whose objects this one controls: their changes queue their controller. */
  owns?: readonly KindKey<unknown>[]
  /** Further kinds, and which keys of ours a change of theirs concerns. */
  watches?: readonly { kind: KindKey<unknown>; keys(change: Change): readonly string[] }[]
  /** Brings the world closer to what the object wants. Called for objects that exist. */
  sync(object: T, again: Again): void
  /** Called with the key of an object that is gone. */
  gone?(namespace: string, name: string): void
}

/** Runs `sync` for each object of a kind whenever it, or what it owns, changes, and once at the start. */
export function runController<T extends { kind: string; metadata: Metadata }>(
  cluster: Cluster,
  { kind, owns = [], watches = [], sync, gone }: ControllerOptions<T>,
): Controller {
  const { store } = cluster
  const queue = new WorkQueue(
    cluster.clock,
    (key) => {
      const [namespace, name] = splitKey(key)
      const object = store.get(kind, namespace, name)
      if (object) sync(object, (delayMs) => queue.addAfter(key, delayMs))
      else {
        queue.forget(key)
        gone?.(namespace, name)
      }
    },
    cluster.report,
  )
  const kindName = cluster.registry.stored(kind.key).kind
  const stops = [
    store.subscribe(kind.key, (change) => queue.add(queueKey(change.object))),
    ...owns.map((owned) =>
      store.subscribe(owned.key, ({ object, old }) => {
        for (const one of [object, old]) {
          const owner = one && controllerOf(one)
          if (owner?.kind === kindName) queue.add(`${object.metadata.namespace ?? ''}/${owner.name}`)
        }
      }),
    ),
    ...watches.map((watched) =>
      store.subscribe(watched.kind.key, (change) => {
        for (const key of watched.keys(change)) queue.add(key)
      }),
    ),
  ]
  for (const object of store.list(kind)) queue.add(queueKey(object))
  return {
    stop() {
      for (const stop of stops) stop()
      queue.stop()
    },
  }
}
