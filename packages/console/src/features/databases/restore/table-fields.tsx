import type { SqlRelation } from '@bey/contract'
import { useId } from 'react'
import type { FieldErrors } from '../../../lib/use-submission.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { relationOf } from './changed-tables.ts'
import { RadioRow } from './radio-row.tsx'
import { besideName, type TableInto, tableOf } from './table-choice.ts'

export interface TableFieldsProps {
  table: string
  onTable: (table: string) => void
  into: TableInto
  onInto: (into: TableInto) => void
  relations: readonly SqlRelation[] | undefined
  suggestions: readonly string[]
  atMs: number
  errors: FieldErrors
}

/** Which table comes back, and what becomes of the one that is there. */
export function TableFields({
  table,
  onTable,
  into,
  onInto,
  relations,
  suggestions,
  atMs,
  errors,
}: TableFieldsProps) {
  const list = useId()
  const chosen = tableOf(table)
  const present = chosen && relationOf(relations, chosen)
  const isGone = relations !== undefined && chosen !== undefined && present === undefined
  return (
    <>
      <Field
        label="Table"
        required
        hint={
          isGone
            ? 'It is not there now, and comes back under its own name, with its keys and what referred to it.'
            : 'With its schema before a dot, unless that is public.'
        }
        error={errors['table'] ?? errors['schema']}
      >
        {(control) => (
          <>
            <Input
              {...control}
              value={table}
              list={list}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              onChange={({ target }) => onTable(target.value)}
            />
            <datalist id={list}>
              {suggestions.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </datalist>
          </>
        )}
      </Field>
      {chosen === undefined || isGone ? null : (
        <fieldset className="sm:col-span-full">
          <legend className="mb-1.5 font-medium">What becomes of the table that is there</legend>
          <div className="overflow-hidden rounded-card border border-line">
            <RadioRow
              name="into"
              value="table"
              chosen={into}
              onChoose={onInto}
              title={`It stays; the rows of then come beside it`}
            >
              as {besideName(chosen.name, atMs)}
            </RadioRow>
            <RadioRow name="into" value="rows" chosen={into} onChoose={onInto} title="Its rows are replaced">
              in one transaction; refused where rows of other tables refer to it
            </RadioRow>
          </div>
        </fieldset>
      )}
    </>
  )
}
