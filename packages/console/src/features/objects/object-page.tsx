import type { Health } from '@bey/contract'
import { needsAttention, noNamespace, objectPath } from '@bey/contract'
import { useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { silenceOf } from '../../data/cluster-silence.ts'
import { useCluster } from '../../data/clusters.ts'
import { useObject } from '../../data/kubernetes.ts'
import { useFollow } from '../../data/live.ts'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { SilenceNotice } from '../../entities/clusters/silence-notice.tsx'
import { silenceText } from '../../entities/clusters/silence-text.ts'
import { HealthStatus } from '../../entities/health/health-status.tsx'
import { ObjectActions } from './actions/object-actions.tsx'
import { pluralTitle } from '../../entities/kubernetes/resource-text.ts'
import { resourceListHref } from '../../entities/kubernetes/tab-resources.ts'
import { isNotFound } from '../../lib/error-text.ts'
import { failureOf, isMissing } from '../../lib/failed-query.ts'
import { lazyPart } from '../../lib/lazy-part.ts'
import { useListLocation } from '../../lib/list-location.ts'
import { usePageSilence } from '../../lib/page-silence.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import type { PageParent } from '../../lib/page-title.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { DetailPage } from '../../ui/detail-page.tsx'
import { Link } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Status } from '../../ui/status.tsx'
import { useIsMobile } from '../../ui/use-is-mobile.ts'
import { momentText, sinceText } from '../../ui/time-text.ts'
import { asKubernetesObject } from './kubernetes-object.ts'
import { namespaceTabs } from './namespace-tabs.tsx'
import { ObjectFoot } from './object-foot.tsx'
import type { ObjectSubject } from './object-tabs.tsx'
import { objectTabs, tabFactsOf } from './object-tabs.tsx'

const GoneObject = lazyPart(async () => ({ default: (await import('./gone-object.tsx')).GoneObject }))

/** One object of a cluster, whatever its kind, with its parts. */
export function ObjectPage() {
  const params: Partial<Record<'id' | 'resource' | 'namespace' | 'name', string>> = useParams({
    strict: false,
  })
  const { resource = '', namespace = '', name = '' } = params
  const id = Number(params.id)
  const { tab } = useListLocation().search
  const cluster = useCluster(id)
  const object = useObject({ id, resource, namespace, name })
  const isKnownMissing = useKnownMissing(object, `${id}/${resource}/${namespace}/${name}`)
  useFollow(cluster.data?.status === 'RUNNING' ? { kind: 'cluster_resources', clusterId: id } : undefined)
  usePageTitle(name, parentsOf(id, namespace, cluster.data, object.data))
  const isMobile = useIsMobile()
  const silence = cluster.data && silenceOf(cluster.data)
  usePageSilence(silence?.since ?? undefined)
  const subject = cluster.data && object.data ? { cluster: cluster.data, detail: object.data } : undefined
  const address = { clusterId: id, resource, namespace: namespace === noNamespace ? '' : namespace, name }
  const facts = tabFactsOf(resource, object.data)
  const tabs = (resource === 'namespaces' ? namespaceTabs : objectTabs).filter(
    ({ id: tabId, isFor, isListed }) => (isListed !== false || tabId === tab) && (!isFor || isFor(facts)),
  )
  const hasOwnFoot = tabs.find((each) => each.id === tab)?.hasOwnFoot
  // What was read before stays: it may be what somebody needs to make it again.
  const isGone = object.data !== undefined && isNotFound(object.error)
  const isAbsent = isMissing(object) || isMissing(cluster)
  const page = (
    <>
      <DetailPage
        noun={object.data?.resource.kind ?? 'object'}
        subject={subject}
        title={name}
        badges={badges}
        subtitle={subtitle}
        {...(isMobile ? {} : { actions: headActions })}
        tabs={tabs}
        tab={tab}
        tabHref={(next) => objectPath(address, next)}
        isStale={silence !== undefined || (object.isError && object.data !== undefined)}
        notice={(shown) =>
          isGone ? (
            <GoneNotice detail={shown.detail} clusterId={id} />
          ) : (
            <SilenceNotice cluster={shown.cluster} />
          )
        }
        missing={
          isAbsent && {
            title: `There is no "${name}" among the ${resource} of this cluster`,
            description: 'It may have been deleted, or the address is not right.',
            action: <ButtonLink href={clusterHref(id)}>Open the cluster</ButtonLink>,
          }
        }
        failure={failureOf('Failed to fetch the object', cluster.isError ? cluster : object)}
      />
      {isMobile && subject ? <ObjectActions subject={subject} isAtThumb /> : null}
      {subject && !isMobile && !hasOwnFoot ? <ObjectFoot subject={subject} /> : null}
    </>
  )
  if (isKnownMissing && cluster.data) {
    return (
      <Suspense fallback={null}>
        <GoneObject
          cluster={cluster.data}
          address={{ resource, namespace: address.namespace, name }}
          otherwise={page}
        />
      </Suspense>
    )
  }
  return page
}

