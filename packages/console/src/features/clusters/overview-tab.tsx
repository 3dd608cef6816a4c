import type { Cluster, ClusterOverview } from '@bey/contract'
import { useClusterOverview } from '../../data/kubernetes.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { runHref } from '../../lib/run-text.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Stat, StatBand } from '../../ui/stat.tsx'
import { clockTime } from '../../ui/time-text.ts'
import { ClusterFacts } from './cluster-facts.tsx'
import { clusterHref, isBusy } from '../../entities/clusters/cluster-text.ts'
import { OverviewFigures } from './overview-figures.tsx'
import { ProvisioningRun } from './provisioning-run.tsx'

/** While an operation is under way or has failed, its run; once the cluster runs, what it holds. */
export function OverviewTab({ cluster }: { cluster: Cluster }) {
  const isRunning = cluster.status === 'RUNNING'
  const overview = useClusterOverview(cluster.id, isRunning)
  const failure = failureOf('Failed to read the cluster', overview)
  if (!isRunning) return <OperationOverview cluster={cluster} />
  return (
    <>
      <OverviewStats cluster={cluster} overview={overview.data} />
      <div className="flex flex-col gap-6 px-(--gutter) py-6">
        <UnreachableNotice cluster={cluster} />
        {failure && <ErrorState {...failure} isCompact />}
        <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[3fr_2fr]">
          <OverviewFigures cluster={cluster} overview={overview.data} />
          <ClusterFacts cluster={cluster} overview={overview.data} />
        </div>
      </div>
    </>
  )
}

function OverviewStats({ cluster, overview }: { cluster: Cluster; overview: ClusterOverview | undefined }) {
  const notReady = overview ? overview.nodes.total - overview.nodes.ready : 0
  return (
    <StatBand>
      <Stat
        label="Nodes ready"
        value={overview ? `${overview.nodes.ready} of ${overview.nodes.total}` : undefined}
        detail={overview ? (notReady > 0 ? `${notReady} not ready` : 'all ready') : null}
        href={clusterHref(cluster.id, 'nodes')}
      />
      <Stat
        label="Pods in all"
        value={overview ? formatNumber(overview.pods.total) : undefined}
        detail={overview ? phaseText(overview.pods.byPhase) : null}
        href={clusterHref(cluster.id, 'pods')}
      />
      <Stat
        label="Workloads in all"
        value={overview ? formatNumber(overview.workloads) : undefined}
        detail={overview ? formatCount(overview.services, 'service') : null}
        href={clusterHref(cluster.id, 'workloads')}
      />
      <Stat label="Namespaces in all" value={overview ? formatNumber(overview.namespaces) : undefined} />
    </StatBand>
  )
}

/** "38 running, 2 pending": phases with pods in them, the most frequent first. */
function phaseText(byPhase: Readonly<Record<string, number>>): string {
  const parts = Object.entries(byPhase)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one)
    .map(([phase, count]) => `${formatNumber(count)} ${phase.toLowerCase()}`)
  return parts.join(', ') || 'none'
}

function UnreachableNotice({ cluster }: { cluster: Cluster }) {
  const { state, since, reason } = cluster.reachability
  if (state !== 'unreachable') return null
  return (
    <Notice tone="warn" title="The cluster does not answer">
      {reason ?? 'Its Kubernetes API cannot be reached.'} What is shown was read before
      {since ? ` ${clockTime(new Date(since))}` : ''}; it becomes live again by itself.
    </Notice>
  )
}

function OperationOverview({ cluster }: { cluster: Cluster }) {
  const { lastRun, status } = cluster
  return (
    <div className="flex flex-col gap-6 px-(--gutter) py-6">
      {status === 'ERROR' ? (
        <Notice
          tone="danger"
          title={cluster.error ?? 'The last operation on this cluster failed.'}
          actions={
            lastRun ? (
              <ButtonLink size="small" href={runHref(lastRun)}>
                Open the run
              </ButtonLink>
            ) : null
          }
        >
          Read below where it stopped; then choose Provision again above.
        </Notice>
      ) : null}
      {status === 'DELETED' ? (
        <Notice
          tone="info"
          title="This cluster was deleted"
          actions={
            <ButtonLink size="small" href="/kubernetes/clusters">
              All clusters
            </ButtonLink>
          }
        >
          Its runs and their logs are kept.
        </Notice>
      ) : null}
      {isBusy(cluster) && !lastRun ? (
        <p className="text-text-2">{`Waiting to start. ${formatCount(cluster.metadata.nodeCount, 'node')} will be made.`}</p>
      ) : null}
      {lastRun ? <ProvisioningRun run={lastRun} /> : null}
      <ClusterFacts cluster={cluster} overview={undefined} isWide />
    </div>
  )
}
