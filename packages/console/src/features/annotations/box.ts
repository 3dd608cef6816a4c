/** A rectangle in the viewport, in CSS pixels. */
export interface Box {
  top: number
  left: number
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

/** A move of the pointer shorter than this is a click. */
export const minDragPx = 5

export function isDrag(from: Point, to: Point): boolean {
  return Math.hypot(to.x - from.x, to.y - from.y) >= minDragPx
}

export function boxBetween(a: Point, b: Point): Box {
  return {
    top: Math.min(a.y, b.y),
    left: Math.min(a.x, b.x),
    width: Math.abs(a.x - b.x),
    height: Math.abs(a.y - b.y),
  }
}

export function boxOf(element: Element): Box {
  const { top, left, width, height } = element.getBoundingClientRect()
  return { top, left, width, height }
}

/** The smallest box around all of them. */
export function unionOf(boxes: readonly Box[]): Box {
  const top = Math.min(...boxes.map((each) => each.top))
  const left = Math.min(...boxes.map((each) => each.left))
  const bottom = Math.max(...boxes.map((each) => each.top + each.height))
  const right = Math.max(...boxes.map((each) => each.left + each.width))
  return { top, left, width: right - left, height: bottom - top }
}

export function isWithin(inner: Box, outer: Box): boolean {
  return (
    inner.top >= outer.top &&
    inner.left >= outer.left &&
    inner.top + inner.height <= outer.top + outer.height &&
    inner.left + inner.width <= outer.left + outer.width
  )
}
