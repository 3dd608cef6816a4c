import { X } from 'lucide-react'
import { Close, Description, Title } from 'radix-ui/dialog'
import type { CSSProperties, ReactNode } from 'react'
import { cx } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { Layer } from './layer.tsx'

type DrawerSide = 'right' | 'left' | 'top' | 'bottom'

export interface DrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Shown as the drawer's heading, and its accessible name. */
  title: string
  description?: ReactNode
  side?: DrawerSide
  /** `wide`: 480 px, for a form. */
  width?: 'normal' | 'wide'
  /** Clicking outside does not close it: something in it would be lost. */
  isModalStrict?: boolean
  /** Beside the title: a status badge. */
  aside?: ReactNode
  footer?: ReactNode
  /** It holds nothing to focus, so the box itself takes the focus to be scrolled with the keyboard. */
  isTextOnly?: boolean
  children: ReactNode
}

const places: Record<DrawerSide, string> = {
  right: 'inset-y-0 right-0 h-full border-l',
  left: 'inset-y-0 left-0 h-full border-r',
  top: 'inset-x-0 top-0 max-h-[80vh] border-b',
  bottom: 'inset-x-0 bottom-0 max-h-[80vh] border-t',
}

const widths = { normal: 'w-3/4 sm:max-w-sm', wide: 'w-full sm:max-w-120' } as const

const origins: Record<DrawerSide, string> = {
  right: 'translateX(100%)',
  left: 'translateX(-100%)',
  top: 'translateY(-100%)',
  bottom: 'translateY(100%)',
}

/** A side sheet: opens in 500 ms, closes in 300 ms, as specified. */
export function Drawer(props: DrawerProps) {
  const {
    open,
    onOpenChange,
    title,
    description,
    side = 'right',
    width = 'normal',
    aside,
    footer,
    children,
  } = props
  const keyboard = props.isTextOnly ? { tabIndex: 0, role: 'region', 'aria-label': title } : {}
  const style = { '--sheet-from': origins[side] } satisfies Record<`--${string}`, string> as CSSProperties
  return (
    <Layer
      open={open}
      onOpenChange={onOpenChange}
      isDescribed={Boolean(description)}
      staysOnPress={props.isModalStrict ?? false}
      style={style}
      className={cx(
        'fixed z-50 flex flex-col border-line bg-overlay shadow-float data-[state=closed]:animate-[sheet-out_300ms_var(--ease-out)_both] data-[state=open]:animate-[sheet-in_500ms_var(--ease-out)]',
        places[side],
        (side === 'right' || side === 'left') && widths[width],
      )}
    >
      <header className="flex items-start justify-between gap-3 border-b border-line px-4 py-3">
        <div className="min-w-0">
          <div className="flex items-center gap-2">
            <Title className="truncate text-lead font-semibold">{title}</Title>
            {aside}
          </div>
          {description ? (
            <Description className="mt-0.5 text-small text-text-2">{description}</Description>
          ) : null}
        </div>
        <Close asChild>
          <IconButton label="Close" size="small" icon={<X size={16} aria-hidden />} className="-mr-1" />
        </Close>
      </header>
      <div {...keyboard} className="min-h-0 flex-1 overflow-y-auto p-4 -outline-offset-2">
        {children}
      </div>
      {footer ? (
        <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">{footer}</footer>
      ) : null}
    </Layer>
  )
}
