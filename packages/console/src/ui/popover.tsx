import * as RadixPopover from 'radix-ui/popover'
import type { ReactNode } from 'react'

export interface PopoverProps {
  trigger: ReactNode
  /** The accessible name of the panel. */
  label: string
  align?: 'start' | 'center' | 'end'
  children: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** Prevent its default to send the focus elsewhere than to the trigger. */
  onCloseAutoFocus?: (event: Event) => void
}

export function Popover(props: PopoverProps) {
  const { trigger, label, align = 'start', children, open, onOpenChange, onCloseAutoFocus } = props
  return (
    <RadixPopover.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          aria-label={label}
          onCloseAutoFocus={onCloseAutoFocus}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-w-[calc(100vw-1rem)] rounded-popover border border-line bg-overlay p-3 shadow-float data-[state=open]:animate-rise-in"
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  )
}
