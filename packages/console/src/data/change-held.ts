import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { afterRead } from './api-query.ts'
import { heardPosition, isReadAt } from './positions.ts'
import { refetchSoon } from './refetch-later.ts'

/** What is held after an event; `readAgain` where the server alone knows the whole of it. */
type Change<T> = (held: T, queryKey: QueryKey, readAgain: () => void) => T

/**
 * Writes what an event says into everything that is held below a key, and into the reply of a read that is under way,
 * should it be older than the event. `change` returns what it is given where the event does not concern it.
 */
export function changeHeld<T>(cache: QueryClient, below: QueryKey, change: Change<T>): void {
  for (const query of cache.getQueryCache().findAll({ queryKey: below })) {
    const { queryKey } = query
    const write = () => {
      const held = query.state.data as T | undefined
      if (held === undefined) return
      let isOld = false
      const changed = change(held, queryKey, () => {
        isOld = true
      })
      if (changed !== held) cache.setQueryData<T>(queryKey, changed)
      // Afterwards: what is written counts as new.
      if (isOld) refetchSoon(cache, queryKey)
    }
    // What was read after the event has it already, and perhaps more.
    if (!isReadAt(query, heardPosition())) write()
    afterRead(query, write)
  }
}
