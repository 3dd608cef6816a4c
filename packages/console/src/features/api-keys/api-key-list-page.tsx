import type { ApiKey } from '@bey/contract'
import { deniedReason, entities } from '@bey/contract'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import type { ApiKeyListQuery } from '../../data/api-keys.ts'
import { useOrganizationId, useRole, useUser } from '../../data/session.ts'
import { useList } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { ApiKeyMenu } from './api-key-menu.tsx'
import type { KeyAct } from './api-key-menu.tsx'
import { KeyDialog } from './key-dialogs.tsx'
import { keyHref, ownerText, reachText } from './key-text.ts'
import { TestKeyDialog } from './test-key-dialog.tsx'

const sorts = ['name', 'createdAt', 'expiresAt', 'lastUsedAt'] as const
const owners = ['me', 'organization', 'others'] as const
const states = ['live', 'ended'] as const

const ownerLabels = { me: 'My own', organization: 'Of the organization', others: 'Of other members' }
const stateLabels = { live: 'Active', ended: 'Expired or revoked' }

/** The API keys of the user and, for those who manage them, of the whole organization. */
export function ApiKeyListPage() {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useList('apiKeys.list', { query })
  const { data, isPlaceholderData } = list
  const failure = failureOf('Failed to fetch API keys', list)
  const userId = useUser()?.id
  const isManager = deniedReason(useRole(), 'apiKeys.manage') === undefined
  usePageCommands([apiCommand('List these keys', 'apiKeys.list', { query }, useOrganizationId())])
  const [open, setOpen] = useState<{ key: ApiKey; act: KeyAct } | 'test'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <ListPage
        title="API keys"
        summary={data && formatCount(data.total, 'key')}
        actions={
          <>
            <Button onClick={() => setOpen('test')}>Test a key</Button>
            <CreateKeyLink />
          </>
        }
        search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
        filters={<Filters listLocation={listLocation} isManager={isManager} />}
        page={data}
        onPageChange={(page) => listLocation.change({ page })}
        columns={columns(userId)}
        rows={data?.keys}
        rowKey={({ id }) => id}
        rowHref={({ id }) => keyHref(id)}
        rowLabel={entities.apiKey.label}
        rowActions={(key) => <ApiKeyMenu apiKey={key} onAct={(act) => setOpen({ key, act })} />}
        {...tableControls(listLocation, query, { key: 'createdAt', direction: 'desc' }, [
          query.search,
          query.owner && ownerLabels[query.owner],
          query.state && stateLabels[query.state],
        ])}
        isRefreshing={isPlaceholderData}
        error={failure && <ErrorState {...failure} />}
        empty={<NoKeys />}
      />
      {open === 'test' ? <TestKeyDialog onClose={close} /> : null}
      {open && open !== 'test' ? <KeyDialog apiKey={open.key} act={open.act} onClose={close} /> : null}
    </>
  )
}

function Filters({ listLocation, isManager }: { listLocation: ListLocation; isManager: boolean }) {
  return (
    <>
      {isManager ? (
        <FilterSelect
          label="Owner"
          all="All owners"
          value={oneOf(owners, listLocation.search.type)}
          options={owners.map((value) => ({ value, label: ownerLabels[value] }))}
          onChange={(type) => listLocation.change({ type })}
        />
      ) : null}
      <FilterSelect
        label="State"
        all="All states"
        value={oneOf(states, listLocation.search.status)}
        options={states.map((value) => ({ value, label: stateLabels[value] }))}
        onChange={(status) => listLocation.change({ status })}
      />
    </>
  )
}

const columns = (userId: number | undefined): readonly Column<ApiKey>[] => [
  {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    cell: ({ name, start }) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="min-w-0 truncate" title={name}>
          {name}
        </span>
        <code className="hidden shrink-0 font-mono text-small font-normal text-text-3 min-[1400px]:inline">
          {start}…
        </code>
      </span>
    ),
  },
  {
    key: 'owner',
    header: 'Belongs to',
    width: '9rem',
    cell: (key) => <span className="block truncate">{ownerText(key, userId)}</span>,
  },
  {
    key: 'reach',
    header: 'Permissions',
    width: '13rem',
    isExtra: true,
    cell: (key) => (
      <span className="block truncate" title={key.permissions.join(', ')}>
        {reachText(key)}
      </span>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    width: '7rem',
    isVital: true,
    cell: ({ status }) => <Status status={status} />,
  },
  {
    key: 'lastUsedAt',
    header: 'Last used',
    sortKey: 'lastUsedAt',
    align: 'end',
    width: '8rem',
    cell: ({ lastUsedAt, lastUsedIp }) =>
      lastUsedAt ? (
        <span title={lastUsedIp ? `from ${lastUsedIp}` : undefined}>
          <RelativeTime at={lastUsedAt} />
        </span>
      ) : (
        'never'
      ),
  },
  {
    key: 'expiresAt',
    header: 'Expires',
    sortKey: 'expiresAt',
    align: 'end',
    width: '8rem',
    cell: ({ expiresAt }) => (expiresAt ? <RelativeTime at={expiresAt} /> : 'never'),
  },
]

function CreateKeyLink() {
  return (
    <ButtonLink
      href="/workspaces/settings/api-keys/create"
      variant="primary"
      icon={<Plus size={14} aria-hidden />}
      disabledReason={deniedReason(useRole(), 'apiKeys.create')}
    >
      Create API key
    </ButtonLink>
  )
}

function NoKeys() {
  return (
    <EmptyState
      icon={<KeyRound size={24} strokeWidth={1.5} aria-hidden />}
      title="No API keys yet"
      description="With an API key a program calls the API, follows live events and speaks to clusters as you do here, within the permissions, resources and networks that you give it. A key of the organization keeps working when its maker leaves."
      action={<CreateKeyLink />}
    />
  )
}

function queryOf({ search }: ListLocation): ApiKeyListQuery {
  const query: ApiKeyListQuery = listQuery(search, sorts)
  const owner = oneOf(owners, search.type)
  const state = oneOf(states, search.status)
  if (owner) query.owner = owner
  if (state) query.state = state
  return query
}
