import { ChevronDown } from 'lucide-react'
import type { Ref, SelectHTMLAttributes } from 'react'
import { cx } from './class-names.ts'
import { controlClass } from './input.tsx'

interface SelectOption {
  value: string
  label: string
  disabled?: boolean
}

export interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  options: readonly SelectOption[]
  controlSize?: 'normal' | 'small'
  ref?: Ref<HTMLSelectElement>
}

/** The platform's own select: native keyboard, touch wheel and type-ahead for no script at all. */
export function Select({ options, controlSize = 'normal', className, ...rest }: SelectProps) {
  return (
    <span className={cx('relative inline-block', className)}>
      <select
        {...rest}
        className={cx(
          controlClass,
          'appearance-none pr-8 pl-2.5 touch:h-9',
          controlSize === 'normal' ? 'h-8' : 'h-7',
        )}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled} className="bg-overlay">
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        size={14}
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-text-3"
      />
    </span>
  )
}
