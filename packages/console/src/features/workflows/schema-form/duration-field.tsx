import { useState } from 'react'
import type { FieldProps } from '../../../ui/field.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import type { DurationUnit } from './duration-text.ts'
import { durationMs, durationUnits, splitDuration } from './duration-text.ts'

export interface DurationFieldProps extends Omit<FieldProps, 'children'> {
  /** Milliseconds; text where it is a template. */
  value: unknown
  placeholder?: string
  onChange: (value: unknown) => void
}

/** A duration as a number with its unit. What is no number, such as a template, stays as it is typed. */
export function DurationField({ value, placeholder, onChange, ...field }: DurationFieldProps) {
  const split = typeof value === 'number' ? splitDuration(value) : undefined
  const [chosen, setChosen] = useState<DurationUnit>(split?.unit ?? 's')
  // What is typed stays in the unit in which it is typed.
  const unit =
    typeof value === 'number' && Number.isInteger(value / durationMs(1, chosen))
      ? chosen
      : (split?.unit ?? chosen)
  const shown =
    typeof value === 'number' ? value / durationMs(1, unit) : typeof value === 'string' ? value : ''
  const change = (text: string, as: DurationUnit) => {
    const count = Number(text)
    if (text.trim() === '') onChange(undefined)
    else onChange(Number.isFinite(count) ? durationMs(count, as) : text)
  }
  return (
    <Field {...field}>
      {(control) => (
        <span className="flex gap-1.5">
          <Input
            {...control}
            className="min-w-0"
            inputMode="decimal"
            value={shown}
            placeholder={placeholder}
            onChange={(event) => change(event.target.value, unit)}
          />
          <Select
            aria-label={`Unit of ${typeof field.label === 'string' ? field.label : 'the duration'}`}
            className="w-20 shrink-0"
            value={unit}
            options={durationUnits.map((each) => ({ value: each, label: each }))}
            onChange={(event) => {
              const next = event.target.value as DurationUnit
              setChosen(next)
              if (typeof value === 'number') onChange(durationMs(value / durationMs(1, unit), next))
            }}
          />
        </span>
      )}
    </Field>
  )
}
