/** How bad it is while an alert fires. */
export const alertSeverities = ['critical', 'warning'] as const
export type AlertSeverity = (typeof alertSeverities)[number]

/**
 * State of one series that an alert watches. `pending`: beyond the limit, but not yet for long enough. `no_data`: nothing was
 * measured lately, so nobody knows. That an alert is silenced is no state: it is evaluated all the same.
 */
export const alertStates = ['firing', 'no_data', 'pending', 'ok'] as const
export type AlertState = (typeof alertStates)[number]

/**
 * What an expression is evaluated over: Bey's own metrics, the inventory of resources, whose query it then is, or the id
 * of a data source.
 */
export const alertSources = ['metrics', 'resources'] as const
export type AlertSource = (typeof alertSources)[number] | (string & {})

/** Who is notified. Their notification rules decide whether by mail or to a channel as well. */
export const alertAudiences = ['owner', 'admins', 'everyone'] as const
export type AlertAudience = (typeof alertAudiences)[number]

export type AlertCondition =
  | { kind: 'threshold'; direction: 'above' | 'below'; limit: number }
  /** A series has no values. */
  | { kind: 'absence' }
  /** A resource matches; each that does is watched by itself. Of queries of resources alone. */
  | { kind: 'match' }
  /** A value is at least `by` higher or lower than `withinMs` before. */
  | { kind: 'change'; direction: 'up' | 'down'; by: number; isPercent: boolean; withinMs: number }
  /** The line through the last values reaches the limit within `withinMs`. */
  | { kind: 'forecast'; direction: 'above' | 'below'; limit: number; withinMs: number }

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export const alertBounds = {
  perOrganization: 500,
  maxExpression: 4_000,
  /** Series that one alert watches. */
  maxSeries: 200,
  maxForMs: dayMs,
  minWithinMs: minuteMs,
  maxChangeMs: dayMs,
  maxForecastMs: 30 * dayMs,
  maxSilenceMs: 30 * dayMs,
  maxReason: 500,
  /** How long it is kept when an alert fired. */
  keptDays: 90,
  /** Series that a replay draws; all of them count. */
  maxDrawn: 10,
  /** Each alert is evaluated so often. */
  everyMs: 30_000,
} as const

/** Days that a replay can look back. */
export const replayDays = [1, 7, 30] as const

/** Back within the limit for so long ends an episode, which bounds how often an alert can fire. */
export const clearMsOf = (forMs: number): number => Math.min(5 * minuteMs, Math.max(minuteMs, forMs))

/** How far back values are needed to judge one moment; 0 where the moment alone counts. */
export function lookbackMs(condition: AlertCondition): number {
  if (condition.kind === 'change') return condition.withinMs
  if (condition.kind === 'forecast') return Math.min(dayMs, Math.max(hourMs, condition.withinMs))
  return 0
}

/** The limit that a person can move; undefined where there is none. */
export function limitOf(condition: AlertCondition): number | undefined {
  if (condition.kind === 'absence' || condition.kind === 'match') return undefined
  return condition.kind === 'change' ? condition.by : condition.limit
}

/** The same condition with another limit. */
export function withLimit(condition: AlertCondition, limit: number): AlertCondition {
  if (condition.kind === 'absence' || condition.kind === 'match') return condition
  return condition.kind === 'change' ? { ...condition, by: limit } : { ...condition, limit }
}

/** When an alert fires, in words: `above 85 for 15 min`. `value` writes a limit with its unit. */
export function conditionText(
  condition: AlertCondition,
  forMs: number,
  value: (limit: number) => string = String,
): string {
  const lasting = forMs === 0 ? '' : ` for ${durationText(forMs)}`
  switch (condition.kind) {
    case 'threshold':
      return `${condition.direction} ${value(condition.limit)}${lasting}`
    case 'match':
      return `matching${lasting}`
    case 'absence':
      return `no values${lasting}`
    case 'change': {
      const by = condition.isPercent ? `${condition.by} %` : value(condition.by)
      return `${condition.direction} by ${by} within ${durationText(condition.withinMs)}${lasting}`
    }
    case 'forecast':
      return `forecast ${condition.direction} ${value(condition.limit)} within ${durationText(condition.withinMs)}${lasting}`
  }
}

/** A duration in its largest whole unit: `15 min`, `4 d`. */
export function durationText(ms: number): string {
  if (ms >= dayMs && ms % dayMs === 0) return `${ms / dayMs} d`
  if (ms >= hourMs && ms % hourMs === 0) return `${ms / hourMs} h`
  if (ms >= minuteMs && ms % minuteMs === 0) return `${ms / minuteMs} min`
  return `${Math.round(ms / 1_000)} s`
}

/** Labels that tell a series apart for people: `prod-eu web-1`. Ids and types of entities say nothing to them. */
export function seriesText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .filter(([key]) => key !== 'entity' && key !== 'id' && !key.endsWith('_id'))
    .map(([, value]) => value)
    .join(' ')
}
