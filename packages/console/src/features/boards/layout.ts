import type { BoardPanel } from '@bey/contract'
import { boardBounds } from '@bey/contract'

type Place = Pick<BoardPanel, 'x' | 'y' | 'width' | 'height'>

const overlaps = (a: Place, b: Place) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height

/** Moves panels down until none covers another; `fixed` keeps its place. Reading order decides which yields. */
export function settled(panels: readonly BoardPanel[], fixed?: string): BoardPanel[] {
  const order = panels.toSorted(
    (a, b) => Number(b.id === fixed) - Number(a.id === fixed) || a.y - b.y || a.x - b.x,
  )
  const placed = new Map<string, BoardPanel>()
  for (const panel of order) {
    let { y } = panel
    const others = [...placed.values()]
    for (;;) {
      const blocking = others.find((other) => overlaps({ ...panel, y }, other))
      if (!blocking) break
      y = blocking.y + blocking.height
    }
    placed.set(panel.id, y === panel.y ? panel : { ...panel, y })
  }
  return panels.map((panel) => placed.get(panel.id) ?? panel)
}

export type Step = 'left' | 'right' | 'up' | 'down'

const within = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))

/** The panels after one has been moved by a column or a row, or sized. Those that it would cover make room. */
export function stepped(
  panels: readonly BoardPanel[],
  id: string,
  step: Step,
  how: 'move' | 'size',
): BoardPanel[] {
  const delta = step === 'left' || step === 'up' ? -1 : 1
  const isAcross = step === 'left' || step === 'right'
  const next = panels.map((panel) => {
    if (panel.id !== id) return panel
    if (how === 'move') {
      return isAcross
        ? { ...panel, x: within(panel.x + delta, 0, boardBounds.columns - panel.width) }
        : { ...panel, y: within(panel.y + delta, 0, boardBounds.maxRow) }
    }
    return isAcross
      ? { ...panel, width: within(panel.width + delta, 1, boardBounds.columns - panel.x) }
      : { ...panel, height: within(panel.height + delta, 1, boardBounds.maxHeight) }
  })
  return settled(next, id)
}

/** The panels after one was dragged by so many columns and rows from where it was, or its lower right corner was. */
export function dragged(
  panels: readonly BoardPanel[],
  id: string,
  how: 'move' | 'size',
  { columns, rows }: { columns: number; rows: number },
): BoardPanel[] {
  const next = panels.map((panel) => {
    if (panel.id !== id) return panel
    return how === 'move'
      ? {
          ...panel,
          x: within(panel.x + columns, 0, boardBounds.columns - panel.width),
          y: within(panel.y + rows, 0, boardBounds.maxRow),
        }
      : {
          ...panel,
          width: within(panel.width + columns, 1, boardBounds.columns - panel.x),
          height: within(panel.height + rows, 1, boardBounds.maxHeight),
        }
  })
  return settled(next, id)
}

/** Where a new panel goes: below everything, a third of the width. */
export function newPlace(panels: readonly BoardPanel[]): Place {
  const y = Math.max(0, ...panels.map((panel) => panel.y + panel.height))
  return { x: 0, y: Math.min(y, boardBounds.maxRow), width: 4, height: 3 }
}

/** "Row 1, columns 4 to 6". */
export function positionText({ x, y, width }: Place): string {
  return `Row ${y + 1}, ${width === 1 ? `column ${x + 1}` : `columns ${x + 1} to ${x + width}`}`
}

/** Panels as they are read: by rows, then from the left. */
export function inReadingOrder(panels: readonly BoardPanel[]): BoardPanel[] {
  return panels.toSorted((a, b) => a.y - b.y || a.x - b.x)
}
