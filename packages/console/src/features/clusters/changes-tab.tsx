import type { ChangeEntry, Cluster } from '@bey/contract'
import { useState } from 'react'
import { useClusterChanges } from '../../data/kubernetes-changes.ts'
import { changeHref } from '../../entities/kubernetes/change-before.ts'
import { NamespaceSelect } from '../../entities/kubernetes/resource-list.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import type { ListLocation } from '../../lib/list-location.ts'
import { oneOf, useListLocation } from '../../lib/list-location.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Select } from '../../ui/select.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { absoluteTime } from '../../ui/time-text.ts'
import { Toolbar } from '../../ui/toolbar.tsx'
import { ChangeLanes } from './change-lanes.tsx'
import { foldChanges, foldedTitle } from './fold-changes.ts'
import type { FoldedChange } from './fold-changes.ts'
import { changeKinds, changeLabels, periodMs, periods, windowOf } from './change-window.ts'

/** What changed in a cluster within a time: lanes on one axis, and everything in one list below. */
export function ChangesTab({ cluster }: { cluster: Cluster }) {
  const listLocation = useListLocation()
  const { search } = listLocation
  // Fixed for as long as the page stands, so that a reading does not move under the reader's eyes.
  const [openedAt, setOpenedAt] = useState(() => new Date())
  const window = windowOf(search, openedAt)
  const query = useClusterChanges(cluster.id, window, search.namespace)
  const kind = oneOf(changeKinds, search.type)
  const failure = failureOf('Failed to fetch what changed', query)
  const changes = query.data?.changes.filter((change) => kind === undefined || change.kind === kind)
  const columns = columnsOf(cluster.id)
  return (
    <>
      <Toolbar
        end={
          <span className="flex items-center gap-2 text-small text-text-2">
            {absoluteTime(new Date(window.from))} – {absoluteTime(new Date(window.to))}
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
      {/* The lanes stand before what lies on them is known, so that the list below does not move. */}
      {failure ? null : (
        <ChangeLanes
          changes={changes ?? []}
          window={window}
          knownSince={query.data ? query.data.knownSince : window.from}
        />
      )}
      <Table
        label="Changes"
        columns={columns}
        rows={changes && foldChanges(changes)}
        rowKey={({ change }) => change.key}
        error={failure && <ErrorState {...failure} />}
        empty={
          <EmptyState
            title="Nothing changed"
            description={
              query.data?.knownSince === null
                ? 'Bey begins to keep changes when it first watches a cluster. Nothing is known of this one yet.'
                : 'No object, run or act of this time, and no warning that the cluster still has.'
            }
          />
        }
        isFilled
      />
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

/** Times in it are absolute, so that anyone who opens it sees the same. */
function linkTo({ from, to }: { from: string; to: string }): string {
  const url = new URL(location.href)
  url.searchParams.delete('period')
  url.searchParams.set('from', from)
  url.searchParams.set('to', to)
  return url.href
}

function columnsOf(clusterId: number): readonly Column<FoldedChange>[] {
  return [
    {
      key: 'title',
      header: 'What',
      width: '34%',
      isVital: true,
      cell: (folded) => (
        <span className={folded.change.isTrouble ? 'text-danger' : undefined}>
          <ChangeTitle clusterId={clusterId} folded={folded} />
        </span>
      ),
    },
    { key: 'kind', header: 'Kind', width: '7rem', cell: ({ change }) => changeLabels[change.kind] },
    { key: 'detail', header: 'Detail', cell: ({ change }) => change.detail ?? '' },
    { key: 'by', header: 'By', width: '11rem', cell: ({ change }) => change.by ?? '' },
    {
      key: 'at',
      header: 'When',
      align: 'end',
      width: '8rem',
      cell: ({ change }) => <RelativeTime at={change.at} />,
    },
  ]
}

function ChangeTitle({ clusterId, folded }: { clusterId: number; folded: FoldedChange }) {
  const href = changeHref(clusterId, folded.change)
  const title = foldedTitle(folded)
  return href === undefined ? <>{title}</> : <Link href={href}>{title}</Link>
}
