import { useEffect, useRef } from 'react'
import type { PointerEvent, RefObject } from 'react'
import type { LogListHandle } from './log-list.tsx'
import type { LogStore } from '../../../entities/kubernetes/logs/log-store.ts'

const width = 72
/** How often it is drawn while lines come; a hand that scrolls is followed at once. */
const periodMs = 250

/** Everything at a glance: severities as bars, matches at the right, and the part that is seen. Click jumps. */
export function LogMinimap({
  store,
  list,
  matches,
  scrolled,
}: {
  store: LogStore
  list: RefObject<LogListHandle | null>
  matches: readonly number[]
  /** Changes when the list was scrolled. */
  scrolled: number
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const matchesNow = useRef(matches)
  const draw = useRef(() => undefined as void)

  useEffect(() => {
    matchesNow.current = matches
    draw.current()
  }, [matches, scrolled])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    draw.current = () => {
      const element = canvas.current
      const handle = list.current
      if (element && handle) paint(element, store, handle, matchesNow.current)
    }
    const later = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        draw.current()
      }, periodMs)
    }
    later()
    const stop = store.subscribe(later)
    const observer = new ResizeObserver(later)
    if (canvas.current) observer.observe(canvas.current)
    return () => {
      stop()
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [store, list])

  const jump = (event: PointerEvent<HTMLCanvasElement>) => {
    const handle = list.current
    if (!handle || event.buttons !== 1) return
    const box = event.currentTarget.getBoundingClientRect()
    const share = (event.clientY - box.top) / box.height
    const height = handle.box.current?.clientHeight ?? 0
    handle.scrollToOffset(Math.max(0, share * handle.layout.total() - height / 2))
  }

  return (
    <canvas
      ref={canvas}
      aria-hidden
      onPointerDown={jump}
      onPointerMove={jump}
      style={{ width }}
      className="h-full shrink-0 cursor-pointer border-l border-line bg-sunken max-md:hidden"
    />
  )
}

function paint(
  element: HTMLCanvasElement,
  store: LogStore,
  { layout, box }: LogListHandle,
  matches: readonly number[],
): void {
  const context = element.getContext('2d')
  const height = element.clientHeight
  if (!context || height === 0) return
  const ratio = window.devicePixelRatio || 1
  if (element.width !== width * ratio || element.height !== height * ratio) {
    element.width = width * ratio
    element.height = height * ratio
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  const { visible } = store.snapshot()
  const total = Math.max(layout.total(), 1)
  // A short log stands at the top as it does in the list, a line two pixels high.
  const scale = Math.min(height / total, 0.15)
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(name)
  const colors = {
    warn: color('--warn'),
    error: color('--danger'),
    rule: color('--text-3'),
    line: color('--line-strong'),
    match: color('--accent'),
    view: color('--control'),
  }
  const found = new Set(matches)
  const step = Math.max(1, Math.floor(visible.length / (height * 4)))
  let lastRow = -1
  for (let index = 0; index < visible.length; index += 1) {
    const entry = visible[index]
    if (!entry) continue
    const isBad = entry.kind === 'line' && (entry.severity === 'error' || entry.severity === 'fatal')
    const isSlow = entry.kind === 'line' && entry.severity === 'warn'
    const y = Math.floor(layout.offsetOf(index) * scale)
    if (entry.kind === 'rule' || isBad || isSlow) {
      context.fillStyle = isBad ? colors.error : isSlow ? colors.warn : colors.rule
      context.fillRect(8, y, isBad ? 44 : 34, 1.5)
    } else if (y !== lastRow && index % step === 0) {
      context.fillStyle = colors.line
      context.fillRect(8, y, Math.min(40, 6 + entry.columns / 4), 1)
      lastRow = y
    }
    if (found.has(entry.id)) {
      context.fillStyle = colors.match
      context.fillRect(60, y, 6, 2)
    }
  }
  const view = box.current
  if (!view) return
  context.strokeStyle = colors.view
  context.strokeRect(2.5, view.scrollTop * scale + 0.5, width - 5, Math.max(8, view.clientHeight * scale))
}
