import type { FlowState } from '@bey/contract'
import { type Curve, pointAt } from './flow-curves.ts'

/** What part of the map is seen: `x` and `y` in px of the screen, `scale` 1 for its own size. */
export type MapView = { x: number; y: number; scale: number }

type Tones = Readonly<Record<'strong' | 'quiet' | 'danger' | 'warn' | 'bg' | 'accent', string>>

/** The colours of the theme as they are now. */
export function tonesOf(element: Element): Tones {
  const style = getComputedStyle(element)
  const tone = (name: string) => style.getPropertyValue(name).trim()
  return {
    strong: tone('--text-3'),
    quiet: tone('--control'),
    danger: tone('--danger'),
    warn: tone('--warn'),
    bg: tone('--bg'),
    accent: tone('--accent'),
  }
}

type Stroke = { path: Path2D; width: number; dash: number[]; tone: keyof Tones; isFaded: boolean }
type Barrier = { x: number; y: number; isFaded: boolean }

/** Curves made ready to be drawn: all of one look are one path, since a stroke costs more than a curve. */
export type Drawing = { strokes: readonly Stroke[]; barriers: readonly Barrier[] }

/** How wide a used way is: 2.4 px for each tenfold, at most 7. */
const usedWidth = (count: number) =>
  Math.min(7, Math.max(1.4, Math.round(2.4 * Math.log10(count + 1) * 2) / 2))

const looks: Readonly<Record<FlowState, { width: number; dash: number[]; tone: keyof Tones }>> = {
  used: { width: 1.4, dash: [], tone: 'strong' },
  unused: { width: 1, dash: [1, 4], tone: 'strong' },
  refused: { width: 1.6, dash: [6, 4], tone: 'danger' },
  denied: { width: 1, dash: [6, 6], tone: 'quiet' },
  unknown: { width: 1, dash: [2, 4], tone: 'warn' },
}

/** Where on its way a closed edge has its barrier: near the end that it does not reach. */
const barrierAt = 0.86

/** `isFaded`: what has nothing to do with what is selected. `selected`: drawn wider and in the accent. */
export function drawingOf(
  curves: readonly Curve[],
  { isFaded, selected }: { isFaded: (curve: Curve) => boolean; selected: Curve | undefined },
): Drawing {
  const strokes = new Map<string, Stroke>()
  const barriers: Barrier[] = []
  for (const curve of curves) {
    const { state, observed } = curve.edge
    const look = looks[state]
    const isSelected = curve === selected
    const width = (state === 'used' ? usedWidth(observed?.passed ?? 0) : look.width) + (isSelected ? 1.5 : 0)
    const faded = !isSelected && isFaded(curve)
    const tone = isSelected && state !== 'refused' ? 'accent' : look.tone
    const key = `${tone} ${width} ${look.dash.join()} ${faded}`
    const stroke = strokes.get(key) ?? { path: new Path2D(), width, dash: look.dash, tone, isFaded: faded }
    strokes.set(key, stroke)
    const [ax, ay, bx, by, cx, cy, dx, dy] = curve.points
    stroke.path.moveTo(ax, ay)
    stroke.path.bezierCurveTo(bx, by, cx, cy, dx, dy)
    if (state === 'refused') barriers.push({ ...pointAt(curve, barrierAt), isFaded: faded })
  }
  return { strokes: [...strokes.values()], barriers }
}

/** Draws a map into a canvas of this size in px of the screen. */
export function drawFlows(
  context: CanvasRenderingContext2D,
  { strokes, barriers }: Drawing,
  view: MapView,
  { width, height, tones }: { width: number; height: number; tones: Tones },
): void {
  const ratio = Math.min(2, window.devicePixelRatio || 1)
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  context.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y)
  for (const { path, width: lineWidth, dash, tone, isFaded } of strokes) {
    context.globalAlpha = isFaded ? 0.12 : tone === 'strong' ? 0.75 : 1
    context.strokeStyle = tones[tone]
    // A line of less than a pixel of the screen would be too pale to be seen.
    context.lineWidth = Math.max(lineWidth, 0.8 / view.scale)
    context.setLineDash(dash)
    context.stroke(path)
  }
  context.setLineDash([])
  for (const { x, y, isFaded } of barriers) {
    context.globalAlpha = isFaded ? 0.12 : 1
    context.fillStyle = tones.bg
    context.fillRect(x - 5, y - 11, 10, 22)
    context.fillStyle = tones.danger
    context.fillRect(x - 3, y - 9, 6, 18)
  }
  context.globalAlpha = 1
}
