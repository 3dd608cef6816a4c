import { getFiberFromHostInstance, getDisplayName, isCompositeFiber } from 'bippy'
import type { Fiber } from 'bippy'
import { getRawSource, getSource } from 'bippy/source'
import { toast } from '../../ui/toast.ts'

const labelHeightPx = 18

/** With Alt held, outlines the component under the pointer; a click then opens its source in the editor. */
export function startClickToComponent(): () => void {
  const outline = createOutline()
  const point = (event: MouseEvent) => {
    const found = event.altKey ? componentAt(event.target) : undefined
    if (found) outline.show(found.element, found.name)
    else outline.hide()
  }
  const click = (event: MouseEvent) => {
    const found = event.altKey ? componentAt(event.target) : undefined
    if (!found) return
    event.preventDefault()
    event.stopPropagation()
    void openSource(found.fiber, found.name)
  }
  const release = (event: KeyboardEvent) => {
    if (event.key === 'Alt') outline.hide()
  }
  const capture = { capture: true }
  window.addEventListener('mousemove', point, capture)
  window.addEventListener('click', click, capture)
  window.addEventListener('keyup', release, capture)
  return () => {
    window.removeEventListener('mousemove', point, capture)
    window.removeEventListener('click', click, capture)
    window.removeEventListener('keyup', release, capture)
    outline.remove()
  }
}

interface FoundComponent {
  element: Element
  /** Of the element itself: its source is where the component writes it. */
  fiber: Fiber
  name: string
}

function componentAt(target: EventTarget | null): FoundComponent | undefined {
  if (!(target instanceof Element)) return undefined
  const fiber = getFiberFromHostInstance(target)
  if (!fiber) return undefined
  let owner: Fiber | null = fiber
  while (owner && !(isCompositeFiber(owner) && getDisplayName(owner.type))) owner = owner.return
  return { element: target, fiber, name: (owner && getDisplayName(owner.type)) || 'component' }
}

async function openSource(fiber: Fiber, name: string): Promise<void> {
  const place = await placeOf(fiber)
  if (!place) {
    toast('warning', `The source of ${name} is not known`)
    return
  }
  // Vite opens the file in the editor that runs, or in the one that LAUNCH_EDITOR names.
  const reply = await fetch(`/__open-in-editor?file=${encodeURIComponent(place)}`)
  if (reply.ok) toast('info', `Opening ${name}`, { description: place, id: 'click-to-component' })
  else toast('error', `${name} could not be opened`, { description: place })
}

/** Where an element is written, as "src/ui/button.tsx:12:5", seen from where Vite runs. */
async function placeOf(fiber: Fiber): Promise<string | undefined> {
  const served = getRawSource(fiber)
  const written = await getSource(fiber)
  if (!served || !written) return undefined
  // The source map knows the line, but of the file no more than its name; the address it was served from is its path.
  const path = new URL(served.fileName, location.href).pathname.replace(/^\/@fs(?=\/)|^\//, '')
  return `${path}:${written.lineNumber ?? 1}:${written.columnNumber ?? 1}`
}

function createOutline() {
  const box = document.createElement('div')
  box.setAttribute('aria-hidden', 'true')
  Object.assign(box.style, {
    position: 'fixed',
    zIndex: '90',
    pointerEvents: 'none',
    outline: '2px solid var(--accent)',
    background: 'var(--accent-soft)',
    display: 'none',
  })
  const label = document.createElement('span')
  Object.assign(label.style, {
    position: 'absolute',
    left: '-2px',
    padding: '0 4px',
    font: '11px/16px ui-monospace, monospace',
    background: 'var(--accent)',
    color: 'var(--accent-label)',
  })
  box.append(label)
  document.body.append(box)
  return {
    show(element: Element, name: string) {
      const { left, top, width, height } = element.getBoundingClientRect()
      Object.assign(box.style, {
        display: 'block',
        left: `${left}px`,
        top: `${top}px`,
        width: `${width}px`,
        height: `${height}px`,
      })
      // Above the component, or within where that would be out of sight.
      label.style.bottom = top < labelHeightPx ? '' : '100%'
      label.textContent = name
    },
    hide() {
      box.style.display = 'none'
    },
    remove() {
      box.remove()
    },
  }
}
