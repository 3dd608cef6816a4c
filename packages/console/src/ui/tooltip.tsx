import { useEffect, useId, useRef, useState } from 'react'
import type { CSSProperties } from 'react'
import { absoluteTime } from './time-text.ts'

const openDelayMs = 700
/** Moving from one tooltip to the next within this time opens it at once. */
const skipDelayMs = 300
const gap = 6

const anchors = '[data-tooltip], [data-tooltip-time]'

interface Shown {
  text: string
  style: CSSProperties
}

/**
 * One layer for every tooltip of the page: any element with `data-tooltip` has one, and so has any with
 * `data-tooltip-time`, an ISO time that is written as a person reads it only when it is shown.
 * Text that is cut off shows itself whole without either. `data-tooltip-side` is `top` (default), `bottom`, `left` or `right`; inside `data-tooltip-delay="0"` it opens at once.
 */
export function TooltipLayer() {
  const [shown, setShown] = useState<Shown | null>(null)
  const id = useId()
  const anchor = useRef<Element | null>(null)

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let closedAt = 0

    const close = () => {
      clearTimeout(timer)
      if (anchor.current) {
        if (anchor.current.getAttribute('aria-describedby') === id)
          anchor.current.removeAttribute('aria-describedby')
        anchor.current = null
        closedAt = performance.now()
      }
      setShown(null)
    }
    const open = (target: Element) => {
      const text = tooltipText(target)
      if (!text || !target.isConnected) return
      anchor.current = target
      // A label that the element already has as its name is not read twice.
      if (
        !target.hasAttribute('aria-describedby') &&
        !text.startsWith(target.getAttribute('aria-label') ?? '\0')
      ) {
        target.setAttribute('aria-describedby', id)
      }
      setShown({ text, style: placeBeside(target) })
    }
    const schedule = (target: Element) => {
      if (target === anchor.current) return
      close()
      const isInstant = target.closest('[data-tooltip-delay="0"]') !== null
      const isSkipping = performance.now() - closedAt < skipDelayMs
      timer = setTimeout(() => open(target), isInstant || isSkipping ? 0 : openDelayMs)
    }
    const onOver = (event: PointerEvent) => {
      if (event.pointerType === 'touch' || !(event.target instanceof Element)) return
      const target = event.target.closest(anchors) ?? cutOffAround(event.target)
      if (target) schedule(target)
      else close()
    }
    const onFocus = (event: FocusEvent) => {
      if (!(event.target instanceof Element) || !event.target.matches(':focus-visible')) return
      const target = event.target.closest(anchors)
      const cut = target ? undefined : (cutOffAround(event.target) ?? cutOffWithin(event.target))
      if (target === event.target || cut) schedule(cut ?? event.target)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close()
    }
    document.addEventListener('pointerover', onOver)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('focusout', close)
    document.addEventListener('pointerdown', close)
    document.addEventListener('keydown', onKey)
    window.addEventListener('scroll', close, true)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', onOver)
      document.removeEventListener('focusin', onFocus)
      document.removeEventListener('focusout', close)
      document.removeEventListener('pointerdown', close)
      document.removeEventListener('keydown', onKey)
      window.removeEventListener('scroll', close, true)
    }
  }, [id])

  if (!shown) return null
  return (
    <div
      id={id}
      role="tooltip"
      style={shown.style}
      className="pointer-events-none fixed z-[60] w-max max-w-72 animate-fade-in rounded-control border border-line bg-overlay px-2 py-1 text-small whitespace-pre-line text-text shadow-float"
    >
      {shown.text}
    </div>
  )
}

function tooltipText(target: Element): string | null {
  const time = target.getAttribute('data-tooltip-time')
  if (time !== null) return absoluteTime(new Date(time))
  return target.getAttribute('data-tooltip') ?? (isCutOff(target) ? wholeText(target) : null)
}

/** What a text can stand in before it is a whole row or page. */
const maxLevels = 6

/** Whether it ends in an ellipsis. */
function isCutOff(element: Element): boolean {
  return (
    element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).textOverflow === 'ellipsis'
  )
}

function cutOffAround(target: Element): Element | undefined {
  let element: Element | null = target
  for (let level = 0; element !== null && level < maxLevels; level += 1) {
    if (isCutOff(element)) return element
    if (element.matches('td, th, li')) return undefined
    element = element.parentElement
  }
  return undefined
}

const cutOffWithin = (target: Element) => [...target.querySelectorAll('.truncate')].find(isCutOff)

const wholeText = (element: Element) => (element.textContent ?? '').trim().slice(0, 1_000)

function placeBeside(target: Element): CSSProperties {
  const box = target.getBoundingClientRect()
  const side = target.getAttribute('data-tooltip-side') ?? 'top'
  const middleX = Math.min(window.innerWidth - 8, Math.max(8, box.left + box.width / 2))
  const middleY = box.top + box.height / 2
  if (side === 'right') return { left: box.right + gap, top: middleY, transform: 'translateY(-50%)' }
  if (side === 'left')
    return { right: window.innerWidth - box.left + gap, top: middleY, transform: 'translateY(-50%)' }
  // Near an edge the tooltip hangs from that edge instead of from the middle, so that it is never cut off.
  const shift = middleX < 150 ? '0%' : middleX > window.innerWidth - 150 ? '-100%' : '-50%'
  const left = shift === '0%' ? box.left : shift === '-100%' ? box.right : middleX
  const fitsAbove = side !== 'bottom' && box.top > 44
  return fitsAbove
    ? { left, bottom: window.innerHeight - box.top + gap, transform: `translateX(${shift})` }
    : { left, top: box.bottom + gap, transform: `translateX(${shift})` }
}
