import type { BoardPanel } from '@bey/contract'
import { type ReactNode, useMemo } from 'react'
import { inReadingOrder, settled } from './layout.ts'

const rowPx = 74
const rowGap = 8

/** The height of a panel of so many rows, in px. */
const panelHeight = (rows: number) => rows * rowPx + (rows - 1) * rowGap

const phoneHeights = {
  series: 190,
  stat: 110,
  top: 240,
  table: 240,
  heatmap: 240,
  history: 240,
  text: 120,
} as const

export interface BoardGridProps {
  panels: readonly BoardPanel[]
  isPhone: boolean
  /** Room between columns, in px. */
  gap: number
  /** One panel in the room that it has. */
  children: (panel: BoardPanel, height: number) => ReactNode
}

/** Panels on 12 columns; one below another on a phone. */
export function BoardGrid({ panels, isPhone, gap, children }: BoardGridProps) {
  const placed = useMemo(() => inReadingOrder(settled(panels)), [panels])
  if (isPhone) {
    return (
      <div className="flex flex-col gap-6">
        {placed.map((panel) => (
          <div key={panel.id}>{children(panel, phoneHeights[panel.kind])}</div>
        ))}
      </div>
    )
  }
  return (
    <div
      className="grid"
      style={{
        gridTemplateColumns: 'repeat(12, minmax(0, 1fr))',
        gridAutoRows: rowPx,
        columnGap: gap,
        rowGap,
      }}
    >
      {placed.map((panel) => (
        <div
          key={panel.id}
          style={{
            gridColumn: `${panel.x + 1} / span ${panel.width}`,
            gridRow: `${panel.y + 1} / span ${panel.height}`,
          }}
          className="min-w-0"
        >
          {children(panel, panelHeight(panel.height))}
        </div>
      ))}
    </div>
  )
}
