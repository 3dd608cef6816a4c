import type { DatabaseRole, RoleAccess } from '@bey/contract'
import { roleAccesses, roleAccessText } from '@bey/contract'
import { Trash2, UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { Database } from '../../../data/databases.ts'
import { useChange } from '../../../data/use-change.ts'
import { useRead } from '../../../data/use-read.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatCount } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Section } from '../../../ui/section.tsx'
import { Select } from '../../../ui/select.tsx'
import type { Column } from '../../../ui/table.tsx'
import { Table } from '../../../ui/table.tsx'
import { toast } from '../../../ui/toast.ts'
import { RoleDialog } from './role-dialog.tsx'
import { useManageDenied } from './use-manage-denied.ts'

const accessLabels: Readonly<Record<RoleAccess, string>> = {
  none: 'No table',
  read: 'Read',
  write: 'Read and change',
}

/** Users of the server, with what each can do in this database. */
export function RolePart({ database }: { database: Database }) {
  const params = { id: database.id }
  const query = useRead('databases.roles.list', { params })
  const [isAdding, setAdding] = useState(false)
  const [dropping, setDropping] = useState<DatabaseRole>()
  const [showsAll, setShowsAll] = useState(false)
  const denied = useManageDenied()
  const { data } = query
  const failure = failureOf('Failed to read the users', query)
  const rows = data?.roles.filter(
    ({ kind }) => showsAll || kind === 'user' || kind === 'group' || kind === 'owner',
  )
  const columns: Column<DatabaseRole>[] = [
    {
      key: 'name',
      header: 'User',
      cell: ({ name, kind }) => (
        <span className="flex min-w-0 items-baseline gap-2" title={name}>
          <span className="truncate">{name}</span>
          {kind === 'user' ? null : <span className="text-small font-normal text-text-3">{kind}</span>}
        </span>
      ),
    },
    { key: 'can', header: 'In this database', width: '16rem', cell: roleAccessText },
    {
      key: 'access',
      header: 'Granted',
      width: '12rem',
      isVital: true,
      cell: (role) => <AccessSelect database={database} role={role} disabledReason={denied} />,
    },
    {
      key: 'member',
      header: 'Member of',
      width: '12rem',
      isExtra: true,
      cell: ({ memberOf }) => <span className="block truncate">{memberOf.join(', ') || '—'}</span>,
    },
    {
      key: 'connections',
      header: 'Connected',
      width: '7rem',
      align: 'end',
      cell: ({ connections }) => connections,
    },
  ]
  return (
    <Section
      title="Users"
      aside={
        <div className="flex flex-wrap items-center gap-3">
          <Checkbox
            label="Show those of PostgreSQL and Bey"
            checked={showsAll}
            onChange={({ target }) => setShowsAll(target.checked)}
          />
          <Button
            size="small"
            icon={<UserPlus size={14} aria-hidden />}
            disabledReason={denied ?? data?.refusal ?? undefined}
            onClick={() => setAdding(true)}
          >
            Add user…
          </Button>
        </div>
      }
    >
      <Table
        label="Users of the server"
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        error={failure ? <ErrorState {...failure} /> : undefined}
        empty={<EmptyState title="No user" description="Nobody but PostgreSQL and Bey has a login there." />}
        rowActions={(role) => (
          <IconButton
            size="small"
            icon={<Trash2 size={14} aria-hidden />}
            label={`Remove ${role.name}`}
            disabledReason={denied ?? role.refusal ?? undefined}
            onClick={() => setDropping(role)}
          />
        )}
      />
      {isAdding ? <RoleDialog database={database} onClose={() => setAdding(false)} /> : null}
      {dropping ? (
        <DropRoleDialog database={database} role={dropping} onClose={() => setDropping(undefined)} />
      ) : null}
    </Section>
  )
}

function AccessSelect({
  database,
  role,
  disabledReason,
}: {
  database: Database
  role: DatabaseRole
  disabledReason: string | undefined
}) {
  const grant = useChange('databases.roles.grant')
  const refusal = disabledReason ?? role.refusal ?? undefined
  if (role.refusal !== null) {
    return (
      <span title={role.refusal} className="text-text-3">
        —
      </span>
    )
  }
  return (
    <Select
      aria-label={`What ${role.name} may do`}
      className="w-full"
      value={grant.isPending ? grant.variables.body.access : role.futureAccess}
      disabled={refusal !== undefined || grant.isPending}
      title={refusal}
      options={roleAccesses.map((value) => ({ value, label: accessLabels[value] }))}
      onChange={({ target }) => {
        const access = roleAccesses.find((each) => each === target.value) ?? 'none'
        grant.mutate(
          { params: { id: database.id }, body: { name: role.name, access } },
          { onError: (error) => toast('error', `${role.name} was not changed: ${causeOf(error)}`) },
        )
      }}
    />
  )
}

function DropRoleDialog({
  database,
  role,
  onClose,
}: {
  database: Database
  role: DatabaseRole
  onClose: () => void
}) {
  const drop = useChange('databases.roles.drop')
  const impact = [
    ...(role.connections === 0 ? [] : [`${formatCount(role.connections, 'connection')} of it`]),
    'Its password and its rights',
  ]
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Remove this user from the server?"
      name={role.name}
      impact={impact}
      impactTitle="What it owns goes to the owner of the database. This ends:"
      action="Remove user"
      busy={drop.isPending}
      error={drop.error ? causeOf(drop.error) : undefined}
      onConfirm={() =>
        drop.mutate({ params: { id: database.id }, body: { name: role.name } }, { onSuccess: onClose })
      }
    />
  )
}
