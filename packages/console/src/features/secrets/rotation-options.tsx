import type { GeneratorOptions } from '@bey/contract'
import { secretLimits } from '@bey/contract'
import { useState } from 'react'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'

/** Length as it is typed, and the kinds of characters. */
export type GeneratorDraft = Omit<GeneratorOptions, 'length'> & { length: string }

export function generatorOf({ length, ...kinds }: GeneratorDraft): GeneratorOptions | undefined {
  const number = Number(length)
  const isValid =
    Number.isInteger(number) && number >= secretLimits.generatedMin && number <= secretLimits.generatedMax
  return isValid ? { ...kinds, length: number } : undefined
}

/** How the server makes a value. */
export function GeneratorFields({
  draft,
  onChange,
}: {
  draft: GeneratorDraft
  onChange: (draft: GeneratorDraft) => void
}) {
  const { generatedMin, generatedMax } = secretLimits
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
      <Field
        label="Characters"
        className="w-28"
        error={generatorOf(draft) ? undefined : `Enter a number from ${generatedMin} to ${generatedMax}.`}
      >
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={draft.length}
            onChange={(event) => onChange({ ...draft, length: event.target.value })}
          />
        )}
      </Field>
      <fieldset className="flex min-w-0 flex-col gap-1.5">
        <legend className="mb-1.5 font-medium">In addition to lower-case letters</legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1.5">
          {kinds.map(([key, label]) => (
            <Checkbox
              key={key}
              label={label}
              checked={draft[key]}
              onChange={(event) => onChange({ ...draft, [key]: event.target.checked })}
            />
          ))}
        </div>
      </fieldset>
    </div>
  )
}

/** How the server makes a value as one line, until somebody wants it another way. */
export function GeneratorLine({
  draft,
  onChange,
}: {
  draft: GeneratorDraft
  onChange: (draft: GeneratorDraft) => void
}) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <GeneratorFields draft={draft} onChange={onChange} />
  const more = kinds.filter(([key]) => draft[key]).map(([, label]) => label.toLowerCase())
  return (
    <ClosedLine
      text={`${draft.length} characters: ${['lower-case letters', ...more].join(', ')}`}
      label="Edit how it is made"
      onOpen={() => setOpen(true)}
    />
  )
}

/** What stays as it is, in one line, and a way to change it. */
export function ClosedLine({ text, label, onOpen }: { text: string; label: string; onOpen: () => void }) {
  return (
    <p className="flex items-baseline justify-between gap-3 text-text-2">
      <span className="min-w-0 break-words">{text}</span>
      <button
        type="button"
        aria-label={label}
        onClick={onOpen}
        className="min-h-6 shrink-0 rounded-badge text-text underline underline-offset-2 hover:text-accent-text"
      >
        Edit
      </button>
    </p>
  )
}

const kinds = [
  ['hasUppercase', 'Upper-case letters'],
  ['hasDigits', 'Digits'],
  ['hasSymbols', 'Symbols'],
] as const

const overlaps = [
  { value: '', label: 'as long as I keep it' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
]

/** For how long the version before stays live; one that is not listed keeps its place. */
export function OverlapField({
  hours,
  onChange,
}: {
  hours: number | null
  onChange: (hours: number | null) => void
}) {
  const value = hours === null ? '' : String(hours)
  const options = overlaps.some((each) => each.value === value)
    ? overlaps
    : [...overlaps, { value, label: `${value} hours` }]
  return (
    <Field
      label="Old version works for"
      hint={
        hours === null
          ? 'Whatever still has it goes on until somebody deletes it.'
          : 'Whatever still has it goes on until then. Then it is deleted; it can be undeleted.'
      }
    >
      {(control) => (
        <Select
          {...control}
          className="w-full"
          value={value}
          options={options}
          onChange={(event) => onChange(event.target.value === '' ? null : Number(event.target.value))}
        />
      )}
    </Field>
  )
}
