import { Select } from './select.tsx'

interface FilterOption {
  value: string
  label: string
}

export interface FilterSelectProps {
  /** What is chosen: "Status". */
  label: string
  /** The choice while nothing is left out: "All statuses". */
  all: string
  /** The value in force; without one everything is shown. */
  value: string | undefined
  /** The values; one that is a text alone is its own label. */
  options: readonly (string | FilterOption)[]
  /** Called with '' when everything is wanted again. */
  onChange: (value: string) => void
  className?: string
}

/** Narrows a list to one value of a few. */
export function FilterSelect({ label, all, value = '', options, onChange, className }: FilterSelectProps) {
  const known = options.map((each) => (typeof each === 'string' ? { value: each, label: each } : each))
  // The value of the address is an option even if the list no longer has it, so that it is visible and can be removed.
  const isUnknown = value !== '' && !known.some((each) => each.value === value)
  const asked = isUnknown ? [{ value, label: value }] : []
  return (
    <Select
      aria-label={label}
      controlSize="small"
      className={className}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      options={[{ value: '', label: all }, ...asked, ...known]}
    />
  )
}
