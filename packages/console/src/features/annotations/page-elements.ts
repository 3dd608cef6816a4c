import { annotationLimits } from '@bey/contract'
import { ownAttribute } from '../../data/annotation-mode.ts'
import type { Box, Point } from './box.ts'
import { boxOf, isWithin } from './box.ts'

const own = `[${ownAttribute}]`
const controls = 'a,button,input,select,textarea,img,svg,canvas,video,hr,[data-component],[role="img"]'

/** What one sees at a point of the page, beneath annotation mode. A drawing counts as a whole. */
export function elementAt({ x, y }: Point): Element | undefined {
  const found = document.elementsFromPoint(x, y).find((each) => !each.closest(own))
  if (!found || found === document.documentElement) return undefined
  return found.closest('svg') ?? found
}

/**
 * Every visible element that lies wholly in a box: what shows something of its own there, be it text, a picture, a
 * control or a component. Where there are more than can be kept, those inside another of them are left out. A box in
 * the middle of one element represents that element.
 */
export function elementsIn(box: Box): Element[] {
  const all = [...document.body.querySelectorAll('*')].filter(
    (each) => showsSomething(each) && isWithin(boxOf(each), box) && isSeen(each),
  )
  if (all.length > 0) return all.length > annotationLimits.elements ? outermost(all) : all
  const only = elementAt({ x: box.left + box.width / 2, y: box.top + box.height / 2 })
  return only ? [only] : []
}

function outermost(elements: readonly Element[]): Element[] {
  const known = new Set(elements)
  const hasKnownParent = (element: Element) => {
    for (let each = element.parentElement; each; each = each.parentElement) if (known.has(each)) return true
    return false
  }
  return elements.filter((each) => !hasKnownParent(each)).slice(0, annotationLimits.elements)
}

function showsSomething(element: Element): boolean {
  if (element.closest(own) || element.parentElement?.closest('svg')) return false
  return element.matches(controls) || [...element.childNodes].some(isText)
}

function isText(node: Node): boolean {
  return node.nodeType === Node.TEXT_NODE && (node.nodeValue ?? '').trim() !== ''
}

/** Not hidden, not scrolled out of its box, not beneath something else. */
function isSeen(element: Element): boolean {
  const { top, left, width, height } = boxOf(element)
  // A hairline has no height of its own to be hit.
  if (width === 0 || height === 0) return false
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
  const middle = { x: left + width / 2, y: top + height / 2 }
  const seen = document.elementsFromPoint(middle.x, middle.y).find((each) => !each.closest(own))
  if (!seen) return false
  // What lets the pointer through is not hit itself; what it lies on is.
  const isLetThrough = getComputedStyle(element).pointerEvents === 'none'
  return element.contains(seen) || (isLetThrough && seen.contains(element))
}

/** Whether something is drawn by annotation mode itself. */
export function isOwnElement(element: Element): boolean {
  return element.closest(own) !== null
}
