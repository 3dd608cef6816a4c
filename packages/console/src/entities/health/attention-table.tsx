import type { Attention, AttentionItem } from '@bey/contract'
import { useState } from 'react'
import { useNow } from '../../lib/now.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { Status } from '../../ui/status.tsx'
import { healthTooltip } from './health-status.tsx'
import { ageText } from './age-text.ts'
import { reasonText } from './reason-text.ts'

const shownRows = 6

/** What needs attention, one row a workload: what, why, how much of it, since when, and the way on. */
export function AttentionTable({ attention }: { attention: Attention }) {
  const [isOpen, setOpen] = useState(false)
  const hasCluster = new Set(attention.items.map(({ cluster }) => cluster?.id)).size > 1
  const items = isOpen ? attention.items : attention.items.slice(0, shownRows)
  const hidden = attention.items.slice(items.length)
  return (
    <Section title="Needs attention" aside={countsText(attention.counts)}>
      <div className="overflow-hidden rounded-card border border-line">
        <table className="w-full table-fixed text-left max-md:block">
          <thead className="max-md:sr-only">
            <tr className="h-8 border-b border-line text-small text-text-2 [&>th]:font-normal">
              <th className="w-[31%] pl-4">What</th>
              <th>Why</th>
              <th className="w-16 text-right">Affected</th>
              <th className="w-18 text-right">Since</th>
              <th className="w-22 pr-3">
                <span className="sr-only">Action</span>
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line max-md:block">
            {items.map((item) => (
              <AttentionRow key={item.key} item={item} hasCluster={hasCluster} />
            ))}
          </tbody>
        </table>
        {attention.items.length > shownRows ? (
          <button
            type="button"
            onClick={() => setOpen(!isOpen)}
            className="h-9 w-full truncate border-t border-line px-4 text-left text-text-2 -outline-offset-2 hover:bg-hover"
          >
            {isOpen ? 'Show fewer' : `${hidden.length} more: ${hidden.map(({ name }) => name).join(', ')}`}
          </button>
        ) : null}
      </div>
    </Section>
  )
}

function AttentionRow({ item, hasCluster }: { item: AttentionItem; hasCluster: boolean }) {
  const { health, affected, cluster, namespace, name, kind } = item
  const place = [namespace, hasCluster && kind !== 'Cluster' ? cluster?.title : null]
    .filter(Boolean)
    .join(' · ')
  const count = affected ? `${affected.count} of ${affected.total}` : '—'
  const now = useNow(health.since !== null)
  const since = health.since ? ageText(health.since, new Date(now)) : '—'
  return (
    <tr className="h-9 max-md:grid max-md:min-h-13 max-md:grid-cols-[1fr_auto] max-md:items-center max-md:gap-x-3 max-md:px-3 max-md:py-2">
      <td className="truncate py-1 pr-3 pl-4 max-md:p-0">
        <span className="inline-flex max-w-full min-w-0 items-center gap-0.5">
          <StateMark item={item} />
          <Link
            href={item.href}
            className="min-w-0 truncate pr-1.5 font-medium hover:text-accent-text hover:underline"
          >
            {name}
          </Link>
          {/* The name is cut only where the place has gone. */}
          <span className="min-w-0 shrink-1000 truncate text-text-3 max-md:hidden">{place}</span>
          <span className="shrink-0 text-small text-text-2 tabular-nums md:hidden">
            {affected ? `${count} · ${since}` : since}
          </span>
        </span>
      </td>
      <td
        className="truncate pr-3 max-md:col-start-1 max-md:pl-5 max-md:text-small"
        data-tooltip={healthTooltip(health)}
      >
        {health.reason === null ? null : reasonText(health.reason)}{' '}
        <span className="text-text-3">{health.detail}</span>
      </td>
      <td className="text-right tabular-nums max-md:hidden">{count}</td>
      <td
        className="text-right whitespace-nowrap tabular-nums max-md:hidden"
        data-tooltip-time={health.since ?? undefined}
      >
        {since}
      </td>
      <td className="pr-3 text-right max-md:col-start-2 max-md:row-span-2 max-md:row-start-1 max-md:p-0">
        <ButtonLink size="small" href={item.href} aria-label={`${actions[item.action]} ${name}`}>
          {actions[item.action]}
        </ButtonLink>
      </td>
    </tr>
  )
}

/** Glyph without its word, which the reason beside it is. */
function StateMark({ item }: { item: AttentionItem }) {
  return (
    <>
      <Status status={item.health.state} label="" />
      <span className="sr-only">{item.health.state}</span>
    </>
  )
}

const actions = { explain: 'Why?', open: 'Open' } as const

/** "3 failing, 2 warnings". */
function countsText({ failing, degraded, unknown }: Attention['counts']): string {
  const parts = [
    failing > 0 ? `${failing} failing` : '',
    degraded > 0 ? `${degraded} degraded` : '',
    unknown > 0 ? `${unknown} unknown` : '',
  ]
  return parts.filter(Boolean).join(', ')
}
