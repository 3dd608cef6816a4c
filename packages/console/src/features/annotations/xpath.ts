/** A path to an element by position, from the nearest id that is its own, else from the top of the document. */
export function xpathOf(element: Element): string {
  const steps: string[] = []
  for (let each: Element | null = element; each; each = each.parentElement) {
    if (hasOwnId(each)) return `//*[@id="${each.id}"]${steps.map((step) => `/${step}`).join('')}`
    steps.unshift(stepOf(each))
  }
  return `/${steps.join('/')}`
}

function stepOf(element: Element): string {
  const name = element.localName
  let position = 1
  for (let each = element.previousElementSibling; each; each = each.previousElementSibling) {
    if (each.localName === name) position += 1
  }
  // XPath's names are those of XHTML; what stands in another namespace (SVG) is met by its local name.
  const test = element.namespaceURI === 'http://www.w3.org/1999/xhtml' ? name : `*[local-name()="${name}"]`
  return `${test}[${position}]`
}

// Ids that a library counts up (`_r_1_`, `radix-…`) are others on the next visit.
function hasOwnId({ id, ownerDocument }: Element): boolean {
  return /^[a-z][a-z-]*$/.test(id) && ownerDocument.querySelectorAll(`[id="${id}"]`).length === 1
}

/** The first element at a path; null where there is none, or where what is given is no path. */
export function elementAtXPath(document: Document, xpath: string): Element | null {
  try {
    const { singleNodeValue } = document.evaluate(xpath, document, null, 9, null)
    return singleNodeValue instanceof Element ? singleNodeValue : null
  } catch {
    // Whoever sent the note wrote the path: one that cannot be read leads nowhere.
    return null
  }
}
