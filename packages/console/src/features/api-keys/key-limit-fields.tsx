import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import type { KeyDraft } from './key-draft.ts'

interface KeyLimitFieldsProps {
  draft: KeyDraft
  rateError: string | undefined
  addressError: string | undefined
  onChange: (part: Partial<KeyDraft>) => void
}

const expiries = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'never' },
]

/** How long a new key works, how often and from where. */
export function KeyLimitFields({ draft, rateError, addressError, onChange }: KeyLimitFieldsProps) {
  return (
    <>
      <div className="grid gap-6 sm:grid-cols-2">
        <Field label="Expires after">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.days}
              options={expiries}
              onChange={(event) => onChange({ days: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Requests per minute"
          required={false}
          hint="Empty: as many as a person may send."
          error={rateError}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="numeric"
              value={draft.rate}
              onChange={(event) => onChange({ rate: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Field
        label="Allowed addresses"
        required={false}
        hint="Networks in CIDR notation, such as 203.0.113.0/24. Empty: it works from everywhere."
        error={addressError}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={2}
            spellCheck={false}
            className="font-mono text-small"
            value={draft.addresses}
            onChange={(event) => onChange({ addresses: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}
