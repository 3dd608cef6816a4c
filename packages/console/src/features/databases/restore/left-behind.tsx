import { databaseMetrics } from '@bey/contract'
import { averagesOf, timesOf, useMetrics } from '../../../data/metrics.ts'
import { formatCount } from '../../../lib/format.ts'
import { Section } from '../../../ui/section.tsx'
import { momentText } from '../../../ui/time-text.ts'
import { writtenSince } from './written-since.ts'

const leastSeconds = 60

/** What a swap leaves in the old database: rows that were written after the moment, as they were measured. */
export function LeftBehind({ databaseId, atMs, nowMs }: { databaseId: string; atMs: number; nowMs: number }) {
  const rangeSeconds = Math.max(leastSeconds, Math.round((nowMs - atMs) / 1_000))
  const { data } = useMetrics({
    entity: 'database',
    ids: [databaseId],
    metrics: [databaseMetrics.rowsWritten],
    rangeSeconds,
  })
  const averages = averagesOf(data, databaseId, databaseMetrics.rowsWritten)
  const rows = data && averages ? writtenSince(timesOf(data), averages, data.stepMs, atMs) : undefined
  return (
    <Section title="Rows left behind" aside={rows === undefined ? null : `about ${formatCount(rows, 'row')}`}>
      <p className="text-pretty text-text-2">
        {rows === undefined
          ? 'What was written after the moment stays in the old database.'
          : `So many were written since ${momentText(new Date(atMs))}, in all tables; they stay in the old database.`}{' '}
        After the swap they are counted by their keys, and copied over if you ask for it, as a plan that you
        review.
      </p>
    </Section>
  )
}
