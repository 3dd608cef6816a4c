import { useEffect, useRef, useState } from 'react'
import { log } from '../../lib/log.ts'
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

/** Keys that come together, as from a key that is held, are looked for once. The worker takes the rest of the load. */
const pauseMs = 20

const none: readonly string[] = []

/**
 * Typo matches of a query, from a worker that is started by the first pause; undefined until they are there. A
 * query of one sign has none, and there are none while the worker cannot be loaded.
 */
export function useFuzzy(items: readonly PaletteItem[], query: string): readonly string[] | undefined {
  const [reply, setReply] = useState<FuzzyReply>()
  const [isMissing, setMissing] = useState(false)
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
    const onMissing = () => {
      log('warning', 'The search for misspelt words could not be loaded')
      // The next pause tries again.
      link.current = undefined
      setMissing(true)
    }
    const onReply = (found: FuzzyReply) => {
      setMissing(false)
      setReply(found)
    }
    const pause = setTimeout(
      () => ask((link.current ??= startWorker(onReply, onMissing)), items, query),
      pauseMs,
    )
    return () => clearTimeout(pause)
  }, [items, query, isAsking])

  if (!isAsking) return none
  if (reply?.query === query) return reply.ids
  return isMissing ? none : undefined
}

function ask(link: Link, items: readonly PaletteItem[], query: string): void {
  if (link.items !== items) {
    link.items = items
    const entries = items.map(({ id, title, description, category }) => {
      return { id, title, description, category }
    })
    send(link.worker, { kind: 'index', entries })
  }
  if (link.isBusy) link.next = query
  else {
    link.isBusy = true
    send(link.worker, { kind: 'search', query })
  }
}

function startWorker(onReply: (reply: FuzzyReply) => void, onMissing: () => void): Link {
  const worker = new Worker(new URL('./fuzzy-worker.ts', import.meta.url), { type: 'module' })
  const link: Link = { worker, items: undefined, isBusy: false, next: undefined }
  worker.addEventListener('message', ({ data }: MessageEvent<FuzzyReply>) => {
    onReply(data)
    link.isBusy = link.next !== undefined
    if (link.next !== undefined) send(worker, { kind: 'search', query: link.next })
    link.next = undefined
  })
  worker.addEventListener('error', () => {
    worker.terminate()
    onMissing()
  })
  return link
}

function send(worker: Worker, request: FuzzyRequest): void {
  worker.postMessage(request)
}
