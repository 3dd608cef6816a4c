import type { ChangeEntry, Cluster } from '@bey/contract'
import { foldWarnings } from '@bey/contract'
import { useState } from 'react'
import { useClusterChanges } from '../../data/kubernetes-changes.ts'
import { useClusterOverview } from '../../data/kubernetes.ts'
import { ChangeBeforeLine } from '../../entities/kubernetes/change-before-line.tsx'
import { NamespaceSelect } from '../../entities/kubernetes/resource-list.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount } from '../../lib/format.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { oneOf, useListLocation } from '../../lib/list-location.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Select } from '../../ui/select.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { absoluteTime, clockTime, dateText, momentText } from '../../ui/time-text.ts'
import { Toolbar } from '../../ui/toolbar.tsx'
import { ChangeLanes } from './change-lanes.tsx'
import { ChangeRows } from './change-rows.tsx'
import { changeKinds, changeLabels, periodMs, periods, windowOf } from './change-window.ts'

/** What changed in a cluster within a time: lanes on one axis, and everything in one list below. */
export function ChangesTab({ cluster }: { cluster: Cluster }) {
  const listLocation = useListLocation()
  const { search } = listLocation
  // Fixed for as long as the page stands, so that a reading does not move under the reader's eyes.
  const [openedAt, setOpenedAt] = useState(() => new Date())
  const window = windowOf(search, openedAt)
  const query = useClusterChanges(cluster.id, window, { namespace: search.namespace })
  const kind = oneOf(changeKinds, search.type)
  const failure = failureOf('Failed to fetch what changed', query)
  const each = query.data?.changes.filter((change) => kind === undefined || change.kind === kind)
  const changes = each && foldWarnings(each)
  const foldedCount = each && changes ? each.length - changes.length : 0
  const { health, status } = cluster
  const attention = useClusterOverview(cluster.id, status === 'RUNNING').data?.attention
  const opened = changes?.find(({ key }) => key === search.q)
  return (
    <>
      <Toolbar
        end={
          <span className="flex flex-wrap items-center gap-x-2 text-small text-text-2">
            {foldedCount > 0 ? (
              <span className="mr-2">{formatCount(foldedCount, 'equal warning')} folded</span>
            ) : null}
            <span className="max-sm:hidden">{spanText(new Date(window.from), new Date(window.to))}</span>
            <span className="sm:hidden">
              {momentText(window.from)} – {momentText(window.to)}
            </span>
            <CopyButton text={linkTo(window)} label="Copy a link to this time" />
          </span>
        }
      >
        <Select
          aria-label="Time"
          controlSize="small"
          value={search.from ? '' : (oneOf(periods, search.period) ?? '30m')}
          onChange={(event) => {
            setOpenedAt(new Date())
            listLocation.change({ period: event.target.value, from: undefined, to: undefined })
          }}
          options={[
            ...(search.from ? [{ value: '', label: 'The time in the address' }] : []),
            ...periods.map((value) => ({ value, label: `Last ${periodMs[value].label}` })),
          ]}
        />
        <KindSelect listLocation={listLocation} kind={kind} />
        <NamespaceSelect cluster={cluster} listLocation={listLocation} />
      </Toolbar>
      <p className="px-(--gutter) pt-3 font-medium empty:hidden">
        <ChangeBeforeLine clusterId={cluster.id} since={health.state === 'failing' ? health.since : null} />
      </p>
      {/* The lanes stand before what lies on them is known, so that the list below does not move. */}
      {failure ? null : (
        <ChangeLanes
          changes={each ?? []}
          window={window}
          knownSince={query.data ? query.data.knownSince : window.from}
          attention={attention}
          openedAt={opened?.at}
        />
      )}
      {failure ? (
        <ErrorState {...failure} />
      ) : !changes ? (
        <DelayedSkeleton>
          <Skeleton className="mx-(--gutter) my-4 h-72" />
        </DelayedSkeleton>
      ) : changes.length === 0 ? (
        <EmptyState
          title="Nothing changed"
          description={
            query.data?.knownSince === null
              ? 'Bey begins to keep changes when it first watches a cluster. Nothing is known of this one yet.'
              : 'No object, run or act of this time, and no warning that the cluster still has.'
          }
        />
      ) : (
        <ChangeRows
          cluster={cluster}
          changes={changes}
          attention={attention}
          lengthMs={Date.parse(window.to) - Date.parse(window.from)}
          openKey={search.q}
          onOpen={(key) => listLocation.change({ q: key })}
        />
      )}
    </>
  )
}

function KindSelect({
  listLocation,
  kind,
}: {
  listLocation: ListLocation
  kind: ChangeEntry['kind'] | undefined
}) {
  return (
    <Select
      aria-label="Kind of change"
      controlSize="small"
      value={kind ?? ''}
      onChange={(event) => listLocation.change({ type: event.target.value })}
      options={[
        { value: '', label: 'All changes' },
        ...changeKinds.map((value) => ({ value, label: changeLabels[value] })),
      ]}
    />
  )
}

/** "28 Nov 2026, 08:00:12 UTC – 08:30:12" within a day, else both ends whole. */
function spanText(from: Date, to: Date): string {
  if (dateText(from) !== dateText(to)) return `${absoluteTime(from)} – ${absoluteTime(to)}`
  return `${absoluteTime(from)} – ${clockTime(to)}`
}

/** Times in it are absolute, so that anyone who opens it sees the same. */
function linkTo({ from, to }: { from: string; to: string }): string {
  const url = new URL(location.href)
  url.searchParams.delete('period')
  url.searchParams.set('from', from)
  url.searchParams.set('to', to)
  return url.href
}
