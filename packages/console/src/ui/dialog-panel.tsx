import { X } from 'lucide-react'
import { Close, Description, Title } from 'radix-ui/dialog'
import { cx } from './class-names.ts'
import type { DialogProps } from './dialog.tsx'
import { IconButton } from './icon-button.tsx'
import { Layer } from './layer.tsx'

const sizes = { small: 'max-w-sm', normal: 'max-w-lg', wide: 'max-w-3xl' }

export function DialogPanel(props: DialogProps) {
  const {
    open,
    onOpenChange,
    title,
    description,
    footer,
    size = 'normal',
    isModalStrict = false,
    isRequired = false,
    opensByItself = false,
    children,
  } = props
  return (
    <Layer
      open={open}
      onOpenChange={onOpenChange}
      isDescribed={Boolean(description)}
      staysOnPress={isModalStrict || isRequired}
      staysOnEscape={isRequired}
      opensByItself={opensByItself}
      className={cx(
        'fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[calc(100vw-2rem)] -translate-x-1/2 flex-col rounded-card border border-line bg-overlay shadow-float data-[state=open]:animate-fade-in',
        sizes[size],
      )}
    >
      <header className="flex items-start justify-between gap-4 px-5 pt-4 pb-2.5">
        <div>
          <Title className="text-dialog font-semibold">{title}</Title>
          {description ? <Description className="mt-1 text-text-2">{description}</Description> : null}
        </div>
        {isRequired ? null : (
          <Close asChild>
            <IconButton label="Close" size="small" icon={<X size={16} aria-hidden />} className="-mr-1.5" />
          </Close>
        )}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-1.5 pb-3">{children}</div>
      {footer ? (
        <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>
      ) : null}
    </Layer>
  )
}
