import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { MouseEvent, PointerEvent } from 'react'
import { createPortal } from 'react-dom'
import { Banner } from './banner.tsx'
import type { Box, Point } from './box.ts'
import { boxBetween, boxOf, isDrag, unionOf } from './box.ts'
import type { ComponentLevel } from './component-levels.ts'
import { componentNameOf, levelsOf, neighbourOf } from './component-levels.ts'
import { LevelList } from './level-list.tsx'
import { Outline, Outlines } from './outlines.tsx'
import { setAnnotationMode } from '../../data/annotation-mode.ts'
import type { OverlayAction } from './overlay-keys.ts'
import { useOverlayKeys } from './overlay-keys.ts'
import { ownAttribute } from '../../data/annotation-mode.ts'
import { elementAt, elementsIn, isOwnElement } from './page-elements.ts'
import { restoreSelection } from './remembered-selection.ts'
import { scrollPageAt } from './scroll-page.ts'
import type { Targets } from './selection.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

const AddAnnotationDialog = lazyPart(() => import('./add-annotation-dialog.tsx'))

interface Drag {
  from: Point
  to: Point
}

interface Tree {
  at: Point
  /** The element whose levels these are. */
  of: Element
  levels: readonly ComponentLevel[]
}

const pointOf = ({ clientX, clientY }: MouseEvent): Point => ({ x: clientX, y: clientY })
const own = { [ownAttribute]: '' }
const none: readonly Element[] = []

/** Lies over the page while it is annotated: the pointer and the keys choose elements, and the page feels neither. */
export default function Overlay() {
  const [target, setTarget] = useState<Element>()
  const [drag, setDrag] = useState<Drag>()
  /** Marking an area by two corners; the box is the first of them. */
  const [marking, setMarking] = useState<'off' | 'first' | Box>('off')
  const [tree, setTree] = useState<Tree>()
  const [targets, setTargets] = useState<Targets>()
  const layer = useRef<HTMLDivElement>(null)
  const closeTree = useCallback(() => setTree(undefined), [])

  const pick = (elements: readonly Element[], isArea: boolean, innermost?: Element) => {
    setTree(undefined)
    setMarking('off')
    if (elements.length > 0) setTargets({ elements, isArea, ...(innermost ? { innermost } : {}) })
  }
  const selectElement = (element: Element | undefined, place: Box | undefined) => {
    if (marking === 'off') pick(element ? [element] : [], false)
    else if (!place) return
    else if (marking === 'first') setMarking(place)
    else pick(elementsIn(unionOf([marking, place])), true)
  }
  const openTree = (at: Point, element: Element | undefined) => {
    const levels = element ? levelsOf(element) : []
    if (element && levels.length > 0) setTree({ at, of: element, levels })
  }
  const act = (action: OverlayAction) => {
    const from = target?.isConnected ? target : firstTarget()
    if (action === 'leave') return marking === 'off' ? setAnnotationMode(false) : setMarking('off')
    if (action === 'select') return selectElement(from, boxOf(from))
    if (action === 'tree') {
      const { left, top } = boxOf(from)
      return openTree({ x: left + 8, y: Math.max(8, top + 8) }, from)
    }
    const next = neighbourOf(from, action)
    next.scrollIntoView({ block: 'nearest' })
    setTarget(next)
  }
  // First, for the next one keeps keys from everything after it.
  useFocusedElement(setTarget)
  useOverlayKeys(targets === undefined && tree === undefined, isOwnElement, act)
  useWheel(layer, targets === undefined)
  useEffect(restoreSelection, [])

  const isDragging = drag !== undefined && isDrag(drag.from, drag.to)
  const shown = useMemo(() => (target ? [target] : []), [target])
  const selected = targets?.elements ?? (isDragging ? none : shown)

  return createPortal(
    <div {...own}>
      <div className="pointer-events-none fixed inset-0 z-[46]">
        <Outlines
          elements={selected}
          label={targets?.isArea ? undefined : selected[0] && componentNameOf(selected[0])}
          isFilled
        />
        {isDragging ? <Outline box={boxBetween(drag.from, drag.to)} isDashed isFilled /> : null}
        {typeof marking === 'object' ? <Outline box={marking} label="First corner" isDashed /> : null}
      </div>
      {targets ? (
        <Suspense fallback={null}>
          <AddAnnotationDialog
            targets={targets}
            onSelect={setTargets}
            onClose={() => setTargets(undefined)}
          />
        </Suspense>
      ) : (
        <div
          ref={layer}
          role="presentation"
          className="pointer-events-auto fixed inset-0 z-[55] cursor-crosshair touch-none select-none"
          // What the page has open (a menu, a dialog) must not take this for a press outside of it.
          onPointerDown={(event) => {
            event.stopPropagation()
            if (event.target !== event.currentTarget || event.button !== 0 || tree) return
            event.currentTarget.setPointerCapture(event.pointerId)
            setDrag({ from: pointOf(event), to: pointOf(event) })
          }}
          onPointerMove={(event) => {
            if (drag) setDrag({ ...drag, to: pointOf(event) })
            else if (event.target === event.currentTarget && !tree) setTarget(elementAt(pointOf(event)))
          }}
          onPointerUp={(event: PointerEvent) => {
            if (!drag) return
            const to = pointOf(event)
            setDrag(undefined)
            if (isDrag(drag.from, to)) pick(elementsIn(boxBetween(drag.from, to)), true)
            else selectElement(elementAt(to), { left: to.x, top: to.y, width: 0, height: 0 })
          }}
          onPointerCancel={() => setDrag(undefined)}
          // Else the browser would drop the text that is selected in the page.
          onMouseDown={(event) => {
            event.stopPropagation()
            event.preventDefault()
          }}
          onClick={(event) => event.stopPropagation()}
          onContextMenu={(event) => {
            event.preventDefault()
            event.stopPropagation()
            setDrag(undefined)
            if (event.target === event.currentTarget) openTree(pointOf(event), elementAt(pointOf(event)))
          }}
        >
          <section aria-label="Annotation mode">
            <Banner
              marking={typeof marking === 'object' ? 'second' : marking}
              onMark={() => setMarking(marking === 'off' ? 'first' : 'off')}
              onLeave={() => setAnnotationMode(false)}
            />
            {tree ? (
              <LevelList
                at={tree.at}
                levels={tree.levels}
                onLook={(level) => setTarget(level.element)}
                onChoose={(level) => pick([level.element], false, tree.of)}
                onClose={closeTree}
              />
            ) : null}
            <output className="sr-only">{target ? componentNameOf(target) : ''}</output>
          </section>
        </div>
      )}
    </div>,
    document.body,
  )
}

