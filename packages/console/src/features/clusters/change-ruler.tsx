import type { ChangeEntry, Cluster } from '@bey/contract'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { ChangeBeforeLine } from '../../entities/kubernetes/change-before-line.tsx'
import { actorName, changeHref } from '../../entities/kubernetes/change-before.ts'
import { useList } from '../../data/use-read.ts'
import { failureOf } from '../../lib/failed-query.ts'
import { formatNumber } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { cx } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Link } from '../../ui/link.tsx'
import { MinuteRuler, rulerHeight, rulerRoom } from '../../ui/minute-ruler.tsx'
import type { RulerEntry } from '../../ui/minute-ruler.tsx'
import { Section } from '../../ui/section.tsx'
import { DelayedSkeleton, Skeleton } from '../../ui/skeleton.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { withinRoom } from './change-room.ts'

const minutes = 30
const minuteMs = 60_000
const refreshMs = 15_000
/** More than find room: those left out are counted. */
const readChanges = 60

/** What changed in the last half hour, by the minute; equal warnings are one entry. */
export function ChangeRuler({
  cluster,
  troubleSince,
}: {
  cluster: Cluster
  /** RFC 3339. */
  troubleSince: string | null
}) {
  // To the whole minute: the question stays the same for as long.
  const toMs = (Math.floor(useNow(true) / minuteMs) + 1) * minuteMs
  const fromMs = toMs - minutes * minuteMs
  const query = {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    warnings: 'folded' as const,
    atMost: readChanges,
  }
  const list = useList('kubernetes.changes', { params: { id: cluster.id }, query }, { refreshMs })
  const failure = failureOf('Failed to fetch what changed', list)
  const shown = withinRoom(
    (list.data?.changes ?? []).filter(({ at }) => Date.parse(at) >= fromMs),
    rulerRoom(minutes),
  )
  const leftOut = (list.data?.changes.length ?? 0) - shown.length
  return (
    <Section
      title={`What changed, last ${minutes} min`}
      aside={
        <Link
          href={clusterHref(cluster.id, 'changes')}
          className="underline underline-offset-2 hover:text-accent-text"
        >
          {leftOut > 0 && list.data?.isComplete ? `${formatNumber(leftOut)} more` : 'All changes'}
        </Link>
      }
    >
      {/* Its line is kept while it is read: below stands more than this. */}
      <p className={cx('mb-2 text-small text-text-2', troubleSince === null ? 'empty:hidden' : 'min-h-4')}>
        <ChangeBeforeLine clusterId={cluster.id} since={troubleSince} />
      </p>
      {failure ? <ErrorState {...failure} isCompact /> : null}
      {list.data ? (
        <div className="relative">
          <MinuteRuler
            fromMs={fromMs}
            toMs={toMs}
            troubleSince={troubleSince === null ? undefined : Date.parse(troubleSince)}
            entries={shown.map((each) => entryOf(cluster.id, each))}
          />
          {shown.length === 0 ? <p className="absolute top-1 left-19 text-text-2">Nothing changed.</p> : null}
        </div>
      ) : failure ? null : (
        <DelayedSkeleton>
          <div style={{ height: rulerHeight(minutes) }}>
            <Skeleton className="h-full" />
          </div>
        </DelayedSkeleton>
      )}
    </Section>
  )
}

function entryOf(clusterId: number, change: ChangeEntry): RulerEntry {
  return {
    key: change.key,
    at: Date.parse(change.at),
    mark: <StatusMark glyph={glyphOf(change)} />,
    title: change.title,
    detail: [change.by === null ? null : `by ${actorName(change.by)}`, change.detail]
      .filter(Boolean)
      .join(' · '),
    href: changeHref(clusterId, change),
    isTrouble: change.isTrouble,
  }
}

function glyphOf({ kind, isTrouble }: ChangeEntry) {
  if (isTrouble) return 'triangle'
  return kind === 'run' ? 'check' : 'dot'
}
