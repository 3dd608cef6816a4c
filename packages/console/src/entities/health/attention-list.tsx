import type { Attention, AttentionItem } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useNow } from '../../lib/now.ts'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/section.tsx'
import { useListedKeys } from '../../ui/shown-keys.ts'
import { Status } from '../../ui/status.tsx'
import { ageText } from './age-text.ts'
import { healthTooltip } from './health-status.tsx'
import { logsHref } from './logs-href.ts'
import { reasonText } from './reason-text.ts'

const shownRows = 6

/** What needs attention, a row each: what, how much of it and for how long; below, why and where. */
export function AttentionList({ attention }: { attention: Attention }) {
  const [isOpen, setOpen] = useState(false)
  const hasCluster = new Set(attention.items.map(({ cluster }) => cluster?.id)).size > 1
  const items = isOpen ? attention.items : attention.items.slice(0, shownRows)
  const hidden = attention.items.slice(items.length)
  const hasLogs = items.some((item) => logsHref(item) !== undefined)
  useListedKeys('Focused row', hasLogs ? logsKey : [])
  return (
    <Section title="Needs attention" aside={countsText(attention.counts)}>
      <ul className="divide-y divide-line border-y border-line">
        {items.map((item) => (
          <li key={item.key}>
            <AttentionRow item={item} hasCluster={hasCluster} />
          </li>
        ))}
      </ul>
      {attention.items.length > shownRows ? (
        <button
          type="button"
          onClick={() => setOpen(!isOpen)}
          className="h-9 w-full truncate px-1 text-left text-text-2 -outline-offset-2 hover:bg-hover"
        >
          {isOpen ? 'Show fewer' : `${hidden.length} more: ${hidden.map(({ name }) => name).join(', ')}`}
        </button>
      ) : null}
    </Section>
  )
}

const logsKey = [{ keys: ['l'], does: 'Open its logs' }]

function AttentionRow({ item, hasCluster }: { item: AttentionItem; hasCluster: boolean }) {
  const { health, affected, cluster, namespace, name, kind } = item
  const navigate = useNavigate()
  const logs = logsHref(item)
  const now = useNow(health.since !== null)
  const since = health.since ? ageText(health.since, new Date(now)) : ''
  const count = affected ? `${affected.count} of ${affected.total}` : ''
  const place = [namespace, hasCluster && kind !== 'Cluster' ? cluster?.title : null]
    .filter(Boolean)
    .join(', ')
  const why = [health.reason === null ? null : reasonText(health.reason), health.detail]
    .filter(Boolean)
    .join(': ')
  const openLogs = (event: KeyboardEvent) => {
    if (event.key !== 'l' || logs === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    void navigate({ href: logs })
  }
  return (
    <Link
      href={item.href}
      onKeyDown={openLogs}
      className="group flex min-h-12 items-start gap-0.5 px-1 py-1.5 -outline-offset-2 transition-colors duration-75 hover:bg-hover"
    >
      <span className="flex h-5 items-center">
        <Status status={health.state} label="" />
        <span className="sr-only">{health.state} </span>
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline justify-between gap-4">
          <span className="min-w-0 font-medium wrap-anywhere group-hover:text-accent-text">{name}</span>{' '}
          <span
            className="shrink-0 whitespace-nowrap text-text-2 tabular-nums"
            data-tooltip-time={health.since ?? undefined}
          >
            {[count, since].filter(Boolean).join(' · ')}
          </span>
        </span>
        <span
          className="block truncate text-small text-text-2 max-sm:whitespace-normal"
          data-tooltip={healthTooltip(health) ?? why}
        >
          {why}
          {place === '' ? null : (
            <span className="text-text-3">
              {why === '' ? '' : ' · '}
              {place}
            </span>
          )}
        </span>
      </span>
    </Link>
  )
}

/** "3 failing, 2 degraded". */
function countsText({ failing, degraded, unknown }: Attention['counts']): string {
  const parts = [
    failing > 0 ? `${failing} failing` : '',
    degraded > 0 ? `${degraded} degraded` : '',
    unknown > 0 ? `${unknown} unknown` : '',
  ]
  return parts.filter(Boolean).join(', ')
}
