import type { InputHTMLAttributes, ReactNode } from 'react'
import { cx } from './class-names.ts'

export interface SwitchProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'role'> {
  label: ReactNode
  hint?: ReactNode
}

/** A setting that acts at once; for a choice that a form submits use a checkbox. */
export function Switch({ label, hint, className, ...rest }: SwitchProps) {
  return (
    <label
      className={cx('flex items-center justify-between gap-4', rest.disabled && 'text-text-3', className)}
    >
      <span>
        <span className="font-medium">{label}</span>
        {hint ? <span className="block text-small text-text-3">{hint}</span> : null}
      </span>
      <input
        {...rest}
        type="checkbox"
        // A checkbox says by itself whether it is checked.
        // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props
        role="switch"
        className={cx(
          'relative h-[18px] w-8 shrink-0 appearance-none rounded-full border border-control bg-sunken transition-colors duration-75',
          'before:absolute before:top-[2px] before:left-[2px] before:size-3 before:rounded-full before:bg-text-2 before:transition-transform before:duration-75',
          'checked:border-accent checked:bg-accent checked:before:translate-x-[14px] checked:before:bg-accent-label disabled:cursor-not-allowed disabled:opacity-60',
        )}
      />
    </label>
  )
}
