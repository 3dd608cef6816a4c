import { elementAt } from './page-elements.ts'

const lineHeightPx = 16

/** Scrolls what lies beneath the pointer, which the layer of annotation mode would keep from it. */
export function scrollPageAt(event: WheelEvent): void {
  // With Ctrl it zooms the page.
  if (event.ctrlKey) return
  event.preventDefault()
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? lineHeightPx : 1
  const by = { left: event.deltaX * unit, top: event.deltaY * unit }
  const isSideways = Math.abs(by.left) > Math.abs(by.top)
  let each = elementAt({ x: event.clientX, y: event.clientY }) ?? null
  while (each && !canScroll(each, isSideways)) each = each.parentElement
  each?.scrollBy(by)
}

function canScroll(element: Element, isSideways: boolean): boolean {
  const { overflowX, overflowY } = getComputedStyle(element)
  const hasMore = isSideways
    ? element.scrollWidth > element.clientWidth
    : element.scrollHeight > element.clientHeight
  return hasMore && /auto|scroll/.test(isSideways ? overflowX : overflowY)
}
