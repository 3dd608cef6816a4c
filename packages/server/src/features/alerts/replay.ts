import type { AlertReplay, HandlerOutput, ParsedInput, Role } from '@bey/contract'
import { limitsAround, replay, type ReplayedEpisode } from '@bey/contract/alerts/replay'
import { alertBounds, limitOf, lookbackMs, withLimit } from '@bey/contract/alerts/rules'
import { observationsOf, worseOf } from '@bey/contract/alerts/observations'

import { floorTo } from '../../platform/metrics/steps.ts'
import { keyOf } from './series-key.ts'
import { requireFew } from './evaluate.ts'
import { type Answer, type AlertParts, sourceOf } from './parts.ts'
import { listEpisodes } from './store.ts'

type Draft = ParsedInput<'alerts.replay'>['body']
type Judged = Pick<Draft, 'source' | 'expr' | 'condition' | 'forMs'>
type Series = { labels: Record<string, string>; values: (number | null)[] }
export type Past = { times: number[]; series: Series[]; unit: string | null; warnings: string[] }

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** As long as values are kept by the minute. */
const fineMs = 2 * dayMs - hourMs
const fineStepMs = 120_000

/**
 * What an expression was in the last days: by 2 min as far back as values are kept so finely, by the hour before. Throws
 * AppError `invalid_request` where it does not parse or selects too much.
 */
export async function readPast(
  { query, clock }: Pick<AlertParts, 'query' | 'clock'>,
  of: { organizationId: number; role: Role },
  { source, expr, condition }: Pick<Judged, 'source' | 'expr' | 'condition'>,
  days: number,
): Promise<Past> {
  const nowMs = clock.now().getTime()
  const fromMs = nowMs - days * dayMs - lookbackMs(condition)
  const fineFromMs = floorTo(Math.max(fromMs, nowMs - fineMs), hourMs)
  const ranges = [
    { fromMs: floorTo(fromMs, hourMs), toMs: fineFromMs, stepMs: hourMs },
    { fromMs: fineFromMs, toMs: floorTo(nowMs, fineStepMs), stepMs: fineStepMs },
  ].filter((range) => range.toMs > range.fromMs)
  const merged = new Map<string, Series>()
  const times: number[] = []
  const warnings = new Set<string>()
  let unit: string | null = null
  for (const range of ranges) {
    const answer: Answer = await query(of, expr, range, sourceOf({ source }))
    requireFew(answer.series.length)
    const before = times.length
    const count = Math.round((range.toMs - range.fromMs) / range.stepMs)
    for (let index = 0; index < count; index += 1) times.push(range.fromMs + index * range.stepMs)
    for (const { labels, values } of answer.series) {
      const key = keyOf(labels)
      const series = merged.get(key) ?? { labels, values: [] }
      merged.set(key, series)
      series.values = [...padded(series.values, before), ...values]
    }
    unit = answer.unit ?? unit
    for (const warning of answer.warnings) warnings.add(warning)
  }
  const series = [...merged.values()].map(({ labels, values }) => ({
    labels,
    values: padded(values, times.length),
  }))
  if (days > 2) {
    warnings.add(
      source === 'metrics'
        ? 'Values older than 2 days are averages of an hour: a shorter peak is not seen.'
        : 'The data source was asked every 2 min of the last 2 days and every hour before: a shorter peak is not seen.',
    )
  }
  return { times, series, unit, warnings: [...warnings] }
}

const padded = (values: (number | null)[], length: number) => [
  ...values,
  ...Array.from({ length: length - values.length }, () => null),
]

/** Episodes that begin in the last days; what lies before only tells how the states began. */
export function episodesOf(rule: Judged, { times, series }: Past, sinceMs: number): ReplayedEpisode[] {
  const measured = series.filter(({ values }) => values.some((value) => value !== null))
  return replay(rule, times, measured).filter(({ fromMs }) => fromMs >= sinceMs)
}

/** Replays a draft over the last days, and how often other limits would have fired. */
export function alertReplayer(parts: Pick<AlertParts, 'query' | 'clock' | 'database'>) {
  const { clock, database } = parts
  return async (
    of: { organizationId: number; role: Role },
    draft: Draft,
  ): Promise<HandlerOutput<'alerts.replay'>> => {
    const past = await readPast(parts, of, draft, draft.days)
    const sinceMs = clock.now().getTime() - draft.days * dayMs
    const { alertId } = draft
    const acted =
      alertId === undefined
        ? []
        : (
            await database.readTenant(of.organizationId, (db) =>
              listEpisodes(db, of.organizationId, alertId, 1_000),
            )
          ).filter(({ actedOnAt }) => actedOnAt !== null)
    // An episode that would have been is acted on if one of those that were, at that time, is.
    const isActedOn = ({ labels, fromMs, toMs }: ReplayedEpisode) =>
      acted.some(
        (each) =>
          keyOf(each.labels) === keyOf(labels) &&
          each.firedAt.getTime() <= (toMs ?? Infinity) &&
          (each.resolvedAt?.getTime() ?? Infinity) >= fromMs,
      )
    const episodes = episodesOf(draft, past, sinceMs)
    const limit = limitOf(draft.condition)
    return {
      days: draft.days,
      times: past.times.filter((time) => time >= sinceMs).map((time) => time / 1_000),
      series: drawn(draft, past, sinceMs),
      seriesCount: past.series.length,
      unit: past.unit,
      warnings: past.warnings,
      episodes: episodes.slice(-500).map((episode) => ({
        labels: episode.labels,
        from: new Date(episode.fromMs).toISOString(),
        to: episode.toMs === null ? null : new Date(episode.toMs).toISOString(),
        peak: shown(episode.peak),
        isActedOn: isActedOn(episode),
      })),
      episodeCount: episodes.length,
      limits: (limit === undefined ? [] : limitsAround(limit)).map((each) => {
        const found = episodesOf({ ...draft, condition: withLimit(draft.condition, each) }, past, sinceMs)
        return { limit: each, count: found.length, actedOnCount: found.filter(isActedOn).length }
      }),
      matches: null,
    }
  }
}

const shown = (value: number | null) => (value === null ? null : Number(value.toPrecision(5)))

/** The series with the worst values, judged as the condition compares them: a forecast is drawn as what was forecast. */
function drawn({ condition }: Judged, { times, series }: Past, sinceMs: number): AlertReplay['series'] {
  const worse = worseOf(condition)
  const first = times.findIndex((time) => time >= sinceMs)
  const judged = series.map(({ labels, values }) => ({
    labels,
    values: observationsOf(condition, times, values)
      .slice(first)
      .map(({ value }) => shown(value)),
  }))
  const worstIn = (values: (number | null)[]) =>
    values.reduce<number | null>((a, b) => (a === null ? b : b === null ? a : worse(a, b)), null)
  return judged
    .map((each) => ({ ...each, worst: worstIn(each.values) }))
    .filter(({ worst }) => worst !== null)
    .toSorted((a, b) => (a.worst === b.worst ? 0 : worse(a.worst ?? 0, b.worst ?? 0) === a.worst ? -1 : 1))
    .slice(0, alertBounds.maxDrawn)
    .map(({ labels, values }) => ({ labels, values }))
}
