import { needsAttention, noNamespace } from '@bey/contract'
import { useDiagnosis, useNode, useRelated } from '../../data/kubernetes.ts'
import { DiagnosisPanel } from './diagnosis-panel.tsx'
import { panelParts } from '../../entities/kubernetes/panels/panel-registry.ts'
import { PanelPartView } from '../../entities/kubernetes/panels/panel-view.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { Below } from '../../ui/below.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { NodeStrip } from '../../ui/node-strip.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { asKubernetesObject } from './kubernetes-object.ts'
import { NodePods } from './node-pods.tsx'
import { NodeResources } from './node-resources.tsx'
import { nodeSentence } from './node-text.ts'
import { ObjectConditions } from './object-conditions.tsx'
import { ObjectLabels } from './object-labels.tsx'
import type { ObjectSubject } from './object-tabs.tsx'
import { RelatedObjects } from './related-objects.tsx'
import { useRemedies } from './use-remedies.ts'

/** How a node is and what runs on it, then what it can give, and last what it is. */
export function NodeOverview({ cluster, detail }: ObjectSubject) {
  const { metadata, status } = asKubernetesObject(detail.object)
  const name = metadata?.name ?? ''
  const query = useNode(cluster.id, name)
  const { data } = query
  const failure = failureOf('Failed to read the pods of the node', query)
  const remedies = useRemedies(cluster)
  const diagnosed = {
    clusterId: cluster.id,
    object: { kind: detail.resource.kind, resource: detail.resource.resource, namespace: '', name },
    version: `${detail.health?.state} ${detail.health?.reason} ${detail.events[0]?.uid}`,
  }
  const diagnosis = useDiagnosis(diagnosed.clusterId, diagnosed.object, diagnosed.version)
  const isDiagnosisExpected = detail.health !== null && needsAttention(detail.health)
  const related = useRelated({
    id: cluster.id,
    resource: detail.resource.resource,
    namespace: noNamespace,
    name,
  })
  const subject = { cluster, namespace: '', name }
  const draw = (isAside: boolean) =>
    panelParts(detail.resource.resource, detail.object)
      .filter((part) => (part.isAside ?? false) === isAside && part.title !== 'Resources')
      .map((part) => <PanelPartView key={part.title} part={part} subject={subject} />)
  return (
    <div className="grid gap-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <DiagnosisPanel
        {...diagnosed}
        isDegraded={detail.health?.state === 'degraded'}
        onAction={remedies.onAction}
      />
      {remedies.dialog}
      <Below isReady={!isDiagnosisExpected || !diagnosis.isLoading}>
        <div className="grid min-w-0 content-start gap-8">
          {failure && !data ? (
            <ErrorState {...failure} isCompact />
          ) : data ? (
            <div>
              <p className="mb-3 text-lead font-medium">{nodeSentence(data)}</p>
              <NodeStrip
                node={data.cell}
                slots={data.maxPods}
                label={`Pods of ${name}: ${nodeSentence(data)}`}
                isStale={!data.isLive}
              />
            </div>
          ) : (
            <DelayedSkeleton>
              <span className="block h-26">
                <Skeleton className="mb-3 w-64" />
                <Skeleton className="h-18" />
              </span>
            </DelayedSkeleton>
          )}
          {isList(status?.conditions) ? <ObjectConditions conditions={status.conditions} /> : null}
        </div>
        <div className="min-w-0 max-lg:order-1">
          <NodeResources detail={data} node={detail.object} />
        </div>
        <div className="min-w-0 lg:col-span-2">
          {failure && !data ? null : (
            <NodePods clusterId={cluster.id} pods={data?.pods} total={data?.node.podCount} />
          )}
        </div>
        <div className="grid min-w-0 content-start gap-8 max-lg:order-2">
          {draw(false)}
          <ObjectLabels title="Labels" values={metadata?.labels} />
          <ObjectLabels title="Annotations" values={metadata?.annotations} />
        </div>
        <div className="grid min-w-0 content-start gap-8 max-lg:order-2">
          {draw(true)}
          <RelatedObjects cluster={cluster} query={related} without={listedAbove} />
        </div>
      </Below>
    </div>
  )
}

/** The pods have a table. */
const listedAbove: ReadonlySet<string> = new Set(['runs'])

function isList<T>(value: readonly T[] | undefined): value is readonly T[] {
  return Array.isArray(value) && value.length > 0
}
