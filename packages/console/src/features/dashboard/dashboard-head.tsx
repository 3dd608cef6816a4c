import type { Dashboard } from '@bey/contract'
import type { ReactNode } from 'react'
import { ChangeBeforeLine } from '../../entities/kubernetes/change-before-line.tsx'
import { ageText } from '../../entities/health/age-text.ts'
import { useNow } from '../../lib/now.ts'
import { cx } from '../../ui/class-names.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { sinceText } from '../../ui/time-text.ts'

/** The answer to what its visitor came to ask: how things are, and since when. */
export function DashboardHead({
  summary,
  clusterId,
  isPlain,
  actions,
}: {
  summary: Dashboard['summary'] | undefined
  /** The cluster in which the trouble began, where it began in one. */
  clusterId: number | undefined
  /** No sentence: there is no cluster yet, or the figures could not be read. */
  isPlain: boolean
  actions: ReactNode
}) {
  const now = new Date(useNow(summary !== undefined))
  const purpose = 'View your cloud resources and analytics'
  if (isPlain) return <PageHeader title="Dashboard" description={purpose} actions={actions} />
  return (
    <PageHeader
      title={
        <>
          <span className="sr-only">Dashboard: </span>
          {summary ? (
            <span className="flex items-center gap-1 max-md:min-h-14 max-md:items-start">
              <span className="max-md:pt-0.5 [&_svg]:size-[18px]">
                {/* The one glyph of health that is not quiet: it answers the page's question. */}
                <Status status={summary.state === 'healthy' ? 'running' : summary.state} label="" />
              </span>
              <span className="min-w-0 wrap-anywhere">{sentence(summary, now)}</span>
            </span>
          ) : (
            <span className="block h-7 py-1.5 max-md:h-14">
              <Skeleton className="h-4 w-80 max-w-full" />
            </span>
          )}
        </>
      }
      description={
        summary ? (
          // In trouble it may need two lines once the change before it is known; nothing below moves then.
          <span className={cx('block max-md:min-h-15', clusterId !== undefined && 'md:min-h-10')}>
            {summary.detail} <ChangeBeforeLine clusterId={clusterId} since={summary.since} />
            <span className="text-text-3">{purpose}</span>
          </span>
        ) : (
          <span className="block py-1 max-md:min-h-15">
            <Skeleton className="h-3 w-120 max-w-full" />
          </span>
        )
      }
      actions={actions}
    />
  )
}

/** "3 workloads failing in prod-eu-1, since 12:04 (21 min)" or "Healthy for 3 days". */
function sentence({ state, text, since }: Dashboard['summary'], now: Date): string {
  const isFresh = since !== null && now.getTime() - Date.parse(since) < 60_000
  // A state that has just begun has no age to speak of.
  if (!since || (state === 'healthy' && isFresh)) return text
  const age = ageText(since, now)
  if (state === 'healthy') return `${text} for ${age}`
  return `${text}, since ${sinceText(since, now)}${isFresh ? '' : ` (${age})`}`
}
