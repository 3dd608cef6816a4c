import type { Secret } from '@bey/contract'
import { deniedReason, secretFilters, secretTypeLabels, secretTypes } from '@bey/contract'
import { KeyRound, Plus, X } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import type { SecretListQuery } from '../../data/secrets.ts'
import type { SecretsToExport } from '../../data/secret-transfer.ts'
import { useOrganizationId, useRole } from '../../data/session.ts'
import { useList } from '../../data/use-read.ts'
import { SecretRowStatus } from '../../entities/secrets/secret-status.tsx'
import { secretHref } from '../../entities/secrets/secret-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { listQuery, oneOf, tableControls, useListLocation } from '../../lib/list-location.ts'
import { apiCommand, usePageCommands } from '../../lib/page-commands.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterSelect } from '../../ui/filter-select.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Column } from '../../ui/table.tsx'
import { labelTexts } from '../../lib/label-text.ts'
import { ListMenu } from './list-menu.tsx'
import { folderOf, inFolders, noFolder } from './secret-folders.ts'
import { SecretMenu } from './secret-menu.tsx'

const DeleteSecretDialog = lazyPart(async () => ({
  default: (await import('../../entities/secrets/delete-secret-dialog.tsx')).DeleteSecretDialog,
}))
const RevealDialog = lazyPart(async () => ({
  default: (await import('../../entities/secrets/reveal-dialog.tsx')).RevealDialog,
}))

const SecretPanel = lazyPart(async () => ({
  default: (await import('./secret-panel.tsx')).SecretPanel,
}))
const ShareDialog = lazyPart(async () => ({
  default: (await import('./share-dialog.tsx')).ShareDialog,
}))
const ExportDialog = lazyPart(async () => ({
  default: (await import('./export-dialog.tsx')).ExportDialog,
}))

const sorts = ['name', 'type', 'valueChangedAt', 'expiresAt', 'lastReadAt', 'createdAt'] as const

const filterLabels: Record<(typeof secretFilters)[number], string> = {
  expiring: 'Expiring soon',
  expired: 'Expired',
  stale: 'Stale: unchanged for 180 days',
  unused: 'Unused for 90 days',
  duplicates: 'Same value as another',
  pending_deletion: 'Being deleted',
}

/** The secrets of the organization. */
export function SecretListPage() {
  const listLocation = useListLocation()
  const query = queryOf(listLocation)
  const list = useList('secrets.list', { query })
  const { data, isFetching } = list
  const failure = failureOf('Failed to fetch secrets', list)
  const organizationId = useOrganizationId()
  usePageCommands([apiCommand('List these secrets', 'secrets.list', { query }, organizationId)])
  const [open, setOpen] = useState<
    { dialog: 'reveal' | 'share' | 'delete'; secret: Secret } | { dialog: 'export' }
  >()
  const close = () => setOpen(undefined)
  // Folders only where names are in order: by time a folder would have its rows in several places.
  const isByName = (query.sort ?? 'name') === 'name'
  const foldered = useMemo(() => inFolders(data?.secrets ?? []), [data])
  const isFoldered = isByName && foldered.hasFolders
  const rows = isFoldered ? foldered.rows : data?.secrets
  const peeked = rows?.find(({ id }) => id === listLocation.search.peek)
  const closePanel = () => listLocation.change({ peek: undefined })

  return (
    <>
      <ListPage
        title="Secrets"
        summary={data && formatCount(data.total, 'secret')}
        actions={
          <>
            <ListMenu total={data?.total ?? 0} onExport={() => setOpen({ dialog: 'export' })} />
            <CreateSecretLink />
          </>
        }
        search={{ value: listLocation.search.q ?? '', onChange: (q) => listLocation.change({ q }) }}
        filters={<Filters listLocation={listLocation} />}
        page={data}
        onPageChange={(page) => listLocation.change({ page })}
        columns={columns}
        rows={data && rows}
        group={
          isFoldered
            ? (secret) => {
                const key = foldered.folderOf(secret)
                return { key, heading: <FolderHeading folder={key} count={foldered.counts.get(key) ?? 0} /> }
              }
            : undefined
        }
        peek={{ current: peeked?.id, open: (id) => listLocation.change({ peek: id }) }}
        rowKey={(secret) => secret.id}
        rowHref={(secret) => secretHref(secret.id)}
        rowLabel={(secret) => secret.name}
        rowActions={(secret) => (
          <SecretMenu
            secret={secret}
            onReveal={() => setOpen({ dialog: 'reveal', secret })}
            onShare={() => setOpen({ dialog: 'share', secret })}
            onDelete={() => setOpen({ dialog: 'delete', secret })}
          />
        )}
        {...tableControls(listLocation, query, { key: 'name', direction: 'asc' }, filterWords(listLocation))}
        isRefreshing={isFetching && data !== undefined}
        error={failure && <ErrorState {...failure} />}
        empty={<NoSecrets />}
      />
      <Suspense fallback={null}>
        {peeked && !open ? (
          <SecretPanel
            secret={peeked}
            onReveal={() => setOpen({ dialog: 'reveal', secret: peeked })}
            onClose={closePanel}
          />
        ) : null}
        {open?.dialog === 'delete' ? <DeleteSecretDialog secret={open.secret} onClose={close} /> : null}
        {open?.dialog === 'reveal' ? <RevealDialog secret={open.secret} onClose={close} /> : null}
        {open?.dialog === 'share' ? <ShareDialog secret={open.secret} onClose={close} /> : null}
        {open?.dialog === 'export' ? (
          <ExportDialog chosen={{ filter: filterOf(query) }} count={data?.total ?? 0} onClose={close} />
        ) : null}
      </Suspense>
    </>
  )
}

