import type { ServerDatabase } from '@bey/contract'
import { isFreeSqlName, manageLimits, sqlNameRule } from '@bey/contract'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useChange } from '../../../data/use-change.ts'
import { useRead } from '../../../data/use-read.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatBytes } from '../../../lib/format.ts'
import { useSubmission } from '../../../lib/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Field } from '../../../ui/field.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Section } from '../../../ui/section.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Table } from '../../../ui/table.tsx'
import { FormFoot } from '../../../ui/form-foot.tsx'
import { useManageDenied } from './use-manage-denied.ts'

const columns: Column<ServerDatabase>[] = [
  {
    key: 'name',
    header: 'Database',
    cell: ({ name }) => (
      <span className="block truncate" title={name}>
        {name}
      </span>
    ),
  },
  {
    key: 'owner',
    header: 'Owner',
    width: '14rem',
    cell: ({ owner }) => <span className="block truncate">{owner}</span>,
  },
  {
    key: 'size',
    header: 'Size',
    width: '8rem',
    align: 'end',
    isVital: true,
    cell: ({ sizeBytes }) => (sizeBytes === null ? '—' : formatBytes(sizeBytes)),
  },
  {
    key: 'connections',
    header: 'Connected',
    width: '7rem',
    align: 'end',
    cell: ({ connections }) => connections,
  },
]

/** Databases in the same server. */
export function ServerDatabasePart({ database }: { database: Database }) {
  const params = { id: database.id }
  const query = useRead('databases.serverDatabases.list', { params })
  const [isAdding, setAdding] = useState(false)
  const [dropping, setDropping] = useState<string>()
  const drop = useChange('databases.serverDatabases.drop')
  const denied = useManageDenied()
  const failure = failureOf('Failed to read the databases', query)
  const close = () => {
    drop.reset()
    setDropping(undefined)
  }
  return (
    <Section
      title="Databases in this server"
      aside={
        <Button
          size="small"
          icon={<Plus size={14} aria-hidden />}
          disabledReason={denied ?? query.data?.refusal ?? undefined}
          onClick={() => setAdding(true)}
        >
          Add database…
        </Button>
      }
    >
      <Table
        label="Databases in this server"
        columns={columns}
        rows={query.data?.databases}
        rowKey={({ name }) => name}
        error={failure ? <ErrorState {...failure} /> : undefined}
        empty={null}
        rowActions={({ name, refusal }) => (
          <IconButton
            size="small"
            icon={<Trash2 size={14} aria-hidden />}
            label={`Drop ${name}`}
            disabledReason={denied ?? refusal ?? undefined}
            onClick={() => setDropping(name)}
          />
        )}
      />
      {isAdding ? <AddDialog database={database} onClose={() => setAdding(false)} /> : null}
      {dropping === undefined ? null : (
        <ConfirmDialog
          open
          onOpenChange={(open) => (open ? undefined : close())}
          title="Drop this database?"
          name={dropping}
          impact={['All of its tables and rows']}
          action="Drop database"
          mustTypeName
          busy={drop.isPending}
          error={drop.error ? causeOf(drop.error) : undefined}
          onConfirm={() => drop.mutate({ params, body: { name: dropping } }, { onSuccess: close })}
        />
      )}
    </Section>
  )
}

function AddDialog({ database, onClose }: { database: Database; onClose: () => void }) {
  const [name, setName] = useState('')
  const create = useChange('databases.serverDatabases.create')
  const isValid = isFreeSqlName(name)
  const form = useSubmission({
    mutation: create,
    invalid: isValid ? {} : { name: sqlNameRule },
    input: isValid ? { params: { id: database.id }, body: { name } } : undefined,
    lost: undefined,
    fieldOfCode: { name_taken: 'name' },
    onSaved: onClose,
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title={`Add a database to the server of ${database.name}`}
      description="It has the same owner, and shares connections and memory with the others."
      isModalStrict
    >
      <form
        className="flex flex-col gap-4 pb-1"
        onSubmit={(event) => {
          event.preventDefault()
          form.onSubmit()
        }}
      >
        <Field label="Name" required error={form.errors['name']}>
          {(control) => (
            <Input
              {...control}
              value={name}
              maxLength={manageLimits.nameBytes}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => {
                setName(target.value)
                form.onChange()
              }}
            />
          )}
        </Field>
        <FormFoot form={form} submit="Add database" onCancel={onClose} />
      </form>
    </Dialog>
  )
}
