import { useState } from 'react'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { useList } from '../../data/use-read.ts'

export interface MemberPickerProps {
  label: string
  /** Who cannot be chosen. */
  exceptId: number
  value: number | undefined
  onChange: (id: number | undefined) => void
  error?: string | undefined
}

/** How many are offered at once; typing narrows them. */
const offered = 50

/** Chooses one member of the organization, found by name or address. */
export function MemberPicker({ label, exceptId, value, onChange, error }: MemberPickerProps) {
  const [search, setSearch] = useState('')
  const { data } = useList('members.list', { query: { limit: offered, ...(search && { search }) } })
  const members = (data?.members ?? []).filter(({ id }) => id !== exceptId)
  const options = members.map(({ id, name, email }) => ({ value: String(id), label: `${name} (${email})` }))
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Field label={label} error={error}>
        {(control) => (
          <Select
            {...control}
            className="w-full"
            options={[{ value: '', label: 'Choose a member' }, ...options]}
            value={members.some(({ id }) => id === value) ? String(value) : ''}
            onChange={(event) => onChange(Number(event.target.value) || undefined)}
          />
        )}
      </Field>
      {(data?.total ?? 0) > offered || search !== '' ? (
        <Field label="Find by name or address">
          {(control) => (
            <Input {...control} value={search} onChange={(event) => setSearch(event.target.value)} />
          )}
        </Field>
      ) : null}
    </div>
  )
}
