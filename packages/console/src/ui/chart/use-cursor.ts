import { useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import type { ChartRange } from './chart-types.ts'

/** From which distance on a drag is a selection, and not a click. */
const leastDragPx = 5

export interface Selection {
  from: number
  to: number
}

/**
 * What is pointed at, by pointer or arrow keys, and what is selected by dragging or with Shift. A selection is handed
 * to `onZoom`; Escape gives it up, and then leaves the zoom.
 */
export function useCursor({
  times,
  range,
  width,
  onZoom,
  onZoomOut,
}: {
  times: readonly number[]
  range: ChartRange
  width: number
  onZoom: ((range: ChartRange) => void) | undefined
  onZoomOut: (() => void) | undefined
}) {
  const [index, setIndex] = useState<number>()
  const [selection, setSelection] = useState<Selection>()
  const dragFrom = useRef<{ x: number; index: number }>(undefined)
  const last = times.length - 1

  function indexAt(x: number): number {
    const at = range.fromMs + (x / width) * (range.toMs - range.fromMs)
    const first = times[0] ?? 0
    const stepMs = Math.max(1, (times[1] ?? first + 1) - first)
    return Math.max(0, Math.min(last, Math.round((at - first) / stepMs)))
  }

  function zoom({ from, to }: Selection): void {
    setSelection(undefined)
    const [a, b] = [times[Math.min(from, to)], times[Math.max(from, to)]]
    if (a !== undefined && b !== undefined && b > a) onZoom?.({ fromMs: a, toMs: b })
  }

  const xOf = (event: PointerEvent<HTMLElement>) =>
    event.clientX - event.currentTarget.getBoundingClientRect().left

  const pointer = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      // A finger scrolls the page; the buttons choose the range.
      if (event.button !== 0 || event.pointerType === 'touch' || !onZoom) return
      const x = xOf(event)
      dragFrom.current = { x, index: indexAt(x) }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const x = xOf(event)
      const at = indexAt(x)
      setIndex(at)
      const from = dragFrom.current
      if (from && Math.abs(x - from.x) >= leastDragPx) setSelection({ from: from.index, to: at })
    },
    onPointerUp() {
      if (dragFrom.current && selection) zoom(selection)
      dragFrom.current = undefined
    },
    onPointerCancel() {
      dragFrom.current = undefined
      setSelection(undefined)
    },
    onPointerLeave() {
      if (!dragFrom.current) setIndex(undefined)
    },
    onBlur() {
      setIndex(undefined)
      setSelection(undefined)
    },
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const move = moves[event.key]
    if (move) {
      event.preventDefault()
      const from = index ?? last
      const to = Math.max(0, Math.min(last, move(from, last)))
      setIndex(to)
      setSelection(event.shiftKey && onZoom ? { from: selection?.from ?? from, to } : undefined)
    } else if (event.key === 'Enter' && selection) {
      event.preventDefault()
      zoom(selection)
    } else if (event.key === 'Escape' && (selection || index !== undefined || onZoomOut)) {
      // What lies above the page, such as a drawer, hears of the next one.
      event.stopPropagation()
      if (!selection && index === undefined) onZoomOut?.()
      setSelection(undefined)
      setIndex(undefined)
    }
  }

  return {
    index: index === undefined ? undefined : Math.min(index, last),
    selection,
    handlers: { ...pointer, onKeyDown },
  }
}

const moves: Record<string, (index: number, last: number) => number> = {
  ArrowLeft: (index) => index - 1,
  ArrowDown: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  ArrowUp: (index) => index + 1,
  PageDown: (index) => index - 12,
  PageUp: (index) => index + 12,
  Home: () => 0,
  End: (_, last) => last,
}
