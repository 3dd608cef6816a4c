import type { Attention, ChangeEntry, Cluster } from '@bey/contract'
import { useObjectHistory } from '../../data/kubernetes-changes.ts'
import { changeHref } from '../../entities/kubernetes/change-before.ts'
import { VersionChange } from '../../entities/kubernetes/history/history-tab.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { WhatFollowed } from './followed.tsx'

/** An opened row of changes: what was changed, line by line, and what followed. */
export function ChangeDetails({
  cluster,
  change,
  attention,
}: {
  cluster: Cluster
  change: ChangeEntry
  attention: Attention | undefined
}) {
  const href = changeHref(cluster.id, change)
  return (
    <div className="grid gap-x-6 gap-y-4 px-(--gutter) pt-1 pb-4 lg:grid-cols-[minmax(0,1fr)_18rem] lg:pl-[8.25rem]">
      <div className="min-w-0">
        {change.versionId !== null && change.object?.resource ? (
          <ObjectChange clusterId={cluster.id} change={change} versionId={change.versionId} />
        ) : (
          <p className="wrap-anywhere text-text-2">{detailText(change)}</p>
        )}
      </div>
      <div className="flex min-w-0 flex-col items-start gap-3">
        {change.kind === 'event' ? null : (
          <WhatFollowed cluster={cluster} change={change} attention={attention} />
        )}
        {href === undefined ? null : (
          <ButtonLink size="small" href={href}>
            {openTexts[change.kind]}
          </ButtonLink>
        )}
      </div>
    </div>
  )
}

const openTexts: Readonly<Record<ChangeEntry['kind'], string>> = {
  object: 'Open its history',
  action: 'Open the object',
  run: 'Open the run',
  event: 'Open the object',
}

function detailText({ kind, detail, count }: ChangeEntry): string {
  if (kind !== 'event') return detail ?? 'Nothing more is known of it.'
  return count > 1 ? `The newest of ${count}: ${detail ?? ''}` : (detail ?? '')
}

function ObjectChange({
  clusterId,
  change: { object },
  versionId,
}: {
  clusterId: number
  change: ChangeEntry
  versionId: string
}) {
  const { kind = '', resource = null, namespace = '', name = '' } = object ?? {}
  const of = { kind, resource: resource ?? '', namespace, name }
  const query = useObjectHistory(clusterId, of, versionId)
  const failure = failureOf('Failed to fetch the version', query)
  if (failure) return <ErrorState {...failure} isCompact />
  const versions = query.data?.versions
  if (!versions) {
    return (
      <DelayedSkeleton>
        <Skeleton className="h-32" />
      </DelayedSkeleton>
    )
  }
  const version = versions.find(({ id }) => id === versionId)
  if (!version) return <p className="text-text-2">This version is not kept any more.</p>
  return (
    <VersionChange
      clusterId={clusterId}
      object={of}
      version={version}
      changedSince={version !== versions[0]}
    />
  )
}