/** The cluster, the namespace and the list of the kind, each with its page. */
function parentsOf(
  id: number,
  namespace: string,
  cluster: ObjectSubject['cluster'] | undefined,
  detail: ObjectSubject['detail'] | undefined,
): PageParent[] {
  const isNamespaced = namespace !== '' && namespace !== noNamespace
  const place = isNamespaced ? { namespace } : {}
  const namespacePage = { clusterId: id, resource: 'namespaces', namespace: '', name: namespace }
  return [
    ...(cluster ? [{ label: cluster.title, href: clusterHref(id) }] : []),
    ...(isNamespaced ? [{ label: namespace, href: objectPath(namespacePage) }] : []),
    ...(detail
      ? [
          {
            label: pluralTitle(detail.resource),
            href: resourceListHref(id, { ...detail.resource, ...place }),
          },
        ]
      : []),
  ]
}

function headActions(subject: ObjectSubject) {
  return <ObjectActions subject={subject} isAtThumb={false} />
}

function badges({ cluster, detail }: ObjectSubject) {
  const { metadata } = asKubernetesObject(detail.object)
  const silence = silenceOf(cluster)
  return (
    <>
      {silence ? (
        <Status status="unknown" variant="badge" label={silenceText(silence)} />
      ) : detail.health ? (
        <HealthStatus health={detail.health} variant="badge" />
      ) : null}
      <Badge>{detail.resource.kind}</Badge>
      {metadata?.deletionTimestamp ? <Badge>Being deleted</Badge> : null}
    </>
  )
}

/** The page of an object that was deleted while it was open. */
function GoneNotice({ detail, clusterId }: { detail: ObjectSubject['detail']; clusterId: number }) {
  return (
    <div className="px-(--gutter) pt-4">
      <Notice
        tone="warn"
        title={`This ${detail.resource.kind} was deleted`}
        actions={
          <ButtonLink size="small" href={clusterHref(clusterId)}>
            Open the cluster
          </ButtonLink>
        }
      >
        What is shown is what it was at {momentText(detail.asOf)}.
      </Notice>
    </div>
  )
}

/** What is wrong since when, then where the object is. */
function subtitle({ cluster, detail }: ObjectSubject) {
  const { health } = detail
  const { metadata } = asKubernetesObject(detail.object)
  const hasTrouble = health !== null && needsAttention(health) && silenceOf(cluster) === undefined
  return (
    <>
      {hasTrouble ? (
        <span className="block">
          <span data-live-color="" className={health.state === 'failing' ? 'text-danger' : 'text-warn'}>
            {health.state.charAt(0).toUpperCase() + health.state.slice(1)}
            {health.since ? ` since ${sinceText(health.since)}` : ''}
          </span>
          {health.detail ? `: ${culprit(detail, health)}${health.detail}` : ''}
        </span>
      ) : null}
      <Link href={clusterHref(cluster.id)}>{cluster.title}</Link>
      {metadata?.namespace ? ` · ${metadata.namespace}` : ''}
      {' · created '}
      <RelativeTime at={metadata?.creationTimestamp ?? null} />
    </>
  )
}

/** Of a namespace the trouble is that of an object in it, which is named. */
function culprit({ resource, object }: ObjectSubject['detail'], { object: found }: Health): string {
  if (!found || resource.kind !== 'Namespace' || found.name === asKubernetesObject(object).metadata?.name)
    return ''
  return `${found.name}: `
}

/**
 * Whether an object is not there, as far as is known. It is asked for again with every change of its kind, and a page
 * with an open dialog must not go for the time of the answer.
 */
function useKnownMissing(object: ReturnType<typeof useObject>, address: string): boolean {
  const [missing, setMissing] = useState<string>()
  const isNowMissing = isMissing(object)
  if (isNowMissing && missing !== address) setMissing(address)
  if (object.data !== undefined && missing === address) setMissing(undefined)
  return isNowMissing || (missing === address && object.isPending)
}
