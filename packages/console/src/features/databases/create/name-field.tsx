import { databaseNameRule, databaseNameTaken } from '@bey/contract'
import { Check } from 'lucide-react'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'

/** The name of a new database, and whether it is free. */
export function NameField({
  name,
  isTaken,
  error,
  onChange,
}: {
  name: string
  /** Undefined while that is not known. */
  isTaken: boolean | undefined
  error: string | undefined
  onChange: (name: string) => void
}) {
  return (
    <Field
      label="Name"
      required
      hint={databaseNameRule}
      error={error ?? (isTaken === true ? databaseNameTaken(name.trim()) : undefined)}
      aside={
        isTaken === false && error === undefined ? (
          <output>
            <Check size={14} aria-hidden className="mr-1 inline align-[-2px]" />
            free
          </output>
        ) : undefined
      }
    >
      {(control) => (
        <Input
          {...control}
          value={name}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
