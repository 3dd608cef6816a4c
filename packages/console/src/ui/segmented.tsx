import { useId } from 'react'
import { cx } from './class-names.ts'

export interface SegmentedProps<T extends string> {
  /** What is chosen: "Range". */
  label: string
  options: readonly { value: T; label: string }[]
  /** Undefined when none of them holds. */
  value: T | undefined
  onChange: (value: T) => void
}

/** One of a few, side by side. Radio buttons, so that arrow keys choose. */
export function Segmented<T extends string>({ label, options, value, onChange }: SegmentedProps<T>) {
  const name = useId()
  return (
    <fieldset className="inline-flex rounded-control border border-control p-px">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={cx(
            'relative inline-flex h-6 items-center rounded-[4px] px-2 text-small whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-ring touch:h-8',
            option.value === value ? 'bg-active font-medium text-text' : 'text-text-2 hover:text-text',
          )}
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-[4px] outline-none"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
