import { useMemo, useRef, useState } from 'react'
import type { RefObject } from 'react'
import type { ListLocation } from '../../../lib/list-location.ts'
import type { LogListHandle } from './log-list.tsx'
import { createMatcher, nextMatch, searchPattern } from './log-search.ts'
import type { LogSnapshot } from '../../../entities/kubernetes/logs/log-store.ts'

/** What is searched for in the lines that are shown, and the match that was stepped to last. */
export function useLogSearch(
  { search: address, change }: ListLocation,
  visible: LogSnapshot['visible'],
  list: RefObject<LogListHandle | null>,
) {
  const [search, setSearch] = useState({ text: address.q ?? '', isCaseSensitive: false, isRegex: false })
  const [currentId, setCurrentId] = useState<number>()
  const { pattern, error } = useMemo(() => searchPattern(search), [search])
  const [matcher] = useState(createMatcher)
  const matches = matcher.ids(pattern, visible)
  const field = useRef<HTMLInputElement>(null)
  return {
    field,
    search,
    pattern,
    error,
    matches,
    currentId,
    /** From 1; 0 where no match was stepped to. */
    position: currentId === undefined ? 0 : matches.indexOf(currentId) + 1,
    step: (direction: 1 | -1) => {
      const next = nextMatch(matches, currentId, direction)
      if (next === undefined) return
      setCurrentId(next)
      list.current?.reveal(next)
    },
    changeSearch: (next: typeof search) => {
      setSearch(next)
      setCurrentId(undefined)
      change({ q: next.text })
    },
  }
}
