import type { Dashboard } from '@bey/contract'
import { useState } from 'react'
import { useClusters } from '../../data/clusters.ts'
import { useRuns } from '../../data/workflows.ts'
import { Link } from '../../ui/link.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { Patience, Skeleton } from '../../ui/skeleton.tsx'
import { Status } from '../../ui/status.tsx'
import { attentionItems } from './attention-items.ts'

const dayMs = 24 * 60 * 60 * 1000
const shownItems = 8

/** What is wrong at the moment, each with the way to it. */
export function Attention({ figures }: { figures: Dashboard | undefined }) {
  // Fixed when the page opens, so that the query keeps its key.
  const [since] = useState(() => new Date(Date.now() - dayMs).toISOString())
  const clusters = useClusters({ status: 'ERROR', limit: shownItems })
  const failed = useRuns({ status: 'failed', since, limit: shownItems })
  const waiting = useRuns({ status: 'needs_attention', limit: shownItems })
  const isComplete = figures && clusters.data && failed.data && waiting.data
  const items = attentionItems({
    figures,
    clusters: clusters.data?.clusters ?? [],
    runs: [...(waiting.data?.runs ?? []), ...(failed.data?.runs ?? [])],
  })
  const unread = [clusters, failed, waiting].some((query) => query.isError && !query.data)
  return (
    <Section
      title="Needs attention"
      aside={items.length > shownItems ? `${shownItems} of ${items.length}` : undefined}
    >
      <div className="rounded-card border border-line">
        {items.length > 0 ? (
          <ul className="divide-y divide-line">
            {items.slice(0, shownItems).map((item) => (
              <li key={item.key}>
                <Link
                  href={item.href}
                  className="block px-3 py-2 -outline-offset-2 transition-colors duration-75 hover:bg-hover"
                >
                  <span className="flex items-baseline justify-between gap-3">
                    <span className="flex min-w-0 items-center gap-2">
                      <Status status={item.status} label={item.word} />
                      <span className="truncate font-medium">{item.name}</span>
                    </span>
                    <span className="shrink-0 text-small text-text-3">
                      {item.at ? <RelativeTime at={item.at} /> : item.place}
                    </span>
                  </span>
                  {item.cause ? (
                    <span className="mt-0.5 line-clamp-2 text-small text-text-2">{item.cause}</span>
                  ) : null}
                </Link>
              </li>
            ))}
          </ul>
        ) : null}
        {items.length === 0 && isComplete ? (
          <p className="px-3 py-3 text-text-2">
            Nothing. Clusters answer, no pod fails, no run failed in 24 h.
          </p>
        ) : null}
        {items.length === 0 && !isComplete && !unread ? (
          <Patience>
            <span className="flex flex-col gap-3 p-3">
              <Skeleton className="w-3/4" />
              <Skeleton className="w-1/2" />
            </span>
          </Patience>
        ) : null}
        {unread ? (
          <p role="alert" className="border-t border-line px-3 py-2 text-small text-danger first:border-t-0">
            Part of this could not be read; there may be more.
          </p>
        ) : null}
      </div>
    </Section>
  )
}
