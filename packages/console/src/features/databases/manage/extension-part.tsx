import type { DatabaseExtension } from '@bey/contract'
import { ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useChange } from '../../../data/use-change.ts'
import { useRead } from '../../../data/use-read.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { FilterInput } from '../../../ui/filter-input.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Section } from '../../../ui/section.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Table } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast.ts'
import { useManageDenied } from './use-manage-denied.ts'

const columns: Column<DatabaseExtension>[] = [
  { key: 'name', header: 'Extension', width: '13rem', cell: ({ name }) => name },
  {
    key: 'installed',
    header: 'Installed',
    width: '9rem',
    isVital: true,
    cell: ({ installed, version }) =>
      installed === null ? '—' : installed === version ? installed : `${installed}, ${version} is there`,
  },
  {
    key: 'about',
    header: 'What it is for',
    cell: ({ about }) => (
      <span className="block truncate" title={about}>
        {about}
      </span>
    ),
  },
  {
    key: 'needs',
    header: 'Needed by',
    width: '14rem',
    isExtra: true,
    cell: ({ dependents }) => (
      <span className="block truncate" title={dependents.join('\n')}>
        {dependents.length === 0 ? '—' : dependents.join(', ')}
      </span>
    ),
  },
]

/** Extensions that the server brings, those that are installed first. */
export function ExtensionPart({ database }: { database: Database }) {
  const params = { id: database.id }
  const query = useRead('databases.extensions.list', { params })
  const [filter, setFilter] = useState('')
  const [dropping, setDropping] = useState<DatabaseExtension>()
  const denied = useManageDenied()
  const install = useChange('databases.extensions.install')
  const drop = useChange('databases.extensions.drop')
  const failure = failureOf('Failed to read the extensions', query)
  const text = filter.trim().toLowerCase()
  const rows = query.data?.extensions.filter(({ name, about }) =>
    `${name} ${about}`.toLowerCase().includes(text),
  )
  const close = () => {
    drop.reset()
    setDropping(undefined)
  }
  return (
    <Section
      title="Extensions"
      aside={<FilterInput label="Filter extensions" value={filter} onChange={setFilter} />}
    >
      <Table
        label="Extensions"
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        error={failure ? <ErrorState {...failure} /> : undefined}
        empty={null}
        filter={text === '' ? undefined : { query: filter, onClear: () => setFilter('') }}
        rowActions={(extension) => {
          const { name, installed, version, refusal } = extension
          const isOld = installed !== null && installed !== version
          return installed === null || isOld ? (
            <IconButton
              size="small"
              icon={isOld ? <ArrowUp size={14} aria-hidden /> : <Plus size={14} aria-hidden />}
              label={`${isOld ? 'Update' : 'Install'} ${name}`}
              disabled={install.isPending && install.variables.body.name === name}
              disabledReason={denied ?? (isOld ? undefined : (refusal ?? undefined))}
              onClick={() =>
                install.mutate(
                  { params, body: { name } },
                  {
                    onSuccess: ({ message }) => toast('success', message),
                    onError: (error) => toast('error', `${name} was not installed: ${causeOf(error)}`),
                  },
                )
              }
            />
          ) : (
            <IconButton
              size="small"
              icon={<Trash2 size={14} aria-hidden />}
              label={`Remove ${name}`}
              disabledReason={denied ?? refusal ?? undefined}
              onClick={() => setDropping(extension)}
            />
          )
        }}
      />
      {dropping ? (
        <ConfirmDialog
          open
          onOpenChange={(open) => (open ? undefined : close())}
          title="Remove this extension?"
          name={dropping.name}
          impact={dropping.dependents.length === 0 ? ['Its functions and types'] : dropping.dependents}
          action={dropping.dependents.length === 0 ? 'Remove extension' : 'Remove with what needs it'}
          mustTypeName={dropping.dependents.length > 0}
          busy={drop.isPending}
          error={drop.error ? causeOf(drop.error) : undefined}
          onConfirm={() =>
            drop.mutate(
              { params, body: { name: dropping.name, withDependents: dropping.dependents.length > 0 } },
              { onSuccess: close },
            )
          }
        />
      ) : null}
    </Section>
  )
}