function FolderHeading({ folder, count }: { folder: string; count: number }) {
  return (
    <span className="flex items-baseline gap-2">
      {folder === noFolder ? 'Other secrets' : folder}
      <span className="font-normal text-text-3 tabular-nums">{formatNumber(count)}</span>
    </span>
  )
}

function Filters({ listLocation }: { listLocation: ListLocation }) {
  return (
    <>
      <FilterSelect
        label="Type"
        all="All types"
        value={oneOf(secretTypes, listLocation.search.type)}
        options={secretTypes.map((value) => ({ value, label: secretTypeLabels[value] }))}
        onChange={(type) => listLocation.change({ type })}
      />
      <FilterSelect
        label="Show"
        all="All secrets"
        value={oneOf(secretFilters, listLocation.search.status)}
        options={secretFilters.map((value) => ({ value, label: filterLabels[value] }))}
        onChange={(status) => listLocation.change({ status })}
      />
      {listLocation.search.label ? (
        <Button
          size="small"
          icon={<X size={14} aria-hidden />}
          onClick={() => listLocation.change({ label: undefined })}
          aria-label={`Show every label, not only ${listLocation.search.label}`}
        >
          {listLocation.search.label}
        </Button>
      ) : null}
    </>
  )
}

const columns: readonly Column<Secret>[] = [
  {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    cell: (secret) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="max-w-full shrink-0 truncate" data-tooltip={secret.name}>
          <span className="font-normal text-text-2">{folderOf(secret.name)}</span>
          {secret.name.slice(folderOf(secret.name).length)}
        </span>
        <span
          className="hidden min-w-0 flex-1 truncate font-normal whitespace-nowrap! text-text-3 lg:block"
          data-tooltip={secret.description || undefined}
        >
          {secret.description}
        </span>
      </span>
    ),
  },
  { key: 'type', header: 'Type', sortKey: 'type', width: '8rem', cell: ({ type }) => secretTypeLabels[type] },
  {
    key: 'status',
    header: 'Status',
    width: '9.5rem',
    isVital: true,
    cell: (secret) => <SecretRowStatus secret={secret} />,
  },
  {
    key: 'labels',
    header: 'Labels',
    width: '9rem',
    isExtra: true,
    cell: ({ labels }) => <Labels labels={labels} />,
  },
  {
    key: 'usedBy',
    header: 'Used by',
    align: 'end',
    width: '5rem',
    cell: ({ usedByCount }) => (usedByCount === 0 ? '—' : usedByCount),
  },
  {
    key: 'lastReadAt',
    header: 'Last read',
    sortKey: 'lastReadAt',
    align: 'end',
    width: '7rem',
    cell: ({ lastReadAt }) => <RelativeTime at={lastReadAt} />,
  },
  {
    key: 'valueChangedAt',
    header: 'Changed',
    sortKey: 'valueChangedAt',
    align: 'end',
    width: '7rem',
    cell: ({ valueChangedAt }) => <RelativeTime at={valueChangedAt} />,
  },
]

function Labels({ labels }: { labels: Record<string, string> }) {
  const texts = labelTexts(labels)
  const [first] = texts
  if (first === undefined) return '—'
  return (
    <span className="flex min-w-0 items-center gap-1" title={texts.join(', ')}>
      <span className="min-w-0 truncate">
        <Badge>{first}</Badge>
      </span>
      {texts.length > 1 ? <span className="shrink-0 text-small text-text-3">+{texts.length - 1}</span> : null}
    </span>
  )
}

function CreateSecretLink() {
  const denied = deniedReason(useRole(), 'secrets.create')
  return (
    <ButtonLink
      href="/secrets/create"
      variant="primary"
      icon={<Plus size={14} aria-hidden />}
      disabledReason={denied}
    >
      Create secret
    </ButtonLink>
  )
}

function NoSecrets() {
  return (
    <EmptyState
      icon={<KeyRound size={24} strokeWidth={1.5} aria-hidden />}
      title="No secrets yet"
      description="A secret is a password, key or certificate that workflows use without anyone seeing it. It is encrypted with a key of this organization, every read of it is recorded with a reason, and older versions can be brought back."
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <CreateSecretLink />
          <ButtonLink href="/secrets/import">Import a file</ButtonLink>
        </div>
      }
    />
  )
}

function filterWords({ search }: ListLocation): (string | undefined)[] {
  const type = oneOf(secretTypes, search.type)
  const filter = oneOf(secretFilters, search.status)
  return [search.q, type && secretTypeLabels[type], filter && filterLabels[filter], search.label]
}

function queryOf({ search }: ListLocation): SecretListQuery {
  const query: SecretListQuery = listQuery(search, sorts)
  const type = oneOf(secretTypes, search.type)
  const filter = oneOf(secretFilters, search.status)
  if (type) query.type = type
  if (filter) query.filter = filter
  if (search.label) query.label = search.label
  return query
}

/** What narrows the list, without its order and page. */
function filterOf({ search, type, label, filter }: SecretListQuery): NonNullable<SecretsToExport['filter']> {
  return {
    ...(search && { search }),
    ...(type && { type }),
    ...(label && { label }),
    ...(filter && { filter }),
  }
}
