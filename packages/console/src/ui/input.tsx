import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { cx } from './class-names.ts'

/** The shared look of text fields and selects. */
export const controlClass =
  'w-full rounded-control border border-control bg-raised text-text transition-colors duration-75 outline-offset-0 hover:border-text-3 disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-text-3 aria-invalid:border-danger'

export interface InputProps extends InputHTMLAttributes<HTMLInputElement> {
  /** An icon inside the field, at its start. */
  icon?: ReactNode
  /** Something inside the field, at its end: a key hint, a button. */
  trailing?: ReactNode
  controlSize?: 'normal' | 'small'
  ref?: Ref<HTMLInputElement>
}

export function Input({ icon, trailing, controlSize = 'normal', className, ...rest }: InputProps) {
  const field = (
    <input
      type="text"
      {...rest}
      className={cx(
        controlClass,
        controlSize === 'normal' ? 'h-8' : 'h-7',
        'read-only:bg-sunken touch:h-9 touch:text-dialog',
        icon ? 'pl-8' : 'pl-2.5',
        trailing ? 'pr-9' : 'pr-2.5',
        className,
      )}
    />
  )
  if (!icon && !trailing) return field
  return (
    <span className="relative block">
      {icon ? (
        <span className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-text-3">
          {icon}
        </span>
      ) : null}
      {field}
      {trailing ? <span className="absolute inset-y-0 right-1.5 flex items-center">{trailing}</span> : null}
    </span>
  )
}
