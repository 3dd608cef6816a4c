import { type Drawing, drawFlows, type MapView, tonesOf } from './draw-flows.ts'

const [leastScale, mostScale] = [0.08, 2.5]
const panStep = 60
const margin = 24
/** A movement has ended when nothing moved for so long. */
const restMs = 100

type Point = { x: number; y: number }
type Parts = { box: HTMLElement; canvas: HTMLCanvasElement; layer: HTMLElement }

export type FlowScene = ReturnType<typeof createFlowScene>

/**
 * A map that is panned and zoomed by pointer, wheel and keyboard, outside of React: a movement renders nothing. The boxes
 * and the picture of the ways are moved once a frame, which costs the same for any number of them; both are drawn anew when
 * the movement has ended.
 */
export function createFlowScene({ box, canvas, layer }: Parts, onPress: (at: Point) => void) {
  let view: MapView = { x: margin, y: margin, scale: 1 }
  let size = { width: 1, height: 1 }
  let drawing: Drawing = { strokes: [], barriers: [] }
  let painted: MapView | undefined
  let isStill = true
  let frame = 0
  let later: ReturnType<typeof setTimeout> | undefined
  let drag: (Point & { hasMoved: boolean }) | undefined
  const listening = new AbortController()

  function paint(): void {
    const context = canvas.getContext('2d')
    if (!context) return
    drawFlows(context, drawing, view, {
      width: canvas.clientWidth,
      height: canvas.clientHeight,
      tones: tonesOf(canvas),
    })
    canvas.style.transform = ''
    // Drawn sharply again, once nothing moves.
    layer.style.willChange = 'auto'
    painted = view
  }

  function move(): void {
    frame = 0
    layer.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`
    clearTimeout(later)
    if (isStill || painted === undefined) {
      isStill = false
      return paint()
    }
    // Another scale would have every box drawn anew in each frame; so their picture is scaled as long as they move.
    layer.style.willChange = 'transform'
    const share = view.scale / painted.scale
    const [dx, dy] = [view.x - painted.x * share, view.y - painted.y * share]
    canvas.style.transform = `translate(${dx}px, ${dy}px) scale(${share})`
    later = setTimeout(paint, restMs)
  }

  function show(next: MapView): void {
    view = next
    if (frame === 0) frame = requestAnimationFrame(move)
  }

  function redraw(): void {
    isStill = true
    show(view)
  }

  function pan(dx: number, dy: number): void {
    show({ ...view, x: view.x + dx, y: view.y + dy })
  }

  function zoom(factor: number, at: Point = { x: box.clientWidth / 2, y: box.clientHeight / 2 }): void {
    const scale = Math.max(leastScale, Math.min(mostScale, view.scale * factor))
    const share = scale / view.scale
    show({ x: at.x - (at.x - view.x) * share, y: at.y - (at.y - view.y) * share, scale })
  }

  function fit(): void {
    const { clientWidth: width, clientHeight: height } = box
    const wanted = Math.min((width - 2 * margin) / size.width, (height - 2 * margin) / size.height)
    const scale = Math.max(leastScale, Math.min(1, wanted))
    isStill = true
    show({
      x: Math.max(margin, (width - size.width * scale) / 2),
      y: Math.max(margin, (height - size.height * scale) / 2),
      scale,
    })
  }

  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => pan(panStep, 0),
    ArrowRight: () => pan(-panStep, 0),
    ArrowUp: () => pan(0, panStep),
    ArrowDown: () => pan(0, -panStep),
    '+': () => zoom(1.25),
    '=': () => zoom(1.25),
    '-': () => zoom(0.8),
    '0': fit,
  }
  const within = (event: MouseEvent): Point => {
    const { left, top } = box.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const on = <K extends keyof HTMLElementEventMap>(type: K, act: (event: HTMLElementEventMap[K]) => void) =>
    box.addEventListener(type, act, { signal: listening.signal, passive: false })

  on('wheel', (event) => {
    event.preventDefault()
    if (event.ctrlKey || event.metaKey) zoom(Math.exp(-event.deltaY / 200), within(event))
    else pan(-event.deltaX, -event.deltaY)
  })
  on('pointerdown', (event) => {
    // A press on a node is no press on the ways beneath it.
    const isOnNode = event.target instanceof Element && event.target.closest('button') !== null
    if (event.button === 0 && !isOnNode) drag = { x: event.clientX, y: event.clientY, hasMoved: false }
  })
  on('pointermove', (event) => {
    if (drag === undefined) return
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y]
    if (!drag.hasMoved && Math.hypot(dx, dy) < 4) return
    if (!drag.hasMoved) box.setPointerCapture(event.pointerId)
    drag = { x: event.clientX, y: event.clientY, hasMoved: true }
    pan(dx, dy)
  })
  on('pointerup', (event) => {
    const before = drag
    drag = undefined
    if (before === undefined || before.hasMoved) return
    const at = within(event)
    onPress({ x: (at.x - view.x) / view.scale, y: (at.y - view.y) / view.scale })
  })
  on('pointercancel', () => (drag = undefined))
  on('keydown', (event) => {
    const act = event.metaKey || event.ctrlKey || event.altKey ? undefined : keys[event.key]
    if (act === undefined) return
    event.preventDefault()
    act()
  })
  const sizes = new ResizeObserver(() => {
    const ratio = Math.min(2, window.devicePixelRatio || 1)
    canvas.width = canvas.clientWidth * ratio
    canvas.height = canvas.clientHeight * ratio
    redraw()
  })
  sizes.observe(canvas)
  // The colours of the canvas are those of the theme when it was drawn.
  const themes = new MutationObserver(redraw)
  themes.observe(document.documentElement, { attributes: true })

  return {
    fit,
    zoom,
    /** How far the map is zoomed, 1 for its own size. */
    scale: () => view.scale,
    setDrawing(next: Drawing): void {
      drawing = next
      redraw()
    },
    /** Shows all of a map of this size, in px before zooming. */
    setSize(width: number, height: number): void {
      size = { width, height }
      fit()
    },
    stop(): void {
      listening.abort()
      sizes.disconnect()
      themes.disconnect()
      cancelAnimationFrame(frame)
      clearTimeout(later)
    },
  }
}
