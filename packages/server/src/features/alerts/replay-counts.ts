import type { HandlerOutput, ParsedInput, Role } from '@bey/contract'
import { limitsAround, replay } from '@bey/contract/alerts/replay'
import { type AlertCondition, alertBounds, limitOf, lookbackMs, withLimit } from '@bey/contract/alerts/rules'

import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import type { Resource } from '../../platform/inventory.ts'
import { floorTo } from '../../platform/metrics/steps.ts'
import type { KnownCount } from '../../tables/alerts.ts'
import type { AlertParts } from './parts.ts'
import { countedCondition, stepsOf } from './resource-answer.ts'
import { findAlert } from './store.ts'

type Draft = ParsedInput<'alerts.replay'>['body']
type Replayed = HandlerOutput<'alerts.replay'>

const dayMs = 86_400_000
const stepMs = 10 * 60_000
const shownMatches = 10

/**
 * Replays a query of the inventory. The inventory of the past is not recorded, so only what the alert itself counted can be
 * replayed; the answer says since when that is, and what matches now.
 */
export function createCountReplay({
  database,
  clock,
  matches,
}: Pick<AlertParts, 'matches'> & { database: Pick<Database, 'readTenant'>; clock: Clock }) {
  return async (
    of: { organizationId: number; role: Role; user: { id: number } },
    draft: Draft,
  ): Promise<Replayed> => {
    const { organizationId, role, user } = of
    const { resources, gaps } = await matches({ organizationId, role })(draft.expr, user.id)
    if (draft.condition.kind === 'match' && resources.length > alertBounds.maxSeries) {
      throw new AppError(
        'invalid_request',
        `The query matches ${resources.length} resources; one alert watches at most ${alertBounds.maxSeries} by themselves. Narrow it, or let it fire on how many match.`,
      )
    }
    const { alertId } = draft
    const row =
      alertId === undefined
        ? undefined
        : await database.readTenant(organizationId, (db) => findAlert(db, organizationId, alertId))
    const isSame = row?.source === 'resources' && row.expr === draft.expr
    const counts = isSame ? row.counts : []
    const toMs = floorTo(clock.now().getTime(), stepMs) + stepMs
    const sinceMs = toMs - draft.days * dayMs
    const range = {
      fromMs: sinceMs - floorTo(lookbackMs(draft.condition) + stepMs - 1, stepMs),
      toMs,
      stepMs,
    }
    const values = stepsOf(counts, range)
    const times = values.map((_, index) => range.fromMs + index * stepMs)
    const episodesFor = (condition: AlertCondition) =>
      counts.length === 0
        ? []
        : replay({ condition: someCondition(condition), forMs: draft.forMs }, times, [
            { labels: {}, values },
          ]).filter(({ fromMs }) => fromMs >= sinceMs)
    const episodes = episodesFor(draft.condition)
    const limit = limitOf(draft.condition)
    const first = times.findIndex((time) => time >= sinceMs)
    return {
      days: draft.days,
      times: times.slice(first).map((time) => time / 1_000),
      series: counts.length === 0 ? [] : [{ labels: {}, values: values.slice(first) }],
      seriesCount: counts.length === 0 ? 0 : 1,
      unit: 'count',
      warnings: [
        knownText(counts, sinceMs),
        ...gaps.slice(0, 5).map(({ source, reason }) => `${source}: ${reason}`),
      ],
      episodes: episodes.slice(-500).map(({ labels, fromMs, toMs: endMs, peak }) => ({
        labels,
        from: new Date(fromMs).toISOString(),
        to: endMs === null ? null : new Date(endMs).toISOString(),
        peak,
        isActedOn: false,
      })),
      episodeCount: episodes.length,
      limits: (limit === undefined || counts.length === 0 ? [] : limitsAround(limit)).map((each) => ({
        limit: each,
        count: episodesFor(withLimit(draft.condition, each)).length,
        actedOnCount: 0,
      })),
      matches: { total: resources.length, first: firstOf(resources) },
    }
  }
}

/** That something matches at all is what is known of the past of each match. */
const someCondition = (condition: AlertCondition): AlertCondition =>
  condition.kind === 'match'
    ? { kind: 'threshold', direction: 'above', limit: 0 }
    : countedCondition(condition)

function knownText(counts: readonly KnownCount[], sinceMs: number): string {
  const [first] = counts
  if (first === undefined)
    return 'The inventory of the past is not recorded. The alert counts what matches from its creation on.'
  if (first[0] <= sinceMs) return 'Replayed over how many resources matched, as the alert counted them.'
  return `How many resources matched is known since ${new Date(first[0]).toISOString().slice(0, 16).replace('T', ' ')} UTC; nothing is known of the time before.`
}

function firstOf(resources: readonly Resource[]) {
  const byName = (a: Resource, b: Resource) => a.kind.localeCompare(b.kind) || a.name.localeCompare(b.name)
  return resources
    .toSorted(byName)
    .slice(0, shownMatches)
    .map(({ id, kind, name, cluster, namespace }) => ({
      id,
      kind,
      name,
      place: [namespace, cluster?.title].filter((part) => part != null).join(' in '),
    }))
}
