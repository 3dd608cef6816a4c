import { useEffect, useRef } from 'react'
import type { InputHTMLAttributes, ReactNode } from 'react'
import { cx } from './class-names.ts'

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  /** Visible text. Without it give `aria-label`. */
  label?: ReactNode
  hint?: ReactNode
  /** Some, but not all, of the items that it represents are checked. */
  indeterminate?: boolean
}

export function Checkbox({ label, hint, indeterminate = false, className, ...rest }: CheckboxProps) {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // The third state exists only as a property of the element.
    if (ref.current) ref.current.indeterminate = indeterminate
  }, [indeterminate])
  const box = (
    <input {...rest} ref={ref} type="checkbox" className={cx('size-4 shrink-0', !label && className)} />
  )
  if (!label) return box
  return (
    <label className={cx('flex items-start gap-2', rest.disabled && 'text-text-3', className)}>
      <span className="flex h-5 items-center">{box}</span>
      <span>
        {label}
        {hint ? <span className="block text-small text-text-3">{hint}</span> : null}
      </span>
    </label>
  )
}
