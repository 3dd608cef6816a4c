import { useEffect, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'

const focusable = 'a[href], button:not([tabindex="-1"]), input, select, textarea, [tabindex="0"]'

/**
 * Whether something of a wide box is left to its right, and whether the box itself has to take the focus: where it
 * scrolls and holds nothing that the keyboard reaches.
 */
export function useSidewaysScroll(box: RefObject<HTMLElement | null>): {
  hasMore: boolean
  needsFocus: boolean
} {
  const [hasMore, setHasMore] = useState(false)
  const [needsFocus, setNeedsFocus] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const measure = () => {
      const isWider = element.scrollWidth > element.clientWidth + 1
      setNeedsFocus(isWider && element.querySelector(focusable) === null)
      setHasMore(element.scrollLeft + element.clientWidth < element.scrollWidth - 1)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [box])
  return { hasMore, needsFocus }
}

export function focusableBox(needsFocus: boolean, label: string) {
  return needsFocus ? ({ tabIndex: 0, role: 'group', 'aria-label': label } as const) : {}
}

/** Scrolls what is too wide for its place, with the keyboard as well. */
export function SidewaysScroll({ label, children }: { label: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const { needsFocus } = useSidewaysScroll(box)
  return (
    <div ref={box} className="overflow-x-auto" {...focusableBox(needsFocus, label)}>
      {children}
    </div>
  )
}
