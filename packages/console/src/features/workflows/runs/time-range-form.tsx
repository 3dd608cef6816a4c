import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/input.tsx'
import { localTime, readRange } from './time-range.ts'
import type { LocalTime } from './time-range.ts'

export interface TimeRangeFormProps {
  /** RFC 3339, as the address holds them. */
  from: string | undefined
  to: string | undefined
  onApply: (range: { from: string; to: string }) => void
}

/** Two times by date and clock. A time that is left empty is the whole day; a date that is left empty, no bound. */
export function TimeRangeForm({ from, to, onApply }: TimeRangeFormProps) {
  const [begin, setBegin] = useState(() => localTime(from))
  const [end, setEnd] = useState(() => localTime(to))
  const [error, setError] = useState<string>()
  return (
    <form
      className="flex w-72 max-w-full flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        const range = readRange(begin, end)
        if (range.error === undefined) onApply(range)
        else setError(range.error)
      }}
    >
      <Fields label="From" value={begin} onChange={setBegin} />
      <Fields label="To" value={end} onChange={setEnd} />
      <p className="text-small text-text-2">
        When runs were queued, in {Intl.DateTimeFormat().resolvedOptions().timeZone}.
      </p>
      <p role="alert" className={error ? 'text-small text-danger' : 'hidden'}>
        {error}
      </p>
      <Button type="submit" variant="primary">
        Show these runs
      </Button>
    </form>
  )
}

interface FieldsProps {
  label: string
  value: LocalTime
  onChange: (value: LocalTime) => void
}

function Fields({ label, value, onChange }: FieldsProps) {
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 font-medium">{label}</legend>
      <span className="grid grid-cols-[minmax(0,1fr)_7.5rem] gap-2">
        <Input
          type="date"
          aria-label={`${label}, date`}
          max="9999-12-31"
          value={value.date}
          onChange={({ target }) => onChange({ ...value, date: target.value })}
        />
        <Input
          type="time"
          aria-label={`${label}, time`}
          value={value.time}
          onChange={({ target }) => onChange({ ...value, time: target.value })}
        />
      </span>
    </fieldset>
  )
}
