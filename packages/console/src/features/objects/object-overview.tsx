import type { ObjectRef } from '@bey/contract'
import { needsAttention, noNamespace, objectPath } from '@bey/contract'
import { useDiagnosis, useRelated } from '../../data/kubernetes.ts'
import { DiagnosisPanel } from './diagnosis-panel.tsx'
import { panelParts } from '../../entities/kubernetes/panels/panel-registry.ts'
import { PanelPartView } from '../../entities/kubernetes/panels/panel-view.tsx'
import { NetworkMembership } from '../../entities/networks/network-membership.tsx'
import { VolumeUsageSection } from '../../entities/kubernetes/volumes/volume-usage-section.tsx'
import { absent } from '../../lib/format.ts'
import { Below } from '../../ui/below.tsx'
import { Facts } from '../../ui/facts.tsx'
import type { Fact } from '../../ui/facts.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { asKubernetesObject } from './kubernetes-object.ts'
import { ObjectConditions } from './object-conditions.tsx'
import { ObjectLabels } from './object-labels.tsx'
import type { ObjectSubject } from './object-tabs.tsx'
import { OwnedObjects, OwnedPods } from './owned-objects.tsx'
import { RelatedObjects } from './related-objects.tsx'
import { RevisionStrip } from './revision-strip.tsx'
import { useRemedies } from './use-remedies.ts'

/** What is known of an object: its state in words, what its kind shows, what belongs to it, and its labels. */
export function ObjectOverview({ cluster, detail }: ObjectSubject) {
  const object = asKubernetesObject(detail.object)
  const conditions = object.status?.conditions ?? []
  const subject = { cluster, namespace: object.metadata?.namespace ?? '', name: object.metadata?.name ?? '' }
  const remedies = useRemedies(cluster)
  const diagnosed = {
    clusterId: cluster.id,
    object: {
      kind: detail.resource.kind,
      resource: detail.resource.resource,
      namespace: object.metadata?.namespace ?? '',
      name: object.metadata?.name ?? '',
    },
    version: `${detail.health?.state} ${detail.health?.reason} ${detail.events[0]?.uid}`,
  }
  const diagnosis = useDiagnosis(diagnosed.clusterId, diagnosed.object, diagnosed.version)
  const isDiagnosisExpected = detail.health !== null && needsAttention(detail.health)
  const related = useRelated({
    id: cluster.id,
    resource: detail.resource.resource,
    namespace: object.metadata?.namespace ?? noNamespace,
    name: object.metadata?.name ?? '',
  })
  const parts = panelParts(detail.resource.resource, detail.object)
  const draw = (isAside: boolean) =>
    parts
      .filter((part) => (part.isAside ?? false) === isAside)
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
          <OwnedPods cluster={cluster} detail={detail} />
          {detail.usage ? <VolumeUsageSection usage={detail.usage} /> : null}
          {draw(false)}
          <OwnedObjects clusterId={cluster.id} detail={detail} />
        </div>
        <div className="grid min-w-0 content-start gap-8">
          <RevisionStrip cluster={cluster} detail={detail} />
          {Array.isArray(conditions) && conditions.length > 0 ? (
            <ObjectConditions conditions={conditions} />
          ) : null}
          {draw(true)}
          <Section title="About" isCard>
            <Facts facts={factsOf(cluster.id, detail)} />
          </Section>
          <RelatedObjects cluster={cluster} query={related} />
          <Below isReady={!related.isLoading}>
            <ObjectLabels title="Labels" values={object.metadata?.labels} />
            <ObjectLabels title="Annotations" values={object.metadata?.annotations} />
          </Below>
        </div>
      </Below>
    </div>
  )
}

function factsOf(clusterId: number, detail: ObjectSubject['detail']): Fact[] {
  const { metadata, apiVersion } = asKubernetesObject(detail.object)
  const owners = detail.owners.map((owner) => (
    <ObjectLink key={`${owner.kind}/${owner.name}`} clusterId={clusterId} target={owner} />
  ))
  return [
    { label: 'Kind', value: detail.resource.kind },
    { label: 'API version', value: apiVersion ?? absent },
    ...(metadata?.namespace ? [{ label: 'Namespace', value: metadata.namespace }] : []),
    ...(detail.resource.resource === 'namespaces' && metadata?.name
      ? [{ label: 'Network', value: <NetworkMembership of={{ clusterId, namespace: metadata.name }} /> }]
      : []),
    ...(owners.length > 0 ? [{ label: 'Owned by', value: owners }] : []),
    { label: 'Created', value: <RelativeTime at={metadata?.creationTimestamp ?? null} /> },
    ...(metadata?.finalizers?.length ? [{ label: 'Finalizers', value: metadata.finalizers.join(', ') }] : []),
  ]
}

/** An object by kind and name, as a link where the cluster serves its resource. */
function ObjectLink({ clusterId, target }: { clusterId: number; target: ObjectRef }) {
  const text = `${target.kind} ${target.name}`
  if (target.resource === null) return <span className="block break-words">{text}</span>
  return (
    <Link className="break-words" href={objectPath({ clusterId, ...target, resource: target.resource })}>
      {text}
    </Link>
  )
}
