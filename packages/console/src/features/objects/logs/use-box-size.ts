import { useLayoutEffect, useState } from 'react'
import type { RefObject } from 'react'
import type { TimeColumn } from './log-row.tsx'

/** Height of the box of a log in pixels, and how many characters of a line's text fit beside one another. */
export function useBoxSize(
  box: RefObject<HTMLDivElement | null>,
  { hasLines, time }: { hasLines: boolean; time: TimeColumn },
): { height: number; columns: number } {
  const [size, setSize] = useState({ height: 600, columns: 120 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      const text = element.querySelector('[data-log-text]')
      const columns = text ? Math.max(20, Math.floor(text.clientWidth / characterWidth(element))) : 120
      setSize((last) =>
        last.height === element.clientHeight && last.columns === columns
          ? last
          : { height: element.clientHeight, columns },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
    // The first line brings the column whose width is measured.
  }, [box, hasLines, time])
  return size
}

const widths = new Map<string, number>()

/** Of the box's own font, which is the same for every character. */
function characterWidth(element: HTMLElement): number {
  const { font } = getComputedStyle(element)
  const known = widths.get(font)
  if (known !== undefined) return known
  const context = document.createElement('canvas').getContext('2d')
  if (!context) return 8
  context.font = font
  const width = context.measureText('0'.repeat(100)).width / 100
  widths.set(font, width)
  return width
}
