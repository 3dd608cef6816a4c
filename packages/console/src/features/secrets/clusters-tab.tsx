import type { SecretDetail, SecretSync } from '@bey/contract'
import { ingressPath } from '@bey/contract/ingress/rules'
import { Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useSyncCommand } from '../../data/secret-syncs.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useRead } from '../../data/use-read.ts'
import { toastCause } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { toast } from '../../ui/toast.ts'
import { Toolbar } from '../../ui/toolbar.tsx'
import { RemoveSyncDialog } from './remove-sync-dialog.tsx'
import { SyncMenu } from './sync-menu.tsx'

const SyncDialog = lazyPart(async () => ({
  default: (await import('./sync-dialog.tsx')).SyncDialog,
}))

/** Where the secret is kept in clusters, whether it is there as it should be, and what to do where it is not. */
export function ClustersTab({ secret }: { secret: SecretDetail }) {
  const list = useRead('secretSyncs.list', { params: { id: secret.id } })
  const failure = failureOf('Failed to fetch copies in clusters', list)
  const [open, setOpen] = useState<{ dialog: 'create' } | { dialog: 'remove'; sync: SecretSync }>()
  const command = useSyncCommand(secret.id)
  const stale = useStaleReason()
  const denied = syncReason(secret) ?? stale
  const close = () => setOpen(undefined)
  const add = (
    <Button
      icon={<Plus size={14} aria-hidden />}
      disabledReason={denied}
      onClick={() => setOpen({ dialog: 'create' })}
    >
      Keep in a cluster
    </Button>
  )
  return (
    <>
      {list.data && list.data.syncs.length > 0 ? (
        <Toolbar end={add}>{sentence(list.data.syncs)}</Toolbar>
      ) : null}
      <Table
        label="Copies in clusters"
        columns={columns}
        rows={list.data?.syncs}
        rowKey={({ id }) => id}
        rowLabel={placeText}
        rowActions={(sync) => (
          <SyncMenu
            sync={sync}
            deniedReason={denied}
            onCommand={(asked) =>
              command.mutate(
                { syncId: sync.id, ...asked },
                { onError: (error) => toast('error', 'Failed to change the copy', toastCause(error)) },
              )
            }
            onRemove={() => setOpen({ dialog: 'remove', sync })}
          />
        )}
        error={failure && <ErrorState {...failure} />}
        empty={
          <EmptyState
            title="Kept in no cluster"
            description="A secret that is kept in a cluster is written there as a Kubernetes Secret, follows each new value within seconds, and is checked every minute."
            action={add}
          />
        }
        isFilled
      />
      <Suspense fallback={null}>
        {open?.dialog === 'create' ? <SyncDialog secret={secret} onClose={close} /> : null}
        {open?.dialog === 'remove' ? (
          <RemoveSyncDialog
            place={placeText(open.sync)}
            isStuck={open.sync.state === 'removing' && open.sync.error !== null}
            busy={command.isPending}
            error={command.error}
            onRemove={(removal) => command.mutate({ syncId: open.sync.id, removal }, { onSuccess: close })}
            onClose={close}
          />
        ) : null}
      </Suspense>
    </>
  )
}

/** Why the secret may not be kept in another cluster, or what is there not be changed. */
function syncReason({ access, status }: SecretDetail): string | undefined {
  if (access !== 'manage') return 'Only who manages the secret decides where it is kept.'
  return status === 'pending_deletion' ? 'The secret is being deleted. Restore it first.' : undefined
}

const placeText = ({ clusterTitle, namespace, name }: SecretSync) => `${clusterTitle}, ${namespace}/${name}`

function sentence(syncs: readonly SecretSync[]): string {
  const late = syncs.filter(({ state }) => state !== 'synced')
  const places = syncs.length === 1 ? '1 place' : `${syncs.length} places`
  if (late.length === 0) return `In step in ${places}.`
  return `Not as it should be in ${late.length} of ${places}.`
}

const kinds = { changed: 'changed', missing: 'missing', added: 'added' } as const

function driftText({ drift }: SecretSync): string {
  return drift.map(({ path, kind }) => `${path} ${kinds[kind]}`).join(', ')
}

const columns: readonly Column<SecretSync>[] = [
  { key: 'cluster', header: 'Cluster', width: '12rem', cell: ({ clusterTitle }) => clusterTitle },
  {
    key: 'name',
    header: 'Secret',
    width: '16rem',
    cell: ({ clusterId, namespace, name, kubernetesType }) =>
      kubernetesType === 'kubernetes.io/tls' ? (
        <Link
          href={ingressPath({ certificate: { clusterId, namespace, name } })}
          className="block truncate underline underline-offset-2"
          title={`${namespace}/${name}`}
        >
          {namespace}/{name}
        </Link>
      ) : (
        <span className="block truncate" title={`${namespace}/${name}`}>
          {namespace}/{name}
        </span>
      ),
  },
  {
    key: 'state',
    header: 'State',
    isVital: true,
    cell: (sync) => {
      const detail = sync.error ?? driftText(sync)
      return (
        <span className="flex min-w-0 items-baseline gap-2">
          <Status status={sync.state} />
          <span className="min-w-0 truncate text-text-2" title={detail}>
            {sync.isDriftAccepted ? `accepted: ${detail}` : detail}
          </span>
        </span>
      )
    },
  },
  {
    key: 'version',
    header: 'Version',
    align: 'end',
    width: '5rem',
    cell: ({ syncedVersion }) => syncedVersion ?? '—',
  },
  {
    key: 'syncedAt',
    header: 'Written',
    align: 'end',
    width: '7rem',
    cell: ({ syncedAt }) => <RelativeTime at={syncedAt} />,
  },
]
