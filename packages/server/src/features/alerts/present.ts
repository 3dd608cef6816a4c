import type { Alert, AlertEpisode } from '@bey/contract'
import { type AlertState, alertStates } from '@bey/contract/alerts/rules'
import { worseOf } from '@bey/contract/alerts/observations'

import { presentActor, presentPerson } from '../../platform/present-actor.ts'
import type { StoredInstance } from '../../tables/alerts.ts'
import type { AlertFacts } from './facts.ts'
import type { AlertRow, listEpisodes } from './store.ts'

const iso = (ms: number) => new Date(ms).toISOString()

/** Five digits are more than a page shows. */
const shown = (value: number | null) => (value === null ? null : Number(value.toPrecision(5)))

export function isSilenced({ silencedUntil }: Pick<AlertRow, 'silencedUntil'>, now: Date): boolean {
  return silencedUntil !== null && silencedUntil > now
}

export function presentAlert(row: AlertRow, facts: AlertFacts, now: Date): Alert {
  const state = stateOf(row)
  const worst = worstOf(row)
  const { gapFrom, gapTo, silencedUntil } = row
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    source: row.source,
    expr: row.expr,
    condition: row.condition,
    forMs: row.forMs,
    severity: row.severity,
    audience: row.audience,
    ownerId: row.ownerName === null ? null : row.ownerId,
    // Row-level security hides the name of whoever has left.
    owner: row.ownerName === null ? null : presentPerson(row.ownerId, row.ownerName, row.ownerEmail),
    isEnabled: row.isEnabled,
    state,
    group: groupOf(row, state, now),
    since: state === 'off' || !worst ? null : iso(worst.sinceMs),
    worst: worst ? presentInstance(worst) : null,
    seriesCount: row.instances.filter(({ labels, lastValueMs }) =>
      isSeries(labels, row.condition.kind === 'match' ? null : lastValueMs),
    ).length,
    firingCount: row.instances.filter((each) => each.state === 'firing').length,
    unit: row.unit,
    error: row.error,
    evaluatedAt: row.evaluatedAt?.toISOString() ?? null,
    gap: gapFrom && gapTo ? { from: gapFrom.toISOString(), to: gapTo.toISOString() } : null,
    silence:
      silencedUntil !== null && isSilenced(row, now)
        ? {
            until: silencedUntil.toISOString(),
            reason: row.silenceReason ?? '',
            by: presentActor(row.silencedBy, row.silencedByName, row.silencedByEmail),
          }
        : null,
    acknowledgedBy: facts.acknowledged
      ? presentPerson(facts.acknowledged.userId, facts.acknowledged.name, facts.acknowledged.email)
      : null,
    acknowledgedAt: facts.acknowledged?.at.toISOString() ?? null,
    firedCount: facts.firedCount,
    actedOnCount: facts.actedOnCount,
    strip: Array.from({ length: 48 }, (_, index) => facts.halfHours.includes(index)),
    version: row.rowVersion,
    createdBy: presentActor(row.createdBy, row.createdByName, row.createdByEmail),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** Whether an instance stands for a series, rather than for an expression that selects none. */
const isSeries = (labels: object, lastValueMs: number | null) =>
  lastValueMs !== null || Object.keys(labels).length > 0

export function presentInstance({ labels, state, sinceMs, value, peak }: StoredInstance) {
  return { labels, state, since: iso(sinceMs), value: shown(value), peak: shown(peak) }
}

/** The state of its worst series. An alert that cannot be evaluated is not quiet: nobody knows. */
export function stateOf({ isEnabled, instances, error }: AlertRow): AlertState | 'off' {
  if (!isEnabled) return 'off'
  const worst = alertStates.find((state) => instances.some((each) => each.state === state)) ?? 'ok'
  return error !== null && worst !== 'firing' ? 'no_data' : worst
}

/** The series in the worst state, with the worst value among those. */
export function worstOf({ instances, condition }: AlertRow): StoredInstance | undefined {
  const worse = worseOf(condition)
  return instances.reduce<StoredInstance | undefined>((worst, each) => {
    if (worst === undefined) return each
    const rank = alertStates.indexOf(each.state) - alertStates.indexOf(worst.state)
    if (rank !== 0) return rank < 0 ? each : worst
    if (each.value === null || worst.value === null) return worst.value === null ? each : worst
    return worse(each.value, worst.value) === each.value ? each : worst
  }, undefined)
}

function groupOf(row: AlertRow, state: AlertState | 'off', now: Date): Alert['group'] {
  if (state === 'off') return 'off'
  if (isSilenced(row, now)) return 'silenced'
  if (state === 'firing') return row.severity === 'critical' ? 'firing' : 'warning'
  return state === 'ok' ? 'quiet' : state
}

export function presentEpisode(row: Awaited<ReturnType<typeof listEpisodes>>[number]): AlertEpisode {
  const { acknowledgedBy, acknowledgedByName, acknowledgedByEmail, acknowledgedAt } = row
  return {
    id: row.id,
    labels: row.labels,
    firedAt: row.firedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    peak: shown(row.peak),
    acknowledgedAt: acknowledgedAt?.toISOString() ?? null,
    acknowledgedBy: acknowledgedAt && presentPerson(acknowledgedBy, acknowledgedByName, acknowledgedByEmail),
    isActedOn: row.actedOnAt !== null,
    isSilenced: row.notifiedAt === null,
  }
}
