import type { ChangeEntry, Cluster } from '@bey/contract'
import { useClusterChanges } from '../../data/kubernetes-changes.ts'
import { ChangeTitle } from './change-title.tsx'
import { failureOf } from '../../lib/failed-query.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { oneOf, useListLocation } from '../../lib/list-location.ts'
import { useNow } from '../../lib/now.ts'
import { cx } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Select } from '../../ui/select.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'

interface Props {
  cluster: Cluster
  namespace: string
}

const hourMs = 3_600_000
const periods = ['2h', '24h', '7d'] as const
const lengths: Readonly<Record<(typeof periods)[number], { ms: number; label: string }>> = {
  '2h': { ms: 2 * hourMs, label: '2 hours' },
  '24h': { ms: 24 * hourMs, label: '24 hours' },
  '7d': { ms: 7 * 24 * hourMs, label: '7 days' },
}
const shownFirst = 10
const readEveryMs = 15_000

/** The last ten changes of a namespace, with the way to all of them. */
export function LatestChanges({ cluster, namespace, href }: Props & { href: string }) {
  const { query, changes } = useChanges(cluster.id, namespace, '24h')
  const failure = failureOf('Failed to fetch what changed', query)
  return (
    <Section
      title="Last changes"
      aside={
        <Link href={href} className="hover:underline">
          {changes && changes.length > shownFirst
            ? `All ${formatNumber(changes.length)} of 24 hours`
            : 'All changes'}
        </Link>
      }
    >
      {failure && !changes ? (
        <ErrorState {...failure} isCompact />
      ) : !changes ? (
        <DelayedSkeleton>
          <Skeleton className="h-48" />
        </DelayedSkeleton>
      ) : changes.length === 0 ? (
        <p className="text-text-2">Nothing changed in the last 24 hours.</p>
      ) : (
        <ChangeRows cluster={cluster} changes={changes.slice(0, shownFirst)} />
      )}
    </Section>
  )
}

/** What changed in a namespace within a time that can be chosen. */
export function NamespaceChangesTab({ cluster, namespace }: Props) {
  const { search, change } = useListLocation()
  const period = oneOf(periods, search.period) ?? '24h'
  const { query, changes } = useChanges(cluster.id, namespace, period)
  const failure = failureOf('Failed to fetch what changed', query)
  return (
    <>
      <Toolbar
        end={
          changes ? (
            <span className="text-small text-text-2">{formatCount(changes.length, 'change')}</span>
          ) : null
        }
      >
        <Select
          aria-label="Time"
          controlSize="small"
          value={period}
          onChange={(event) => change({ period: event.target.value })}
          options={periods.map((value) => ({ value, label: `Last ${lengths[value].label}` }))}
        />
      </Toolbar>
      <div className="px-(--gutter) py-4">
        {failure && !changes ? (
          <ErrorState {...failure} />
        ) : !changes ? (
          <DelayedSkeleton>
            <Skeleton className="h-96" />
          </DelayedSkeleton>
        ) : changes.length === 0 ? (
          <EmptyState
            title="Nothing changed"
            description={
              query.data?.knownSince === null
                ? 'Changes are kept from the moment the cluster is first watched. Nothing is known of this one yet.'
                : `No object of this namespace changed in the last ${lengths[period].label}.`
            }
          />
        ) : (
          <ChangeRows cluster={cluster} changes={changes} />
        )}
      </div>
    </>
  )
}

function useChanges(clusterId: number, namespace: string, period: keyof typeof lengths) {
  // No event says that a change was recorded: what is shown is read again as the time moves on.
  const end = Math.ceil((useNow(true) + 1) / readEveryMs) * readEveryMs
  const window = {
    from: new Date(end - lengths[period].ms).toISOString(),
    to: new Date(end).toISOString(),
  }
  // Warnings of the cluster repeat, and have a tab of their own.
  const query = useClusterChanges(clusterId, window, { namespace, warnings: 'none' })
  return { query, changes: query.data?.changes }
}

function ChangeRows({ cluster, changes }: { cluster: Cluster; changes: readonly ChangeEntry[] }) {
  return (
    <ul className="divide-y divide-line border-y border-line">
      {changes.map((change) => {
        const more = [...(change.by ? [`by ${change.by}`] : []), ...(change.detail ? [change.detail] : [])]
        return (
          <li key={change.key} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 py-2">
            <span className={cx('min-w-0 font-medium break-words', change.isTrouble && 'text-danger')}>
              <ChangeTitle clusterId={cluster.id} change={change} />
            </span>
            <span className="text-small leading-5 text-text-2">
              <RelativeTime at={change.at} />
            </span>
            {more.length > 0 ? (
              <span className="col-span-full text-small break-words text-text-2">{more.join(' · ')}</span>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}
