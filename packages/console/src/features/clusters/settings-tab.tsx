import type { Cluster } from '@bey/contract'
import { deniedReason } from '@bey/contract'
import { Suspense, useState } from 'react'
import { useClusterOverview } from '../../data/kubernetes.ts'
import { useRole } from '../../data/session.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useRead } from '../../data/use-read.ts'
import { clusterHref, isImported } from '../../entities/clusters/cluster-text.ts'
import { deletionImpact, disconnectImpact } from '../../entities/clusters/deletion-impact.ts'
import { useClusterActions } from '../../entities/clusters/use-cluster-actions.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { Below } from '../../ui/below.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SettingsSection } from '../../ui/settings-section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { ClusterNameForm } from './cluster-name-form.tsx'
import { ClusterQuotas, useNamespaceQuotas } from './cluster-quotas.tsx'
import { ConnectionActions, connectionFacts } from './connection-tab.tsx'

const DeleteClusterDialog = lazyPart(async () => ({
  default: (await import('../../entities/clusters/delete-cluster-dialog.tsx')).DeleteClusterDialog,
}))

/** What of a cluster can be changed here: its name, its connection; its quotas; and its end. */
export function SettingsTab({ cluster }: { cluster: Cluster }) {
  const denied = deniedReason(useRole(), 'clusters.update')
  const stale = useStaleReason()
  const gone = cluster.status === 'DELETED' ? 'The cluster is deleted.' : undefined
  return (
    <>
      <SettingsSection title="Name" hint="What Bey calls the cluster. The cluster itself is not changed.">
        {/* Made anew when somebody else has changed it. */}
        <ClusterNameForm
          key={JSON.stringify([cluster.title, cluster.description, cluster.labels])}
          cluster={cluster}
          disabledReason={gone ?? denied ?? stale}
        />
      </SettingsSection>
      {isImported(cluster) && !gone ? (
        <SettingsSection
          title="Connection"
          hint={
            <>
              How this server reaches the cluster. Checks, rights and certificates are{' '}
              <Link href={clusterHref(cluster.id, 'connection')} className="underline">
                on their own tab
              </Link>
              .
            </>
          }
        >
          <ConnectionSetting cluster={cluster} />
        </SettingsSection>
      ) : null}
      <SettingsSection
        title="Quotas"
        hint="What the cluster and its namespaces may take, and what they take."
      >
        <ClusterQuotas cluster={cluster} />
      </SettingsSection>
      <DangerZone cluster={cluster} />
    </>
  )
}

function ConnectionSetting({ cluster }: { cluster: Cluster }) {
  const query = useRead('clusters.connection', { params: { id: cluster.id } })
  const failure = failureOf('Failed to read the connection', query)
  if (failure && !query.data) return <ErrorState {...failure} isCompact />
  if (!query.data) {
    return (
      <DelayedSkeleton>
        <Skeleton className="h-32 w-full max-w-xl" />
      </DelayedSkeleton>
    )
  }
  const { test } = query.data
  return (
    <div className="flex max-w-xl flex-col gap-4">
      <Facts
        facts={[
          ...connectionFacts(query.data),
          { label: 'Last test', value: test ? <RelativeTime at={test.at} /> : 'never' },
          ...(test?.problem ? [{ label: 'Found', value: test.problem.title }] : []),
        ]}
      />
      <ConnectionActions cluster={cluster} />
    </div>
  )
}

/** The end of a cluster, with what goes with it before anybody asks for it. */
function DangerZone({ cluster }: { cluster: Cluster }) {
  const [isAsking, setAsking] = useState(false)
  const { deleteReason } = useClusterActions(cluster)
  const overview = useClusterOverview(cluster.id, cluster.status === 'RUNNING')
  const references = useRead('clusters.references', { params: { id: cluster.id } }, { becomesOld: 'now' })
  const quotas = useNamespaceQuotas(cluster)
  const isLeft = isImported(cluster)
  const impact = isLeft
    ? disconnectImpact(cluster, references.data)
    : deletionImpact(cluster, overview.data, references.data)
  const act = isLeft ? 'Disconnect cluster' : 'Delete cluster'
  return (
    <Below isReady={![overview, references, quotas].some(({ isLoading }) => isLoading)}>
      <SettingsSection
        title="Danger zone"
        hint={
          isLeft
            ? 'Disconnecting takes the cluster out of Bey. It goes on without it.'
            : 'A deleted cluster cannot be brought back.'
        }
      >
        <div className="flex max-w-xl flex-col gap-4">
          {cluster.status === 'DELETED' ? null : (
            <div>
              <p className="text-text-2">
                {isLeft ? 'Nothing is changed in the cluster. Bey removes:' : 'This goes with the cluster:'}
              </p>
              <ul className="mt-2 list-disc pl-5 marker:text-text-3">
                {impact.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </div>
          )}
          <div>
            <Button variant="danger" disabledReason={deleteReason} onClick={() => setAsking(true)}>
              {act}
            </Button>
          </div>
        </div>
        <Suspense fallback={null}>
          {isAsking ? <DeleteClusterDialog cluster={cluster} onClose={() => setAsking(false)} /> : null}
        </Suspense>
      </SettingsSection>
    </Below>
  )
}
