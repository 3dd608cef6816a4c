/** One component of the tree above an element, and the element that it draws. */
export interface ComponentLevel {
  name: string
  element: Element
}

const attribute = 'data-component'
const selector = `[${attribute}]`

/** The components around an element, from the outermost to its own. */
export function levelsOf(element: Element): ComponentLevel[] {
  const levels: ComponentLevel[] = []
  for (let each = element.closest(selector); each; each = each.parentElement?.closest(selector) ?? null) {
    levels.unshift({ name: nameOf(each), element: each })
  }
  return levels
}

/** The component that an element belongs to; what belongs to none goes by its tag. */
export function componentNameOf(element: Element): string {
  const own = element.closest(selector)
  return own ? nameOf(own) : element.localName
}

function nameOf(element: Element): string {
  return element.getAttribute(attribute) || element.localName
}

export type Direction = 'parent' | 'child' | 'previous' | 'next'

/** The component beside another in the tree; the same one where there is none. */
export function neighbourOf(element: Element, direction: Direction): Element {
  const own = element.closest(selector) ?? element
  const parent = own.parentElement?.closest(selector) ?? null
  if (direction === 'parent') return parent ?? own
  if (direction === 'child') return own.querySelector(selector) ?? own
  const siblings = [...(parent ?? own.ownerDocument.body).querySelectorAll(selector)].filter(
    (each) => (each.parentElement?.closest(selector) ?? null) === parent,
  )
  return siblings[siblings.indexOf(own) + (direction === 'next' ? 1 : -1)] ?? own
}
