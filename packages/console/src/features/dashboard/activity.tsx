import { dashboardRuns } from '@bey/contract'
import { failureOf } from '../../lib/failed-query.ts'
import { absent } from '../../lib/format.ts'
import { useRunRows } from '../../lib/run-rows.ts'
import { cx } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { useTimeStyle } from '../../ui/time-style.ts'
import { sinceText } from '../../ui/time-text.ts'
import { useList } from '../../data/use-read.ts'

/** What ran last, on what, and how it went. It comes with the figures: nothing is asked before they are here. */
export function Activity({ hasFigures }: { hasFigures: boolean }) {
  const list = useList(
    'workflows.allRuns',
    { query: { limit: dashboardRuns.listed } },
    { isEnabled: hasFigures },
  )
  const failure = failureOf('Failed to fetch workflow runs', list)
  const rows = useRunRows(list.data?.runs)
  useTimeStyle()
  // Wide enough for "23:43 yesterday" where any is that old.
  const hasOlder = rows?.some((run) => sinceText(run.queuedAt).length > '11:43 pm'.length) ?? false
  return (
    <Section
      title="Activity"
      aside={
        <Link href="/workflows/runs" className="underline hover:text-accent-text">
          All runs
        </Link>
      }
    >
      <div className="border-y border-line">
        {failure && <ErrorState {...failure} isCompact />}
        {rows?.length === 0 ? (
          <EmptyState title="Nothing has run yet" description="Creating or deleting a cluster is a run." />
        ) : null}
        {rows && rows.length > 0 ? (
          <ul className="divide-y divide-line">
            {rows.map((run) => (
              <li key={run.id}>
                <Link
                  href={run.href}
                  className="flex h-7 items-center gap-1.5 -outline-offset-2 hover:bg-hover touch:h-9"
                >
                  <span
                    className={cx('shrink-0 text-small text-text-2 tabular-nums', hasOlder ? 'w-30' : 'w-16')}
                  >
                    {sinceText(run.queuedAt)}
                  </span>
                  <Status of="run" status={run.status} label="" />
                  <span className="sr-only">{run.status}</span>
                  <span className="min-w-0 truncate">
                    <span className="font-medium">{run.name}</span>{' '}
                    {run.duration === absent ? null : (
                      <span className="text-text-2">
                        {run.isOver ? 'in' : 'for'} {run.duration}
                      </span>
                    )}
                  </span>
                  <span className="ml-auto max-w-[40%] shrink-0 truncate text-small text-text-2">
                    {run.subject}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        ) : null}
        {rows || failure ? null : (
          <DelayedSkeleton>
            <span className="flex flex-col gap-4 py-2">
              {Array.from({ length: dashboardRuns.listed }, (_, index) => (
                <Skeleton key={index} className="w-4/5" />
              ))}
            </span>
          </DelayedSkeleton>
        )}
      </div>
    </Section>
  )
}
