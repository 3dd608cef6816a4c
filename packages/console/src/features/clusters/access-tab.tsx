import type { Cluster, KubeconfigToken } from '@bey/contract'
import { clusterCan, deniedReason } from '@bey/contract'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useKubeconfig, useRevokeToken } from '../../data/clusters.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useList } from '../../data/use-read.ts'
import { downloadText } from '../../lib/download.ts'
import { causeOf } from '../../lib/error-text.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { useListLocation } from '../../lib/list-location.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { TableCard } from '../../ui/table-card.tsx'
import { Table } from '../../ui/table.tsx'
import type { Column } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { clusterHref, kubeconfigFileName } from '../../entities/clusters/cluster-text.ts'
import { RolesList } from './object-tabs.tsx'
import { defaultTokenHours } from '../../entities/clusters/use-cluster-actions.ts'

const lifetimes = [
  { value: '1', label: '1 hour' },
  { value: '8', label: '8 hours' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days, the longest' },
]

/** Who may do what in a cluster: by kubeconfigs of Bey, and by the roles of the cluster itself. */
export function AccessTab({ cluster }: { cluster: Cluster }) {
  const { tab } = useListLocation().search
  const isRoles = tab === 'roles'
  const href = clusterHref(cluster.id, 'access')
  return (
    <>
      <div className="border-b border-line px-(--gutter)">
        <Tabs
          label="Parts of access"
          tabs={[
            { href, label: 'Kubeconfigs', isCurrent: !isRoles },
            { href: `${href}?tab=roles`, label: 'Roles and accounts', isCurrent: isRoles },
          ]}
        />
      </div>
      {isRoles ? <RolesList cluster={cluster} /> : <Kubeconfigs cluster={cluster} />}
    </>
  )
}

/** Files for kubectl, and who holds one at the moment. */
function Kubeconfigs({ cluster }: { cluster: Cluster }) {
  return (
    <div className="flex max-w-5xl flex-col gap-8 px-(--gutter) py-6">
      <KubeconfigDownload cluster={cluster} />
      <Tokens cluster={cluster} />
    </div>
  )
}

function KubeconfigDownload({ cluster }: { cluster: Cluster }) {
  const [hours, setHours] = useState(String(defaultTokenHours))
  const role = useRole()
  const stale = useStaleReason()
  const kubeconfig = useKubeconfig()
  const reason = stale ?? deniedReason(role, 'clusters.kubeconfig') ?? clusterCan.connect(cluster)
  const file = kubeconfigFileName(cluster)
  const download = () =>
    kubeconfig.mutate(
      { id: cluster.id, hours: Number(hours) },
      { onSuccess: (yaml) => downloadText(file, yaml, 'application/yaml') },
    )
  return (
    <Section title="Kubeconfig">
      <p className="max-w-prose text-text-2">
        A file for kubectl and every other Kubernetes client. Its token carries your role ({role}), works for
        this cluster alone, and ends by itself or when it is revoked here.
      </p>
      <div className="mt-4 flex flex-wrap items-end gap-3">
        <Field label="Token expires after">
          {(control) => (
            <Select
              {...control}
              value={hours}
              onChange={(event) => setHours(event.target.value)}
              options={lifetimes}
            />
          )}
        </Field>
        <Button
          variant="primary"
          icon={<Download size={14} aria-hidden />}
          onClick={download}
          busy={kubeconfig.isPending}
          disabledReason={reason}
        >
          Download kubeconfig
        </Button>
      </div>
      <p role="alert" className={kubeconfig.error ? 'mt-3 text-danger' : 'hidden'}>
        {kubeconfig.error ? `Failed to download kubeconfig: ${causeOf(kubeconfig.error)}` : null}
      </p>
      <div className="mt-4">
        <CodeBlock
          label="How to use the kubeconfig"
          text={`export KUBECONFIG=~/Downloads/${file}\nkubectl get nodes`}
        />
      </div>
    </Section>
  )
}

function Tokens({ cluster }: { cluster: Cluster }) {
  const { search, change } = useListLocation()
  const list = useList('clusters.tokens', { params: { id: cluster.id }, query: { page: search.page ?? 1 } })
  const { data } = list
  const failure = failureOf('Failed to fetch kubeconfig tokens', list)
  const revoke = useRevokeToken(cluster.id)
  const [revoking, setRevoking] = useState<KubeconfigToken>()
  const stale = useStaleReason()
  const close = () => {
    setRevoking(undefined)
    revoke.reset()
  }
  const revokeColumn: Column<KubeconfigToken> = {
    key: 'revoke',
    header: 'Actions',
    align: 'end',
    width: '7rem',
    cell: (token) => (
      <Button
        size="small"
        disabledReason={stale}
        onClick={() => setRevoking(token)}
        aria-label={`Revoke ${token.label} of ${token.user.name}`}
      >
        Revoke
      </Button>
    ),
  }
  return (
    <Section
      title="Live tokens"
      aside={data ? <Pagination {...data} onPageChange={(page) => change({ page })} /> : undefined}
    >
      <TableCard>
        <Table
          label="Live kubeconfig tokens"
          columns={[...columns, revokeColumn]}
          rows={data?.tokens}
          rowKey={(token) => token.id}
          rowLabel={(token) => token.label}
          skeletonRows={3}
          error={failure && <ErrorState {...failure} />}
          empty={
            <EmptyState
              title="Nobody has a kubeconfig for this cluster"
              description="Each download creates its own token. It is listed here until it expires or is revoked."
            />
          }
        />
      </TableCard>
      {revoking ? (
        <ConfirmDialog
          open
          onOpenChange={(open) => (open ? undefined : close())}
          title="Revoke this kubeconfig token?"
          name={`${revoking.label || 'kubeconfig'} of ${revoking.user.name}`}
          impactTitle="This ends with it:"
          impact={['Every open request with it, watches included, within a second']}
          action="Revoke token"
          busy={revoke.isPending}
          error={revoke.error ? `Failed to revoke the token: ${causeOf(revoke.error)}` : undefined}
          onConfirm={() => revoke.mutate(revoking.id, { onSuccess: close })}
        />
      ) : null}
    </Section>
  )
}

const columns: readonly Column<KubeconfigToken>[] = [
  { key: 'label', header: 'Token', cell: (token) => token.label || token.id.slice(0, 8) },
  { key: 'user', header: 'Of', cell: (token) => token.user.name },
  {
    key: 'createdAt',
    header: 'Created',
    width: '8rem',
    align: 'end',
    cell: (token) => <RelativeTime at={token.createdAt} />,
  },
  {
    key: 'lastUsedAt',
    header: 'Last used',
    width: '8rem',
    align: 'end',
    cell: (token) => (token.lastUsedAt ? <RelativeTime at={token.lastUsedAt} /> : 'never'),
  },
  {
    key: 'expiresAt',
    header: 'Ends',
    width: '8rem',
    align: 'end',
    cell: (token) => <RelativeTime at={token.expiresAt} />,
  },
]
