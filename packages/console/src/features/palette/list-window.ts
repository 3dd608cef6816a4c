import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Pixels drawn beyond either edge, so that scrolling shows no gap. */
const overscanPx = 240
/** The same while nobody has scrolled, for what opens shall open fast: as far as one turn of a wheel goes. */
const firstOverscanPx = 100

export interface Span {
  /** Index of the first row drawn. */
  first: number
  /** Index after the last row drawn. */
  end: number
}

/** Where each row begins, and at the end where the last one ends; all in pixels. */
export function offsetsOf(heights: readonly number[]): number[] {
  const offsets = [0]
  let sum = 0
  for (const height of heights) offsets.push((sum += height))
  return offsets
}

/** The rows of which some part lies between `top` and `bottom`. */
export function spanOf(offsets: readonly number[], top: number, bottom: number): Span {
  const last = offsets.length - 1
  const first = Math.max(0, firstAbove(offsets, top) - 1)
  return { first: Math.min(first, last), end: Math.min(last, firstAbove(offsets, bottom)) }
}

// Index of the first offset that is greater than `position`.
function firstAbove(offsets: readonly number[], position: number): number {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] ?? 0) > position) high = middle
    else low = middle + 1
  }
  return low
}

/** The rows to draw of a box that scrolls. */
export function useListWindow(box: RefObject<HTMLElement | null>, offsets: readonly number[]): Span {
  const [scrollTop, setScrollTop] = useState(0)
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => setScrollTop(element.scrollTop)
    element.addEventListener('scroll', measure, { passive: true })
    return () => element.removeEventListener('scroll', measure)
  }, [box])
  // A list that became shorter scrolls by itself before it says so.
  const top = Math.min(scrollTop, offsets.at(-1) ?? 0)
  const overscan = top === 0 ? firstOverscanPx : overscanPx
  return spanOf(offsets, top - overscan, top + 300 + overscan)
}
