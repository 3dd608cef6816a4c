import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

/** Pixels by density, as the styles draw rows. All rows of a table have the same height. */
const rowHeights = { normal: 36, dense: 28, touch: 44 }

/** Rows drawn beyond either edge, so that scrolling shows no gap. */
const overscan = 12

export interface RowWindow {
  /** Index of the first row drawn. */
  first: number
  /** Index after the last row drawn. */
  end: number
}

export function rowHeight(): number {
  if (matchMedia('(pointer: coarse)').matches) return rowHeights.touch
  return document.documentElement.dataset['density'] === 'dense' ? rowHeights.dense : rowHeights.normal
}

/** The rows to draw of `count` at a scroll position; all lengths in pixels. */
export function windowAt(scrollTop: number, viewport: number, height: number, count: number): RowWindow {
  const first = Math.max(0, Math.min(count, Math.floor(scrollTop / height)) - overscan)
  const end = Math.min(count, Math.ceil((scrollTop + viewport) / height) + overscan)
  return { first, end: Math.max(first, end) }
}

/** The rows to draw of a table that scrolls by itself; all of them while `isOn` is false. */
export function useRowWindow(box: RefObject<HTMLElement | null>, count: number, isOn: boolean): RowWindow {
  const [window, setWindow] = useState<RowWindow>({ first: 0, end: overscan * 4 })
  useEffect(() => {
    const element = box.current
    if (!isOn || !element) return
    const measure = () => {
      const next = windowAt(element.scrollTop, element.clientHeight, rowHeight(), count)
      setWindow((last) => (last.first === next.first && last.end === next.end ? last : next))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [box, count, isOn])
  return isOn
    ? { first: Math.min(window.first, count), end: Math.min(window.end, count) }
    : { first: 0, end: count }
}
