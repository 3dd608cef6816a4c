import type { DatabaseParameter } from '@bey/contract'
import { manageLimits } from '@bey/contract'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import type { ChangeBody } from '../../../data/database-changes.ts'
import type { Database } from '../../../data/databases.ts'
import { useRead } from '../../../data/use-read.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Section } from '../../../ui/section.tsx'
import { Select } from '../../../ui/select.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Table } from '../../../ui/table.tsx'
import { useManageDenied } from '../manage/use-manage-denied.ts'
import { ChangeDialog } from './change-dialog.tsx'

const sources: Readonly<Record<DatabaseParameter['source'], string>> = {
  default: 'default',
  size: 'Bey',
  set: 'set here',
  server: 'the server',
}

const columns: Column<DatabaseParameter>[] = [
  {
    key: 'name',
    header: 'Parameter',
    width: '18rem',
    cell: ({ name }) => (
      <span className="block truncate font-mono text-small" title={name}>
        {name}
      </span>
    ),
  },
  {
    key: 'value',
    header: 'Value',
    width: '10rem',
    isVital: true,
    cell: ({ value, isPending }) => (
      <span className="block truncate" title={value}>
        {value === '' ? '—' : value}
        {isPending ? <span className="text-warn"> · restart pending</span> : null}
      </span>
    ),
  },
  {
    key: 'default',
    header: 'Default',
    width: '9rem',
    isExtra: true,
    cell: (row) => <span className="block truncate">{row.default === '' ? '—' : row.default}</span>,
  },
  { key: 'source', header: 'From', width: '11rem', isExtra: true, cell: ({ source }) => sources[source] },
  {
    key: 'about',
    header: 'What it means',
    cell: ({ about, needsRestart }) => (
      <span className="block truncate" title={about}>
        {needsRestart ? <span className="text-text-3">Restart · </span> : null}
        {about}
      </span>
    ),
  },
]

/** Parameters of the server, and their change as a run. */
export function ParameterPart({ database }: { database: Database }) {
  const query = useRead('databases.parameters', { params: { id: database.id } })
  const [filter, setFilter] = useState('')
  const [showsAll, setShowsAll] = useState(false)
  const [editing, setEditing] = useState<DatabaseParameter>()
  const [body, setBody] = useState<ChangeBody>()
  const denied = useManageDenied()
  const failure = failureOf('Failed to read the parameters', query)
  const text = filter.trim().toLowerCase()
  const isShown = ({ refusal, source, isPending }: DatabaseParameter) =>
    showsAll || database.provider !== 'embedded' || refusal === null || source === 'set' || isPending
  const rows = query.data?.parameters.filter(
    (each) => isShown(each) && `${each.name} ${each.about}`.toLowerCase().includes(text),
  )
  return (
    <Section
      title="Parameters"
      aside={
        <div className="flex flex-wrap items-center gap-3">
          {database.provider !== 'embedded' ? null : (
            <Checkbox
              label="Show those that stay"
              checked={showsAll}
              onChange={({ target }) => setShowsAll(target.checked)}
            />
          )}
          <FilterInput label="Filter parameters" value={filter} onChange={setFilter} />
        </div>
      }
    >
      <Table
        label="Parameters"
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        error={failure ? <ErrorState {...failure} /> : undefined}
        empty={null}
        filter={text === '' ? undefined : { query: filter, onClear: () => setFilter('') }}
        rowActions={(parameter) => (
          <IconButton
            size="small"
            icon={<Pencil size={14} aria-hidden />}
            label={`Change ${parameter.name}`}
            disabledReason={denied ?? parameter.refusal ?? undefined}
            onClick={() => setEditing(parameter)}
          />
        )}
      />
      {editing && body === undefined ? (
        <ValueDialog
          parameter={editing}
          onClose={() => setEditing(undefined)}
          onChosen={(value) => setBody({ parameters: { [editing.name]: value } })}
        />
      ) : null}
      {body === undefined ? null : (
        <ChangeDialog
          database={database}
          body={body}
          onClose={() => setBody(undefined)}
          onStarted={() => {
            setBody(undefined)
            setEditing(undefined)
            void query.refetch()
          }}
        />
      )}
    </Section>
  )
}

function ValueDialog({
  parameter,
  onClose,
  onChosen,
}: {
  parameter: DatabaseParameter
  onClose: () => void
  onChosen: (value: string | null) => void
}) {
  const { name, about, unit, values } = parameter
  const [value, setValue] = useState(parameter.value)
  const options = values.map((each) => ({ value: each, label: each }))
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={name}
      description={about}
      isModalStrict
    >
      <form
        className="flex flex-col gap-4 pb-1"
        onSubmit={(event) => {
          event.preventDefault()
          onChosen(value)
        }}
      >
        <Field
          label="Value"
          hint={`Default: ${parameter.default === '' ? 'empty' : parameter.default}${unit === null ? '' : ` · a bare number counts ${unit}`}`}
        >
          {(control) =>
            options.length > 0 ? (
              <Select
                {...control}
                className="w-full"
                value={value}
                options={options}
                onChange={({ target }) => setValue(target.value)}
              />
            ) : (
              <Input
                {...control}
                value={value}
                maxLength={manageLimits.value}
                autoComplete="off"
                spellCheck={false}
                onChange={({ target }) => setValue(target.value)}
              />
            )
          }
        </Field>
        <div className="mt-1 flex flex-wrap justify-end gap-2">
          {parameter.source === 'set' ? <Button onClick={() => onChosen(null)}>Take it back</Button> : null}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={value === parameter.value}>
            Show the plan
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
