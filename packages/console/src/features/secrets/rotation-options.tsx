import type { GeneratorOptions } from '@bey/contract'
import { secretLimits } from '@bey/contract'
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

const kinds = [
  ['hasUppercase', 'Upper-case letters'],
  ['hasDigits', 'Digits'],
  ['hasSymbols', 'Symbols'],
] as const

const overlaps = [
  { value: '', label: 'Until I remove the old one' },
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
      label="Both versions are live"
      hint="Until then whatever still has the version before keeps working. Then that version is deleted; it can be undeleted."
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
