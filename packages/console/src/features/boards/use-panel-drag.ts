import type { BoardPanel } from '@bey/contract'
import { type PointerEvent, useState } from 'react'
import { dragged } from './layout.ts'

/** Moves and sizes panels by pointer; what was dragged becomes one step of the history when the pointer is let go. */
export function usePanelDrag(panels: readonly BoardPanel[], commit: (panels: BoardPanel[]) => void) {
  const [preview, setPreview] = useState<{ id: string; panels: BoardPanel[] }>()

  const start = (panel: BoardPanel, how: 'move' | 'size') => (event: PointerEvent<HTMLElement>) => {
    const handle = event.currentTarget
    const frame = handle.closest('section')?.getBoundingClientRect()
    if (event.button !== 0 || !frame) return
    event.preventDefault()
    handle.setPointerCapture(event.pointerId)
    const [columnPx, rowPx] = [frame.width / panel.width, frame.height / panel.height]
    const [fromX, fromY] = [event.clientX, event.clientY]
    let last: BoardPanel[] | undefined
    const move = ({ clientX, clientY }: globalThis.PointerEvent) => {
      const columns = Math.round((clientX - fromX) / columnPx)
      const rows = Math.round((clientY - fromY) / rowPx)
      last = dragged(panels, panel.id, how, { columns, rows })
      setPreview({ id: panel.id, panels: last })
    }
    const end = ({ type }: globalThis.PointerEvent) => {
      handle.removeEventListener('pointermove', move)
      handle.removeEventListener('pointerup', end)
      handle.removeEventListener('pointercancel', end)
      setPreview(undefined)
      if (last && type === 'pointerup') commit(last)
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('pointerup', end)
    handle.addEventListener('pointercancel', end)
  }

  return { panels: preview?.panels ?? panels, draggedId: preview?.id, start }
}
