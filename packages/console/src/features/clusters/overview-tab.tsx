import type { Cluster } from '@bey/contract'
import { useClusterOverview } from '../../data/kubernetes.ts'
import { SampleApplications } from '../../entities/kubernetes/samples/sample-applications.tsx'
import { CapacityLayers } from '../../entities/clusters/capacity-layers.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import { likelyCause } from './likely-cause.ts'
import { runHref } from '../../lib/run-text.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { LayerLegend, LayerMeterSkeletons } from '../../ui/layer-meter.tsx'
import { NodeCellSkeletons } from '../../ui/node-cells.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ChangeRuler } from './change-ruler.tsx'
import { ClusterFacts } from './cluster-facts.tsx'
import { isBusy, isImported } from '../../entities/clusters/cluster-text.ts'
import { Namespaces, OverviewCurves, OverviewMap } from './overview-figures.tsx'
import { isUnread } from './unread-kinds.ts'
import { laterPart } from '../../lib/later-part.tsx'

const columns = 'grid items-start gap-8 lg:grid-cols-[minmax(0,15fr)_minmax(0,8fr)]'

/** Needed only while an operation is under way or has failed. */
const [ProvisioningRun] = laterPart(async () => (await import('./provisioning-run.tsx')).ProvisioningRun)

/** While an operation is under way or has failed, its run; once the cluster runs, what it holds. */
export function OverviewTab({ cluster }: { cluster: Cluster }) {
  const isRunning = cluster.status === 'RUNNING'
  const overview = useClusterOverview(cluster.id, isRunning)
  const failure = failureOf('Failed to read the cluster', overview)
  if (!isRunning) return <OperationOverview cluster={cluster} />
  return (
    <>
      <div className="flex flex-col gap-6 px-(--gutter) pt-6 pb-10">
        {overview.data?.unreadable ? <UnreadableNotice {...overview.data.unreadable} /> : null}
        {failure && <ErrorState {...failure} isCompact />}
        <div className={columns}>
          <OverviewMap cluster={cluster} overview={overview.data} />
          <ChangeRuler
            cluster={cluster}
            troubleSince={cluster.health.state === 'failing' ? cluster.health.since : null}
          />
        </div>
        <OverviewCurves cluster={cluster} overview={overview.data} />
        <div className={columns}>
          <div className="flex min-w-0 flex-col gap-8">
            <Namespaces cluster={cluster} />
            {overview.data && cluster.provider === 'sandbox' ? (
              <SampleApplications cluster={cluster} />
            ) : null}
          </div>
          <div className="flex min-w-0 flex-col gap-8">
            <Section title="Capacity" aside={<LayerLegend />}>
              {overview.data ? (
                isUnread(overview.data, 'nodes') ? (
                  <p className="text-text-2">What nodes can hold is not known, for they may not be read.</p>
                ) : (
                  <CapacityLayers capacity={overview.data.capacity} />
                )
              ) : (
                <LayerMeterSkeletons count={4} />
              )}
            </Section>
            <ClusterFacts cluster={cluster} overview={overview.data} />
          </div>
        </div>
      </div>
    </>
  )
}

/** The room of an overview while not even the cluster is known. */
export function OverviewSkeleton() {
  return (
    <>
      <div className={cx(columns, 'px-(--gutter) pt-6 pb-10')}>
        <Section title="Nodes">
          <NodeCellSkeletons count={3} />
        </Section>
        <Section title="Capacity">
          <LayerMeterSkeletons count={4} />
        </Section>
      </div>
    </>
  )
}

function UnreadableNotice({ kinds, reason }: { kinds: readonly string[]; reason: string }) {
  return (
    <Notice tone="warn" title="Part of the cluster could not be read">
      {kinds.join(', ')}: {reason}. What they would say is missing below, and the health of the whole cluster
      is unknown; the health of each workload is not.
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
          {isImported(cluster) ? 'The sentence says what to do.' : likelyCause(cluster.error)} Resume from the
          failed step keeps what the steps before it have made;{' '}
          {isImported(cluster) ? 'Import again' : 'Provision again'} begins anew.
        </Notice>
      ) : null}
      {status === 'DELETED' ? (
        <Notice
          tone="info"
          title={isImported(cluster) ? 'This cluster was disconnected' : 'This cluster was deleted'}
          actions={
            <ButtonLink size="small" href="/kubernetes/clusters">
              All clusters
            </ButtonLink>
          }
        >
          {isImported(cluster) ? 'It goes on without Bey. Its' : 'Its'} runs and their logs are kept.
        </Notice>
      ) : null}
      {isBusy(cluster) && !lastRun ? (
        <p className="text-text-2">
          {isImported(cluster)
            ? 'Waiting to start.'
            : `Waiting to start. ${formatCount(cluster.metadata.nodeCount, 'node')} will be made.`}
        </p>
      ) : null}
      {lastRun ? (
        // As high as it becomes: what stands below does not move.
        <div className="flex min-h-[46rem] flex-col gap-6">
          <ProvisioningRun run={lastRun} />
        </div>
      ) : null}
      <ClusterFacts cluster={cluster} overview={undefined} isWide />
    </div>
  )
}
