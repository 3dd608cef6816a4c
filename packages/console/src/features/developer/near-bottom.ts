import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { barHeightPx } from './bar-frame.tsx'

const thresholdPx = 100

type ScrollBox = Pick<HTMLElement, 'scrollHeight' | 'scrollTop' | 'clientHeight'>

/**
 * Whether a box is scrolled to within 100 px of its bottom. `reservedPx` is what the bar takes from the box while it
 * shows: with or without the bar the answer is the same, so that showing it never hides it again.
 */
export function isNearBottom(box: ScrollBox, reservedPx: number): boolean {
  return box.scrollHeight - box.scrollTop - box.clientHeight - reservedPx <= thresholdPx
}

/** Follows the page's own scroll container while `isWatching`. `onScroll` is called on each scroll. */
export function useNearBottom(
  isWatching: boolean,
  bar: RefObject<HTMLElement | null>,
  onScroll: () => void,
): boolean {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname })
  const [isNear, setNear] = useState(true)
  useEffect(() => {
    const main = isWatching ? document.getElementById('main') : null
    if (!main) return
    const measure = () => setNear(isNearBottom(main, bar.current ? barHeightPx : 0))
    const scrolled = () => {
      measure()
      onScroll()
    }
    const sizes = new ResizeObserver(measure)
    const observe = () => {
      sizes.disconnect()
      for (const element of [main, ...main.children]) sizes.observe(element)
    }
    const children = new MutationObserver(observe)
    children.observe(main, { childList: true })
    main.addEventListener('scroll', scrolled, { passive: true })
    observe()
    return () => {
      main.removeEventListener('scroll', scrolled)
      children.disconnect()
      sizes.disconnect()
    }
  }, [isWatching, path, bar, onScroll])
  return isNear
}
