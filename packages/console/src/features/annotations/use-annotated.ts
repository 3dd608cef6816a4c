import type { Annotation } from '@bey/contract'
import { useIsFetching } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Found } from './find-annotated.ts'
import { findAnnotated } from './find-annotated.ts'

/** A page that has been read and drawn for this long without the element does not have it. */
const skeletonDelayMs = 1_500

export type Search = { state: 'seeking' } | ({ state: 'found' } & Found) | { state: 'gone' }

/** Looks for a note's elements until the page has them, and again whenever they are replaced. */
export function useAnnotated(note: Pick<Annotation, 'xpath' | 'componentName'>): Search {
  const [search, setSearch] = useState<Search>({ state: 'seeking' })
  const isLoading = useRouterState({ select: (state) => state.status === 'pending' })
  const isFetching = useIsFetching() > 0
  const isSettled = !isLoading && !isFetching

  useEffect(() => {
    let frame = 0
    const check = () => {
      frame = 0
      const found = findAnnotated(note)
      setSearch((known) => {
        if (found.elements.length === 0) return known.state === 'found' ? { state: 'seeking' } : known
        return known.state === 'found' && isSame(known, found) ? known : { state: 'found', ...found }
      })
    }
    const later = () => (frame ||= requestAnimationFrame(check))
    const changes = new MutationObserver(later)
    changes.observe(document.body, { childList: true, subtree: true })
    later()
    return () => {
      cancelAnimationFrame(frame)
      changes.disconnect()
    }
  }, [note])

  const isSearching = search.state === 'seeking'
  useEffect(() => {
    if (!isSearching || !isSettled) return
    const timer = setTimeout(
      () => setSearch((known) => (known.state === 'seeking' ? { state: 'gone' } : known)),
      skeletonDelayMs,
    )
    return () => clearTimeout(timer)
  }, [isSearching, isSettled])
  return search
}

function isSame(one: Found, other: Found): boolean {
  return (
    one.elements.length === other.elements.length &&
    one.elements.every((each, index) => each === other.elements[index])
  )
}
