import { alertBounds, type AlertCondition } from '@bey/contract/alerts/rules'

import { AppError } from '../../platform/errors.ts'
import type { Resource } from '../../platform/inventory.ts'
import type { ReadRange } from '../../platform/metrics/read.ts'
import type { KnownCount, StoredInstance } from '../../tables/alerts.ts'
import type { Answer } from './parts.ts'
import { keyOf } from './series-key.ts'

/** How long it is known how many resources matched. */
const keptMs = 7 * 24 * 3_600_000
const maxKept = 500

/** Labels that name a resource to people, and find it. */
function resourceLabels({ id, kind, name, cluster, namespace }: Resource): Record<string, string> {
  return {
    kind,
    name,
    ...(namespace !== null && { namespace }),
    ...(cluster !== null && { cluster: cluster.title }),
    id,
  }
}

/** How the condition of a query is judged over the count of its matches. */
export function countedCondition(condition: AlertCondition): AlertCondition {
  return condition.kind === 'absence' ? { kind: 'threshold', direction: 'below', limit: 1 } : condition
}

/** Throws AppError `invalid_request` where more match than one alert watches by themselves. */
function requireFewMatches(count: number): void {
  if (count <= alertBounds.maxSeries) return
  throw new AppError(
    'invalid_request',
    `The query matches ${count} resources; one alert watches at most ${alertBounds.maxSeries} by themselves. Narrow it, or let it fire on how many match.`,
  )
}

/**
 * Each match as a series of its own, which is 1 now. What matched before and does not any more is 0; unknown where
 * `hasGaps`, for what nobody sees may still match.
 */
export function matchAnswer(
  matches: readonly Resource[],
  before: readonly StoredInstance[],
  range: ReadRange,
  hasGaps: boolean,
): { answer: Answer; before: StoredInstance[] } {
  requireFewMatches(matches.length)
  const found = new Map(matches.map((each) => [keyOf(resourceLabels(each)), resourceLabels(each)]))
  // A resource that stopped matching is of no interest once its alert is quiet.
  const known = before.filter(({ labels, state }) => state !== 'ok' || found.has(keyOf(labels)))
  const gone = known.filter(({ labels }) => Object.keys(labels).length > 0 && !found.has(keyOf(labels)))
  const series = [
    ...[...found.values()].map((labels) => ({ name: null, labels, values: newest(range, 1) })),
    ...gone.map(({ labels }) => ({ name: null, labels, values: newest(range, hasGaps ? null : 0) })),
  ]
  // Nothing matches, which is a value as well.
  if (series.length === 0) series.push({ name: null, labels: {}, values: newest(range, hasGaps ? null : 0) })
  return { answer: { series, unit: null, warnings: [] }, before: known }
}

/**
 * How many match as one series: what is known of the past, and the count now. With gaps it is only known that there are at
 * least so many, which is enough where more is worse.
 */
export function countAnswer(
  count: number,
  condition: AlertCondition,
  counts: readonly KnownCount[],
  range: ReadRange,
  hasGaps: boolean,
): Answer {
  const isAtLeast =
    condition.kind === 'threshold' && condition.direction === 'above' && count > condition.limit
  const now = hasGaps && !isAtLeast ? null : count
  const values = stepsOf(counts, range)
  if (values.length > 0) values[values.length - 1] = now
  return { series: [{ name: null, labels: {}, values }], unit: 'count', warnings: [] }
}

/** The count at the beginning of each step, as far as it is known. */
export function stepsOf(
  counts: readonly KnownCount[],
  { fromMs, toMs, stepMs }: ReadRange,
): (number | null)[] {
  return Array.from({ length: Math.round((toMs - fromMs) / stepMs) }, (_, index) => {
    const atMs = fromMs + index * stepMs
    return counts.findLast(([sinceMs]) => sinceMs <= atMs)?.[1] ?? null
  })
}

/** The known counts with the one of now; null is a time of which nobody knows. */
export function withCount(counts: readonly KnownCount[], atMs: number, count: number | null): KnownCount[] {
  if (counts.at(-1)?.[1] === count) return [...counts]
  const next: KnownCount = [atMs, count]
  const kept = [...counts, next]
  // The last one before the kept time says how it began.
  const first = kept.findLastIndex(([sinceMs]) => sinceMs <= atMs - keptMs)
  return kept.slice(Math.max(first, 0, kept.length - maxKept))
}

const newest = ({ fromMs, toMs, stepMs }: ReadRange, value: number | null): (number | null)[] => {
  const count = Math.round((toMs - fromMs) / stepMs)
  return Array.from({ length: count }, (_, index) => (index === count - 1 ? value : null))
}
