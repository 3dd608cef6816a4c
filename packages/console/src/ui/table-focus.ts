import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { rowHeight } from './table-window.ts'

/** The index of the row that has the focus, in whichever table is on screen; undefined where none has. */
export function focusedRowIndex(): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>('[data-table] [data-row]')
  return row ? Number(row.dataset['row']) : undefined
}

/** Moves the focus to a row by its index, also to one that is not drawn yet. */
export function useRowFocus(box: RefObject<HTMLDivElement | null>): (index: number) => void {
  const wanted = useRef<number | null>(null)
  const focusRow = (index: number) => {
    const target = targetOf(box.current, index)
    if (target) return focusWithin(target)
    // Not drawn yet: it takes the focus once scrolling has brought it in.
    wanted.current = index
    box.current?.scrollTo({ top: Math.max(0, (index - 2) * rowHeight()) })
  }
  useEffect(() => {
    if (wanted.current === null) return
    const target = targetOf(box.current, wanted.current)
    if (!target) return
    wanted.current = null
    focusWithin(target)
  })
  return focusRow
}

function targetOf(box: HTMLElement | null, index: number): HTMLElement | null {
  const row = box?.querySelector<HTMLElement>(`[data-row="${index}"]`)
  return row?.matches('[data-row-target]')
    ? row
    : (row?.querySelector<HTMLElement>('[data-row-target]') ?? null)
}

function focusWithin(target: HTMLElement) {
  target.focus({ preventScroll: true })
  target.scrollIntoView({ block: 'nearest' })
}
