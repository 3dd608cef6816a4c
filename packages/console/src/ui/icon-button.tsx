import { useId } from 'react'
import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import { cx } from './class-names.ts'
import { reasonText, useExplanation } from './refusal.ts'

export interface IconButtonProps extends Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'aria-label' | 'children'
> {
  /** The name of the action: its accessible name and its tooltip. */
  label: string
  icon: ReactNode
  /** 28 px for toolbars and rows, 32 px elsewhere; both 36 px on touch screens. */
  size?: 'normal' | 'small'
  disabledReason?: string | undefined
  /** Shown after the label in the tooltip, as in "Toggle sidebar  Ctrl B". */
  shortcut?: string
  ref?: Ref<HTMLButtonElement>
}

export function IconButton(props: IconButtonProps) {
  const { label, icon, size = 'normal', disabledReason, shortcut, className, onClick, ...rest } = props
  const isRefused = disabledReason !== undefined
  const reasonId = useId()
  const explanation = useExplanation(disabledReason)
  const reason = disabledReason && reasonText(disabledReason, explanation)
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (!isRefused) return onClick?.(event)
    event.preventDefault()
    explanation?.()
  }
  return (
    <>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-disabled={isRefused || undefined}
        aria-describedby={isRefused ? reasonId : rest['aria-describedby']}
        data-tooltip={reason ?? (shortcut ? `${label}  ${shortcut}` : label)}
        onClick={handleClick}
        className={cx(
          'inline-flex shrink-0 items-center justify-center rounded-control transition-colors duration-75 touch:size-9',
          size === 'normal' ? 'size-8' : 'size-7',
          isRefused || rest.disabled
            ? 'cursor-not-allowed text-text-3 opacity-60'
            : 'text-text-2 hover:bg-hover hover:text-text aria-expanded:bg-active data-[state=open]:bg-active',
          className,
        )}
      >
        {icon}
      </button>
      {isRefused ? (
        <span id={reasonId} className="sr-only">
          {reason}
        </span>
      ) : null}
    </>
  )
}