/** Where the keys begin before the pointer has been anywhere: the page itself. */
function firstTarget(): Element {
  return document.querySelector('main [data-component]') ?? document.querySelector('main') ?? document.body
}

// Tab goes through the page as ever; what it reaches is what Enter selects. A focus that a closed dialog gives back
// means nothing.
function useFocusedElement(onFocus: (element: Element) => void) {
  useEffect(() => {
    let isTabbing = false
    const note = ({ key, type }: KeyboardEvent) => (isTabbing = key === 'Tab' && type === 'keydown')
    const follow = ({ target }: FocusEvent) => {
      const isOfPage = target instanceof Element && !isOwnElement(target) && target !== document.body
      if (isTabbing && isOfPage) onFocus(target)
    }
    const options = { capture: true }
    window.addEventListener('keydown', note, options)
    window.addEventListener('keyup', note, options)
    window.addEventListener('focusin', follow)
    return () => {
      window.removeEventListener('keydown', note, options)
      window.removeEventListener('keyup', note, options)
      window.removeEventListener('focusin', follow)
    }
  }, [onFocus])
}

// React listens to the wheel passively, and then it could not be kept from zooming.
function useWheel(layer: { current: HTMLElement | null }, isActive: boolean) {
  useEffect(() => {
    const element = layer.current
    if (!isActive || !element) return
    element.addEventListener('wheel', scrollPageAt, { passive: false })
    return () => element.removeEventListener('wheel', scrollPageAt)
  }, [layer, isActive])
}
