import type { SinceItem, SinceYouLeft as Happened } from '@bey/contract'
import { visitRules } from '@bey/contract'
import { useRead } from '../../data/use-read.ts'
import { formatCount } from '../../lib/format.ts'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { useTimeStyle } from '../../ui/time-style.ts'
import { sinceText } from '../../ui/time-text.ts'
import { daysWithin, nightsWithin, shareOf } from './since-axis.ts'

/** What happened while the reader was away; undefined where nothing did, or where it is not known yet. */
export function useSince(hasFigures: boolean): Happened | undefined {
  const { data } = useRead(
    'analytics.since',
    {},
    { isEnabled: hasFigures, refreshMs: visitRules.recordEveryMs },
  )
  const since = data?.since
  return since && hasHappened(since) ? since : undefined
}

/** What happened while the reader was away; nothing during the first visit, or where nothing happened. */
export function SinceYouLeft({ hasFigures }: { hasFigures: boolean }) {
  useTimeStyle()
  const since = useSince(hasFigures)
  if (!since) return null
  // Wide enough for "23:43 yesterday" where any is that old.
  const hasOlder = since.items.some(({ at }) => sinceText(at).length > '11:43 pm'.length)
  return (
    <Section title="Since you left" aside={countText(since)}>
      <Axis since={since} />
      {since.items.length > 0 ? (
        <ul className="divide-y divide-line border-y border-line">
          {since.items.map((item) => (
            <ItemRow key={item.key} item={item} hasOlder={hasOlder} />
          ))}
        </ul>
      ) : null}
      {since.gaps.map((gap) => (
        <p key={gap} className="pt-2 text-small text-text-2">
          {gap}
        </p>
      ))}
    </Section>
  )
}

const hasHappened = ({ changes, runs, incidents, items }: Happened) =>
  changes.total + runs.total + incidents.length + items.length > 0

/** "41 changes, 74 runs, 2 incidents". */
function countText({ changes, runs, incidents }: Happened): string {
  const counted = ({ total, totalIsExact }: Happened['changes'], noun: string) =>
    `${totalIsExact === false ? 'over ' : ''}${formatCount(total, noun)}`
  return [
    changes.total > 0 ? counted(changes, 'change') : undefined,
    runs.total > 0 ? counted(runs, 'run') : undefined,
    incidents.length > 0 ? formatCount(incidents.length, 'incident') : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(', ')
}

const maxDays = 5

/** The time away: nights, changes and runs above, incidents at the foot. The list says the same in words. */
function Axis({ since }: { since: Happened }) {
  const range = { fromMs: Date.parse(since.from), toMs: Date.parse(since.to) }
  const left = (share: number) => `${(share * 100).toFixed(2)}%`
  const width = (from: number, to: number) => `${((to - from) * 100).toFixed(2)}%`
  return (
    <div className="mb-2">
      <div className="mb-1 flex justify-between gap-4 text-small text-text-2">
        <span className="truncate">
          {since.isCut ? 'the last 14 days, from' : 'you left,'} {sinceText(since.from)}
        </span>
        <span className="shrink-0">now</span>
      </div>
      <div aria-hidden className="relative h-8 overflow-hidden border-x border-text-2">
        {nightsWithin(range).map(({ from, to }) => (
          <span
            key={from}
            className="absolute inset-y-0 bg-active"
            style={{ left: left(from), width: width(from, to) }}
          />
        ))}
        {since.marks.map(({ at, kind }, index) => (
          <span
            // Several may be of one moment.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            className={cx('absolute top-2 h-2 w-0.5', kind === 'failure' ? 'bg-danger' : 'bg-control')}
            style={{ left: `min(${left(shareOf(at, range))}, 100% - 2px)` }}
          />
        ))}
        {since.incidents.map(({ name, from, to }) => {
          const begin = shareOf(from, range)
          const end = to === null ? 1 : shareOf(to, range)
          return (
            <span
              key={`${name} ${from}`}
              className="absolute bottom-0 h-1.5 min-w-0.5 bg-danger"
              style={{ left: `min(${left(begin)}, 100% - 2px)`, width: width(begin, end) }}
            />
          )
        })}
      </div>
      <div aria-hidden className="relative h-4 overflow-hidden text-caption text-text-3">
        {daysWithin(range, maxDays).map(({ at, text }) => (
          <span
            key={text}
            className="absolute border-l border-line pl-1 whitespace-nowrap"
            style={at > 0.85 ? { right: 0 } : { left: left(at) }}
          >
            {text}
          </span>
        ))}
      </div>
    </div>
  )
}

function ItemRow({ item, hasOlder }: { item: SinceItem; hasOlder: boolean }) {
  const { at, kind, state, name, text, by, where, href } = item
  const title = `${by ?? name} ${text}`
  return (
    <li>
      <Link
        href={href}
        data-tooltip={title}
        className="flex h-7 items-center gap-1.5 -outline-offset-2 hover:bg-hover touch:h-9"
      >
        <span className={cx('shrink-0 text-small text-text-2 tabular-nums', hasOlder ? 'w-30' : 'w-16')}>
          {sinceText(at)}
        </span>
        <span className="w-4 shrink-0">
          {kind === 'incident' ? (
            <Status status={state ?? 'unknown'} label="" />
          ) : kind === 'run' ? (
            <Status of="run" status="failed" label="" />
          ) : (
            <span aria-hidden className="mx-auto block h-2 w-0.5 bg-control" />
          )}
        </span>
        <span className="min-w-0 truncate">
          <span className="font-medium">{name}</span> <span className="text-text-2">{text}</span>
        </span>
        {where === null ? null : (
          <span className="ml-auto max-w-[40%] shrink-0 truncate text-small text-text-2">{where}</span>
        )}
      </Link>
    </li>
  )
}
