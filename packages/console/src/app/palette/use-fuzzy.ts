import { useEffect, useRef, useState } from 'react'
import type { FuzzyReply, FuzzyRequest } from './fuzzy-worker.ts'
import type { PaletteItem } from './item.ts'
import { minQueryLength } from './scorer.ts'

interface Link {
  worker: Worker
  /** What the worker searches. */
  items: readonly PaletteItem[] | undefined
  isBusy: boolean
  /** Asked while it was busy; only the last counts. */
  next: string | undefined
}

/**
 * Typo matches of a query, from a worker that is started by the first query; undefined until they are there. A
 * query of one sign has none.
 */
export function useFuzzy(items: readonly PaletteItem[], query: string): readonly string[] | undefined {
  const [reply, setReply] = useState<FuzzyReply>()
  const link = useRef<Link>(undefined)
  const isAsking = query.length >= minQueryLength

  useEffect(
    () => () => {
      link.current?.worker.terminate()
      link.current = undefined
    },
    [],
  )
  useEffect(() => {
    if (!isAsking) return
    const own = (link.current ??= startWorker(setReply))
    if (own.items !== items) {
      own.items = items
      const entries = items.map(({ id, title, description, category }) => {
        return { id, title, description, category }
      })
      send(own.worker, { kind: 'index', entries })
    }
    if (own.isBusy) own.next = query
    else {
      own.isBusy = true
      send(own.worker, { kind: 'search', query })
    }
  }, [items, query, isAsking])

  if (!isAsking) return []
  return reply?.query === query ? reply.ids : undefined
}

function startWorker(onReply: (reply: FuzzyReply) => void): Link {
  const worker = new Worker(new URL('./fuzzy-worker.ts', import.meta.url), { type: 'module' })
  const link: Link = { worker, items: undefined, isBusy: false, next: undefined }
  worker.addEventListener('message', ({ data }: MessageEvent<FuzzyReply>) => {
    onReply(data)
    link.isBusy = link.next !== undefined
    if (link.next !== undefined) send(worker, { kind: 'search', query: link.next })
    link.next = undefined
  })
  return link
}

function send(worker: Worker, request: FuzzyRequest): void {
  worker.postMessage(request)
}
