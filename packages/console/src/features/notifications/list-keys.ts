import type { KeyboardEvent } from 'react'

/** What the arrow keys move among: the title of each notification. */
const titles = '[data-notification]'

/** Arrows, Home and End move through the notifications from anywhere in the panel. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(titles)]
  const item = event.target instanceof Element ? event.target.closest('li') : null
  const at = all.findIndex((title) => item?.contains(title))
  const to = targetOf(event.key, at, all.length)
  if (to === undefined) return
  event.preventDefault()
  all[to]?.focus()
}

function targetOf(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  switch (key) {
    case 'ArrowDown':
      return Math.min(count - 1, at + 1)
    case 'ArrowUp':
      return Math.max(0, at - 1)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}

/** Before an item goes, the focus moves to its neighbour, or to the panel when it was the last. */
export function leaveItem(item: HTMLElement): void {
  const neighbour = item.nextElementSibling ?? item.previousElementSibling
  const target =
    neighbour?.querySelector<HTMLElement>(titles) ??
    item.closest('section')?.querySelector<HTMLElement>('button')
  target?.focus()
}
