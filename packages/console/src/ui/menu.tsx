import { cloneElement, useEffect, useState } from 'react'
import type { KeyboardEvent, MouseEvent, ReactElement, ReactNode } from 'react'
import { retryImport } from '../lib/retry-import.ts'
import type * as MenuParts from './menu-panel.tsx'

type Parts = typeof MenuParts

let parts: Parts | undefined

/** Loads what an open menu consists of, so that the first opens at once. */
export async function loadMenus(): Promise<void> {
  parts ??= await retryImport(() => import('./menu-panel.tsx'))
}

export interface MenuProps {
  /** The button that opens the menu; it receives the trigger's props. */
  trigger: ReactElement<TriggerProps>
  side?: 'top' | 'right' | 'bottom' | 'left'
  align?: 'start' | 'center' | 'end'
  /** Makes the menu at least as wide as its trigger. */
  isTriggerWide?: boolean
  /** Open from the start: it was asked for before it was loaded. */
  isInitiallyOpen?: boolean
  children: ReactNode
}

/** A button until it is opened: a list with a menu in each row then costs its buttons only. */
export function Menu({ isInitiallyOpen = false, ...props }: MenuProps) {
  const [openedBy, setOpenedBy] = useState<'key' | 'pointer'>()
  const open = (by: 'key' | 'pointer') => {
    if (parts) setOpenedBy(by)
    else void loadMenus().then(() => setOpenedBy(by))
  }
  useEffect(() => {
    if (isInitiallyOpen) void loadMenus().then(() => setOpenedBy('pointer'))
  }, [isInitiallyOpen])
  if (parts && openedBy) return <parts.MenuPanel {...props} isOpenedByKey={openedBy === 'key'} />
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    'data-state': 'closed',
    onPointerEnter: () => void loadMenus(),
    // The button takes no focus: the menu does.
    onMouseDown: (event) => event.preventDefault(),
    // At the end of the press: the open menu has a button of its own, and in Firefox a press whose button is replaced
    // under it is a click on what lies beneath, such as the row.
    onClick: () => open('pointer'),
    onKeyDown(event) {
      if (!openingKeys.has(event.key)) return
      event.preventDefault()
      open('key')
    },
  })
}

const openingKeys = new Set(['Enter', ' ', 'ArrowDown'])

interface TriggerProps {
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
  'data-state'?: string
  onPointerEnter?: () => void
  onMouseDown?: (event: MouseEvent) => void
  onClick?: () => void
  onKeyDown?: (event: KeyboardEvent) => void
}

export interface MenuItemProps {
  icon?: ReactNode
  shortcut?: readonly string[]
  /** Red, for what destroys or ends something. */
  isDanger?: boolean
  /** Shows a check mark when true, and room for one when false. */
  checked?: boolean
  /** Disables the item and says why, under its label. */
  disabledReason?: string | undefined
  /** Under its label: what it does in more words. */
  hint?: ReactNode
  /** Where it leads: the item is then a link, which the browser can open in a tab of its own. */
  href?: string
  onSelect?: () => void
  children: ReactNode
}

export function MenuItem(props: MenuItemProps) {
  const { MenuItem: Item } = openParts()
  return <Item {...props} />
}

export interface MenuLabelProps {
  children: ReactNode
}

export function MenuLabel(props: MenuLabelProps) {
  const { MenuLabel: Label } = openParts()
  return <Label {...props} />
}

export function MenuSeparator() {
  const { MenuSeparator: Separator } = openParts()
  return <Separator />
}

export interface MenuSubProps {
  label: string
  icon?: ReactNode
  children: ReactNode
}

export function MenuSub(props: MenuSubProps) {
  const { MenuSub: Sub } = openParts()
  return <Sub {...props} />
}

/** What is drawn in a menu only: its parts are there. */
function openParts(): Parts {
  if (!parts) throw new Error('This is drawn in an open menu only')
  return parts
}
