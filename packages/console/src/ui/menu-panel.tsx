import { Check, ChevronRight } from 'lucide-react'
import * as Dropdown from 'radix-ui/dropdown-menu'
import { useCallback, useRef } from 'react'
import { cx } from './class-names.ts'
import { KeyHint } from './key-hint.tsx'
import { Link } from './link.tsx'
import type { MenuItemProps, MenuLabelProps, MenuProps, MenuSubProps } from './menu.tsx'
import { reasonText, useExplanation } from './refusal.ts'

const panelClass =
  'z-50 max-w-72 overflow-hidden rounded-popover border border-line bg-overlay p-1 shadow-float data-[state=open]:animate-rise-in'
const itemClass =
  'flex min-h-7 w-full cursor-default items-center gap-2 rounded-badge px-2 py-1 outline-none select-none data-[disabled]:text-text-3 data-[highlighted]:bg-active touch:min-h-9'

const firstItem = '[role^=menuitem]:not([data-disabled])'

export interface MenuPanelProps extends MenuProps {
  /** The keyboard opened it: its first item takes the focus, as when it is opened again. */
  isOpenedByKey: boolean
}

/** The menu once it was opened: from then on it opens and closes by itself. */
export function MenuPanel(props: MenuPanelProps) {
  const { trigger, side = 'bottom', align = 'end', isTriggerWide, isOpenedByKey, children } = props
  const isFirstToFocus = useRef(isOpenedByKey)
  const focusFirst = useCallback((panel: HTMLElement | null) => {
    if (!panel || !isFirstToFocus.current) return
    isFirstToFocus.current = false
    // Its items are drawn, and the panel itself has had the focus, by the next frame.
    requestAnimationFrame(() => panel.querySelector<HTMLElement>(firstItem)?.focus())
  }, [])
  return (
    <Dropdown.Root modal={false} defaultOpen>
      <Dropdown.Trigger asChild>{trigger}</Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content
          ref={focusFirst}
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={cx(
            panelClass,
            isTriggerWide ? 'min-w-(--radix-dropdown-menu-trigger-width)' : 'min-w-44',
          )}
        >
          {children}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  )
}

export function MenuItem(props: MenuItemProps) {
  const { icon, shortcut, isDanger, checked, disabledReason, hint, href, onSelect, children } = props
  const explanation = useExplanation(disabledReason)
  const content = (
    <>
      {checked === undefined ? null : (
        <span className="w-3.5 shrink-0">{checked ? <Check size={14} aria-hidden /> : null}</span>
      )}
      {icon ? <span className={cx('shrink-0', !isDanger && 'text-text-3')}>{icon}</span> : null}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{children}</span>
        {disabledReason ? (
          <span className="block text-small whitespace-normal">
            {reasonText(disabledReason, explanation)}
          </span>
        ) : hint ? (
          <span className="block text-small whitespace-normal text-text-2">{hint}</span>
        ) : null}
      </span>
      {shortcut ? <KeyHint keys={shortcut} /> : null}
    </>
  )
  const className = cx(itemClass, isDanger && 'text-danger data-[highlighted]:bg-danger-soft')
  if (explanation) {
    // Not disabled for the keyboard: choosing it explains why it is refused.
    return (
      <Dropdown.Item aria-disabled onSelect={explanation} className={cx(itemClass, 'text-text-3')}>
        {content}
      </Dropdown.Item>
    )
  }
  if (checked !== undefined) {
    return (
      <Dropdown.CheckboxItem
        checked={checked}
        disabled={disabledReason !== undefined}
        onSelect={() => onSelect?.()}
        className={className}
      >
        {content}
      </Dropdown.CheckboxItem>
    )
  }
  if (href !== undefined && disabledReason === undefined) {
    return (
      <Dropdown.Item asChild onSelect={() => onSelect?.()} className={className}>
        <Link href={href}>{content}</Link>
      </Dropdown.Item>
    )
  }
  return (
    <Dropdown.Item
      disabled={disabledReason !== undefined}
      onSelect={() => onSelect?.()}
      className={className}
    >
      {content}
    </Dropdown.Item>
  )
}

export function MenuLabel({ children }: MenuLabelProps) {
  return <Dropdown.Label className="px-2 py-1 text-small font-medium text-text-2">{children}</Dropdown.Label>
}

export function MenuSeparator() {
  return <Dropdown.Separator className="-mx-1 my-1 h-px bg-line" />
}

export function MenuSub({ label, icon, children }: MenuSubProps) {
  return (
    <Dropdown.Sub>
      <Dropdown.SubTrigger className={cx(itemClass, 'data-[state=open]:bg-active')}>
        {icon ? <span className="shrink-0 text-text-3">{icon}</span> : null}
        <span className="flex-1">{label}</span>
        <ChevronRight size={14} aria-hidden className="text-text-3" />
      </Dropdown.SubTrigger>
      <Dropdown.Portal>
        <Dropdown.SubContent sideOffset={6} collisionPadding={8} className={cx(panelClass, 'min-w-44')}>
          {children}
        </Dropdown.SubContent>
      </Dropdown.Portal>
    </Dropdown.Sub>
  )
}
