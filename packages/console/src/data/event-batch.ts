import type { EventFrame, LiveEventType } from '@bey/contract'
import { notifyManager } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { LiveReducers } from './live.ts'
import { logger } from '../lib/logger.ts'
import { setHeardPosition } from './positions.ts'

/** A hidden page gets no animation frames; its events wait this long at most. */
const hiddenDelayMs = 500

export interface EventBatch {
  add: (event: EventFrame) => void
  /** Applies at once what waits. */
  flush: () => void
  /** Forgets what waits: it belongs to a session that has ended. */
  drop: () => void
}

/** Applies events to the cache once per animation frame, so that a burst redraws the screen once. */
export function createEventBatch(
  cache: QueryClient,
  reducers: LiveReducers,
  schedule: (flush: () => void) => void = onNextFrame,
): EventBatch {
  let waiting: EventFrame[] = []
  const flush = () => {
    const events = waiting
    waiting = []
    if (events.length === 0) return
    notifyManager.batch(() => {
      for (const event of events) apply(cache, reducers, event)
    })
  }
  return {
    add: (event) => {
      waiting.push(event)
      if (waiting.length === 1) schedule(flush)
    },
    flush,
    drop: () => {
      waiting = []
    },
  }
}

function apply<T extends LiveEventType>(cache: QueryClient, reducers: LiveReducers, event: EventFrame<T>) {
  const reduce = reducers[event.type]
  setHeardPosition(event.position)
  try {
    reduce(cache, event)
  } catch (error) {
    // One event that cannot be applied must not cost the others; what it concerns is read again.
    void cache.invalidateQueries()
    logger.warning(`The event ${event.type} could not be applied`, error)
  }
}

function onNextFrame(flush: () => void) {
  if (document.visibilityState === 'visible') requestAnimationFrame(flush)
  else setTimeout(flush, hiddenDelayMs)
}
