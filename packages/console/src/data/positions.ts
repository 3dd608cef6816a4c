import type { LivePosition } from '@bey/contract'
import { includesPosition } from '@bey/contract'
import type { Query } from '@tanstack/react-query'
import { replyPosition } from '../lib/api.ts'

let heard: LivePosition | undefined

/** The position of the newest event that was applied. */
export function heardPosition(): LivePosition | undefined {
  return heard
}

/** Stores how far the events have been applied; nothing of one organization counts for another. */
export function setHeardPosition(position: LivePosition | undefined): void {
  heard = position
}

/** Whether what a query holds has in it everything that had happened at a position. */
export function isReadAt({ state, queryKey }: Query, position: LivePosition | undefined): boolean {
  // Measurements come by the clock, and no event is about them.
  if (String(queryKey[0]).startsWith('/api/metrics/')) return true
  return repliesIn(state.data).every((reply) =>
    includesPosition(replyPosition(reply), position, isOfObjects(queryKey) ? 'objects' : 'events'),
  )
}

/** The replies that a query is made of: one, or its pages. What was made from a reply is none. */
function repliesIn(data: unknown): object[] {
  if (typeof data !== 'object' || data === null) return [{}]
  const pages: unknown = Reflect.get(data, 'pages')
  return Array.isArray(pages) && 'pageParams' in data ? (pages as object[]) : [data]
}

/** What is read from clusters themselves: `/api/kubernetes/clusters/4/pods`, `/api/kubernetes/workloads`. */
function isOfObjects([path]: readonly unknown[]): boolean {
  return /^\/api\/kubernetes\/(?!clusters(\/\d+)?$)/.test(String(path))
}
