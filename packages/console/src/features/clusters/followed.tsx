import type { Attention, ChangeEntry, Cluster } from '@bey/contract'
import { clusterMetrics } from '@bey/contract'
import { averagesOf, timesOf, useMetrics } from '../../data/metrics.ts'
import { useRead } from '../../data/use-read.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { cx } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import { followersOf, followMs, restartsAround } from './what-followed.ts'

const minuteMs = 60_000

/** What happened within ten minutes after a change: what began to fail, restarts, and alerts that fired. */
export function WhatFollowed({
  cluster,
  change,
  attention,
}: {
  cluster: Cluster
  change: ChangeEntry
  /** Undefined while it is read. */
  attention: Attention | undefined
}) {
  const atMs = Date.parse(change.at)
  const nowMs = Math.floor(useNow(true) / minuteMs) * minuteMs
  const endMs = Math.min(atMs + followMs, nowMs)
  const measured = useMetrics(
    {
      entity: 'cluster',
      ids: [cluster.id],
      metrics: [clusterMetrics.restarts],
      rangeSeconds: (2 * followMs) / 1000,
      end: new Date(endMs).toISOString(),
    },
    endMs > atMs,
  ).data
  const alerts = useRead('alerts.list', { query: { limit: 200 } }).data?.alerts
  const restarts =
    measured &&
    restartsAround(
      change.at,
      averagesOf(measured, cluster.id, clusterMetrics.restarts),
      timesOf(measured),
      measured.stepMs,
    )
  const followers = followersOf(
    change.at,
    attention?.items ?? [],
    (alerts ?? []).flatMap(({ id, name, worst }) =>
      worst?.state === 'firing' && worst.labels['cluster'] === cluster.title
        ? [{ id, name, since: worst.since }]
        : [],
    ),
  )
  const isWorse = restarts !== undefined && restarts.after > restarts.before
  const isOver = atMs + followMs <= nowMs
  return (
    <section aria-label="What followed" className="min-w-0">
      <h2 className="font-semibold">What followed</h2>
      <ul className="mt-1.5 flex flex-col gap-1.5">
        {followers.map(({ key, name, what, afterText, href }) => (
          <li key={key} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
            <span className="mt-1 text-danger" data-live-color="">
              <StatusMark glyph="triangle" />
            </span>
            <span className="wrap-anywhere">
              <Link href={href} className="font-medium hover:text-accent-text">
                {name}
              </Link>{' '}
              {what} <span className="whitespace-nowrap text-text-2">{afterText}</span>
            </span>
          </li>
        ))}
        {restarts && (restarts.after > 0 || restarts.before > 0) ? (
          <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
            <span className={cx('mt-1', isWorse ? 'text-danger' : 'text-text-3')} data-live-color="">
              <StatusMark glyph={isWorse ? 'triangle' : 'dot'} />
            </span>
            <span>
              {formatCount(restarts.after, 'restart')}{' '}
              <span className="text-text-2">
                {isOver ? 'within 10 min' : 'until now'}, {formatNumber(restarts.before)} in the 10 min before
              </span>
            </span>
          </li>
        ) : null}
      </ul>
      {attention && followers.length === 0 ? (
        <p className="text-text-2">
          {isOver ? 'Nothing that fails now began within 10 min of it.' : 'Nothing has begun to fail since.'}
        </p>
      ) : null}
    </section>
  )
}
