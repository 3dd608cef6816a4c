import type { Page } from '@playwright/test'

/**
 * Texts of the page that are cut off where nothing shows them whole, and names of rows that are cut off at all. A text that
 * ends in an ellipsis shows itself whole when it is pointed at; one in a box that scrolls is not cut off.
 */
export async function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const main = document.querySelector('#main') ?? document.body
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    const found = new Set<string>()
    const range = document.createRange()
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      const element = node.parentElement
      if (text === '' || !element || element.closest('svg, canvas, pre, textarea, .cm-editor, .react-flow'))
        continue
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      // What is for screen readers alone is one pixel wide.
      if (box.width < 2 || element.getBoundingClientRect().width <= 1) continue
      const cut = cutter(element, box)
      if (!cut) continue
      // Beside the name stands what is said of it, in a lighter weight.
      const isName =
        element.closest('td[data-identity]') !== null && Number(getComputedStyle(element).fontWeight) >= 500
      const isTold =
        getComputedStyle(cut).textOverflow === 'ellipsis' || element.closest('[data-tooltip]') !== null
      if (isName || !isTold) found.add(`${isName ? 'name ' : ''}"${text.slice(0, 60)}"`)
    }
    return [...found]

    /** The box that hides a part of a text; undefined where none does, or where one can be scrolled. */
    function cutter(from: Element, box: DOMRect): Element | undefined {
      for (let each: Element | null = from; each && each !== main; each = each.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(each)
        const isScrolled = [overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll')
        if (isScrolled) return undefined
        const edge = each.getBoundingClientRect()
        if (position === 'absolute' && edge.width <= 1) return undefined
        const isHidden = [overflowX, overflowY].some((value) => value === 'hidden' || value === 'clip')
        if (isHidden && (box.right > edge.right + 1.5 || box.bottom > edge.bottom + 3)) return each
      }
      return undefined
    }
  })
}
