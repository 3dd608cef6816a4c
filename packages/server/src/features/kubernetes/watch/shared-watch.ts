import type { Entry } from './entries.ts'
import { kindAt } from './kinds.ts'
import type { KubeObject } from './kube-types.ts'
import type { ListFormat, PrintedColumn } from './list-format.ts'
import { objectFormat, tableFormat } from './list-format.ts'
import type { PagePlace, Reflector, ReflectorOptions } from './reflector.ts'
import { startScopedReflector } from './scoped-reflector.ts'

/** Someone who keeps something of each object of a resource. */
export type WatchView<E extends Entry = Entry> = Pick<
  ReflectorOptions<E>,
  'onChange' | 'onLive' | 'onLost'
> & {
  /** Of each object: the whole of it, or the cells that the API server prints in its row. */
  reads: 'objects' | 'cells'
  /** The columns of those cells, with each list. */
  onColumns?: ((columns: PrintedColumn[]) => void) | undefined
  /** What it keeps of an object. */
  entry(object: KubeObject): E
  /** Each page of a long list, before the whole of it. */
  onPage(entries: E[], place: PagePlace): void
  /** The entries of all objects, or of those of one namespace where each is watched by itself. */
  onList(entries: E[], namespace: string | undefined): void
}

export type SharedWatch = {
  /** The view hears of everything from now on, beginning with a list. `stop` lets it leave. */
  join<E extends Entry>(view: WatchView<E>): Reflector
}

export type SharedWatchOptions = Pick<
  ReflectorOptions<unknown>,
  'path' | 'client' | 'connect' | 'liveness' | 'clock' | 'random'
> & {
  isNamespaced: boolean
  /** The last view has left. */
  onEmpty: () => void
}

/**
 * One list and watch of a resource, no matter who reads it and in which form. It begins anew when a view joins, so that
 * the view gets a list; others keep what they have meanwhile.
 */
export function createSharedWatch(options: SharedWatchOptions): SharedWatch {
  const views = new Set<WatchView>()
  let reflector: Reflector | undefined
  let isStartPending = false

  /** Together with all others that join in this turn. */
  function restart(): void {
    if (isStartPending) return
    isStartPending = true
    queueMicrotask(() => {
      isStartPending = false
      reflector?.stop()
      reflector = views.size > 0 ? start() : undefined
    })
  }

  function start(): Reflector {
    const joined = [...views]
    const each = (act: (view: WatchView, index: number) => void) =>
      joined.forEach((view, index) => (views.has(view) ? act(view, index) : undefined))
    return startScopedReflector<readonly Entry[]>({
      ...options,
      isOfCluster: kindAt(options.path) !== undefined,
      format: formatFor(views),
      keep: (object) => joined.map((view) => view.entry(object)),
      nameOf: ([entry]) => entry?.name,
      onPage: (kept, place) => each((view, index) => view.onPage(entriesAt(kept, index), place)),
      onList: (kept, namespace) => each((view, index) => view.onList(entriesAt(kept, index), namespace)),
      onChange: (type, object) => each((view) => view.onChange(type, object)),
      onLive: () => each((view) => view.onLive()),
      onLost: (reason, why) => each((view) => view.onLost(reason, why)),
    })
  }

  return {
    join(view) {
      views.add(view)
      restart()
      return {
        kick: () => reflector?.kick(),
        stop() {
          if (!views.delete(view) || views.size > 0) return
          reflector?.stop()
          reflector = undefined
          options.onEmpty()
        },
      }
    },
  }
}

const entriesAt = (kept: readonly (readonly Entry[])[], index: number): Entry[] =>
  kept.flatMap((entries) => entries[index] ?? [])

function formatFor(views: ReadonlySet<WatchView>): ListFormat {
  const all = [...views]
  if (all.every(({ reads }) => reads === 'objects')) return objectFormat
  const onColumns = (columns: PrintedColumn[]) => all.forEach((view) => view.onColumns?.(columns))
  return tableFormat(onColumns, all.some(({ reads }) => reads === 'objects') ? 'objects' : 'metadata')
}
