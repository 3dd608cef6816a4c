import { useLayoutEffect, useState } from 'react'
import type { Box } from './box.ts'
import { boxOf } from './box.ts'

/** Where elements stand, following them as the page scrolls, resizes and changes. */
export function useBoxes(elements: readonly Element[]): readonly Box[] {
  const [boxes, setBoxes] = useState<readonly Box[]>([])
  useLayoutEffect(() => {
    const measure = () => {
      frame = 0
      const next = elements.map(boxOf)
      setBoxes((known) => (isSame(known, next) ? known : next))
    }
    const later = () => (frame ||= requestAnimationFrame(measure))
    let frame = 0
    measure()
    const resizes = new ResizeObserver(later)
    for (const element of elements) resizes.observe(element)
    const changes = new MutationObserver(later)
    changes.observe(document.body, { childList: true, subtree: true })
    window.addEventListener('scroll', later, { capture: true, passive: true })
    window.addEventListener('resize', later)
    return () => {
      cancelAnimationFrame(frame)
      resizes.disconnect()
      changes.disconnect()
      window.removeEventListener('scroll', later, { capture: true })
      window.removeEventListener('resize', later)
    }
  }, [elements])
  return boxes
}

function isSame(some: readonly Box[], others: readonly Box[]): boolean {
  return (
    some.length === others.length &&
    some.every((box, index) => {
      const other = others[index]
      return (
        other !== undefined &&
        box.top === other.top &&
        box.left === other.left &&
        box.width === other.width &&
        box.height === other.height
      )
    })
  )
}
