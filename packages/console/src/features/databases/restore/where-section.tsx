import { databaseNameRule, type DatabasePlanId, databasePlanIds } from '@bey/contract'
import { planLabels } from '../../../entities/databases/database-text.ts'
import type { FieldErrors } from '../../../lib/use-submission.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Section } from '../../../ui/section.tsx'
import { Select } from '../../../ui/select.tsx'
import { RadioRow } from './radio-row.tsx'
import type { RestorePlace } from './restore-place.ts'
import { TableFields, type TableFieldsProps } from './table-fields.tsx'

interface WhereDraft {
  name: string
  plan: DatabasePlanId
}

export interface WhereSectionProps {
  databaseName: string
  isDeleted: boolean
  place: RestorePlace
  onPlace: (place: RestorePlace) => void
  draft: WhereDraft
  onChange: (part: Partial<WhereDraft>) => void
  errors: FieldErrors
  /** Which table, and what becomes of the one that is there. */
  table: Omit<TableFieldsProps, 'errors'>
}

/** Where the restored rows go. */
export function WhereSection(props: WhereSectionProps) {
  const { databaseName, isDeleted, place, onPlace, table } = props
  return (
    <Section title="3 Where to">
      <fieldset className="overflow-hidden rounded-card border border-line">
        <legend className="sr-only">Where to</legend>
        <RadioRow name="place" value="new" chosen={place} onChoose={onPlace} title="A new database">
          {isDeleted ? 'made of the backups, which stay' : 'beside it; copy what you need by hand'}
        </RadioRow>
        {isDeleted ? null : (
          <RadioRow
            name="place"
            value="swap"
            chosen={place}
            onChoose={onPlace}
            title={`In place of ${databaseName}`}
          >
            restored beside it first; you see what differs, and then swap
          </RadioRow>
        )}
        {isDeleted ? null : (
          <RadioRow
            name="place"
            value="table"
            chosen={place}
            onChoose={onPlace}
            title={`Only ${table.table.trim() === '' ? 'one table' : table.table.trim()} into ${databaseName}`}
            badge="smallest"
          >
            nothing else changes, nothing is left behind
          </RadioRow>
        )}
      </fieldset>
      <div className="mt-4 grid gap-4 sm:grid-cols-[minmax(0,1fr)_12rem]">
        {place === 'table' ? <TableFields {...table} errors={props.errors} /> : <NameFields {...props} />}
      </div>
    </Section>
  )
}

function NameFields({ place, draft, onChange, errors }: WhereSectionProps) {
  return (
    <>
      <Field
        label={place === 'swap' ? 'Name of the copy until it is swapped' : 'Name of the new database'}
        required
        hint={databaseNameRule}
        error={errors['name']}
      >
        {(control) => (
          <Input
            {...control}
            value={draft.name}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            onChange={({ target }) => onChange({ name: target.value })}
          />
        )}
      </Field>
      <Field label="Size" error={errors['plan']}>
        {(control) => (
          <Select
            {...control}
            className="w-full"
            value={draft.plan}
            options={databasePlanIds.map((value) => ({ value, label: planLabels[value] }))}
            onChange={({ target }) => {
              const chosen = databasePlanIds.find((each) => each === target.value)
              if (chosen !== undefined) onChange({ plan: chosen })
            }}
          />
        )}
      </Field>
    </>
  )
}
