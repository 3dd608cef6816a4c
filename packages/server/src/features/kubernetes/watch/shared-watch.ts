import type { KubeObject } from './kube-types.ts'
import type { ListFormat, PrintedColumn } from './list-format.ts'
import { objectFormat, tableFormat } from './list-format.ts'
import type { Reflector, ReflectorOptions } from './reflector.ts'
import { startScopedReflector } from './scoped-reflector.ts'

/** Someone who keeps something of each object of a resource. */
export type WatchView = Pick<ReflectorOptions, 'onChange' | 'onFirstPage' | 'onLive' | 'onLost'> & {
  /** Of each object: the whole of it, or the cells that the API server prints in its row. */
  reads: 'objects' | 'cells'
  /** The columns of those cells, with each list. */
  onColumns?: ((columns: PrintedColumn[]) => void) | undefined
  /** All objects, or those of one namespace where each is watched by itself. Do not change the list. */
  onList: (objects: readonly KubeObject[], namespace: string | undefined) => void
}

export type SharedWatch = {
  /** The view hears of everything from now on, beginning with a list. `stop` lets it leave. */
  join(view: WatchView): Reflector
}

/**
 * One list and watch of a resource, whoever reads it and in whichever form. It begins anew when a view joins, so that
 * the view gets a list; others keep what they have meanwhile.
 */
export function createSharedWatch(
  options: Pick<ReflectorOptions, 'path' | 'client' | 'connect' | 'clock' | 'random'> & {
    isNamespaced: boolean
    /** The last view has left. */
    onEmpty: () => void
  },
): SharedWatch {
  const views = new Set<WatchView>()
  let reflector: Reflector | undefined
  let isStartPending = false

  /** Together with whoever else joins in this turn. */
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
    return startScopedReflector({
      ...options,
      format: formatFor(views),
      onFirstPage: (objects, remaining) => views.forEach((view) => view.onFirstPage?.(objects, remaining)),
      onList: (objects, namespace) => views.forEach((view) => view.onList(objects, namespace)),
      onChange: (type, object) => views.forEach((view) => view.onChange(type, object)),
      onLive: () => views.forEach((view) => view.onLive()),
      onLost: (reason, why) => views.forEach((view) => view.onLost(reason, why)),
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

function formatFor(views: ReadonlySet<WatchView>): ListFormat {
  const all = [...views]
  if (all.every(({ reads }) => reads === 'objects')) return objectFormat
  const onColumns = (columns: PrintedColumn[]) => all.forEach((view) => view.onColumns?.(columns))
  return tableFormat(onColumns, all.some(({ reads }) => reads === 'objects') ? 'objects' : 'metadata')
}
