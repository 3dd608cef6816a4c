import { useEffect, useRef } from 'react'
import { isTyping } from '../../../ui/is-typing.ts'
import { useListedKeys } from '../../../ui/shown-keys.ts'
import type { ActionHost } from './action-host.tsx'
import { addressKey } from './action-host.tsx'
import { actionsFor } from './action-table.ts'
import type { ActionAddress } from './run-action.ts'

/**
 * Keys of the focused row: those of its actions, and `.` for its menu. Where the row is one of several that are
 * selected, an action is for all of them. `resources` are those of the rows.
 */
export function useRowActionKeys(
  addressAt: (index: number) => ActionAddress | undefined,
  selected: readonly ActionAddress[],
  start: ActionHost['start'],
  resources: readonly string[],
): void {
  const actions = new Set(resources.flatMap(actionsFor))
  useListedKeys('Focused row', [
    ...(resources.length > 0 ? [{ keys: ['.'], does: 'Open its menu' }] : []),
    ...[...actions].flatMap(({ label, shortcut }) => (shortcut ? [{ keys: [shortcut], does: label }] : [])),
  ])
  const latest = useRef({ addressAt, selected, start })
  useEffect(() => {
    latest.current = { addressAt, selected, start }
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event.target) || document.querySelector('[role="dialog"],[role="menu"]')) return
      const row = document.activeElement?.closest<HTMLElement>('[data-table] [data-row]')
      if (!row) return
      if (event.key === '.') return openMenu(row, event)
      const now = latest.current
      const address = now.addressAt(Number(row.dataset['row']))
      const action = address && actionsFor(address.resource).find(({ shortcut }) => shortcut === event.key)
      if (!address || !action) return
      event.preventDefault()
      const isSelected = now.selected.some((each) => addressKey(each) === addressKey(address))
      const all = now.selected.filter(({ resource }) => action.isFor(resource))
      now.start(action, isSelected && action.isBulk ? all : [address])
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

function openMenu(row: HTMLElement, event: KeyboardEvent): void {
  const button = row.querySelector<HTMLElement>('[data-row-menu]')
  if (!button) return
  event.preventDefault()
  button.focus()
  // The menu opens on a key of its button, and not on a click that no pointer made.
  button.dispatchEvent(
    new globalThis.KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
  )
}
