import type { ObjectVersion } from '@bey/contract'
import { useState } from 'react'
import { useObjectHistory, useObjectVersion } from '../../../data/kubernetes-changes.ts'
import { failureOf } from '../../../lib/failed-query.ts'
import { formatChangedLines } from '../../../lib/format.ts'
import { useListLocation } from '../../../lib/list-location.ts'
import { cx } from '../../../ui/class-names.ts'
import { DiffLines } from '../../../ui/diff-lines.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { diffText } from '../yaml/diff-text.ts'
import { objectText } from '../yaml/object-text.ts'
import { RevertButton } from './revert-button.tsx'

export interface HistoryTabProps {
  clusterId: number
  object: { kind: string; resource: string; namespace: string; name: string }
  /** Changes when the object was written. */
  version: string
}

/** What an object was when it changed: versions at the left, what the chosen one changed at the right. */
export function HistoryTab({ clusterId, object, version }: HistoryTabProps) {
  const query = useObjectHistory(clusterId, object, version)
  const { search } = useListLocation()
  const [chosen, setChosen] = useState<string | undefined>(search.q)
  const failure = failureOf('Failed to fetch the history', query)
  if (failure) return <ErrorState {...failure} />
  if (!query.data) return <Skeleton className="mx-(--gutter) my-6 h-48" />
  const { versions, since } = query.data
  const [newest] = versions
  if (!newest) return <NoHistory since={since} kind={object.kind} />
  const shown = versions.find(({ id }) => id === chosen) ?? newest
  return (
    <div className="grid gap-6 px-(--gutter) py-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <ol aria-label="Versions" className="self-start divide-y divide-line border-y border-line">
        {versions.map((each) => (
          <li key={each.id}>
            <VersionButton version={each} isShown={each === shown} onChoose={() => setChosen(each.id)} />
          </li>
        ))}
      </ol>
      <VersionChange clusterId={clusterId} object={object} version={shown} changedSince={shown !== newest} />
    </div>
  )
}

function NoHistory({ since, kind }: { since: string | null; kind: string }) {
  const description = since
    ? 'It has not changed since Bey began to watch this cluster.'
    : (whyNotKept[kind] ??
      (/secret|credential|password|token/i.test(kind)
        ? `Changes of a ${kind} are never kept, because they might hold secret values.`
        : `Changes of a ${kind} are not kept yet. Those of workloads, services, config maps, nodes, roles and their like always are; those of custom resources from the first time that a member opens one, for 20 kinds of a cluster with up to 2,000 objects each.`))
  return <EmptyState title="No history" description={description} />
}

/** Kinds that somebody would look for here. */
const whyNotKept: Readonly<Record<string, string>> = {
  Pod: 'Changes of pods are not kept: a pod is replaced, not changed. The history of its workload says what changed.',
  ReplicaSet:
    'Changes of replica sets are not kept: their deployment makes them, and its history says what changed.',
  Secret: 'Changes of Secrets are never kept, because they would hold values.',
}

const words: Record<ObjectVersion['change'], string> = {
  found: 'First seen',
  created: 'Created',
  updated: 'Updated',
  deleted: 'Deleted',
}

function VersionButton({
  version,
  isShown,
  onChoose,
}: {
  version: ObjectVersion
  isShown: boolean
  onChoose: () => void
}) {
  const who = version.by ?? version.manager
  return (
    <button
      type="button"
      aria-pressed={isShown}
      onClick={onChoose}
      className={cx(
        'flex w-full items-baseline justify-between gap-3 px-3 py-2 text-left hover:bg-hover',
        isShown && 'bg-active',
      )}
    >
      <span className="min-w-0">
        <span className="block font-medium">{words[version.change]}</span>
        {who ? <span className="block truncate text-small text-text-2">by {who}</span> : null}
      </span>
      <span className="text-small text-text-2">
        <RelativeTime at={version.at} />
      </span>
    </button>
  )
}

/** What one version changed, with the way back to what was before it. */
export function VersionChange({
  clusterId,
  object,
  version,
  changedSince,
}: {
  clusterId: number
  object: HistoryTabProps['object']
  version: ObjectVersion
  changedSince: boolean
}) {
  const query = useObjectVersion(clusterId, version.id)
  const failure = failureOf('Failed to fetch the version', query)
  if (failure) return <ErrorState {...failure} />
  if (!query.data) return <Skeleton className="h-48" />
  const { object: after, before } = query.data
  if (version.change !== 'deleted' && !version.isKept) {
    return <EmptyState title="Too large" description="Objects of more than 128 KB are noted, but not kept." />
  }
  const diff = diffText(before ? objectText(before) : '', after ? objectText(after) : '')
  return (
    <div className="grid min-w-0 content-start gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-text-2">{formatChangedLines(diff)}</p>
        <RevertButton
          clusterId={clusterId}
          object={object}
          version={version}
          before={before}
          changedSince={changedSince}
        />
      </div>
      {diff.lines.length > 0 ? (
        <DiffLines label="What changed" lines={diff.lines} />
      ) : (
        <p className="text-text-2">Nothing shown here changed.</p>
      )}
    </div>
  )
}
