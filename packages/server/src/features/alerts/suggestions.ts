import type { AlertSuggestion, Role } from '@bey/contract'
import type { AlertCondition } from '@bey/contract/alerts/rules'

import { AppError } from '../../platform/errors.ts'
import { parsePromql } from '../../platform/metrics/promql/parse.ts'
import { unitOf } from '../../platform/metrics/promql/unit.ts'
import type { AlertParts } from './parts.ts'
import { episodesOf, readPast } from './replay.ts'

type Ready = Omit<AlertSuggestion, 'firedCount' | 'seriesCount' | 'unit' | 'source'>

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const above = (limit: number): AlertCondition => ({ kind: 'threshold', direction: 'above', limit })
/** Selects what is of a cluster as a whole. */
const whole = '{node="",namespace="",pod=""}'

/** Rules that suit most organizations, over metrics that Bey collects by itself. */
const ready: readonly Ready[] = [
  {
    key: 'pods-failing',
    name: 'Pods failing',
    description: 'More than 5 pods of a cluster are failing.',
    expr: 'pods_by_health{health="failing"}',
    condition: above(5),
    forMs: 5 * minuteMs,
    severity: 'critical',
  },
  {
    key: 'cluster-memory',
    name: 'Memory of a cluster',
    description: 'A cluster uses almost all memory that its pods can have.',
    expr: `100 * memory_used_bytes${whole} / memory_allocatable_bytes${whole}`,
    condition: above(90),
    forMs: 15 * minuteMs,
    severity: 'critical',
  },
  {
    key: 'cluster-cpu',
    name: 'CPU of a cluster',
    description: 'A cluster uses almost all CPU time that its pods can have.',
    expr: `100 * cpu_used_millicores${whole} / cpu_allocatable_millicores${whole}`,
    condition: above(90),
    forMs: 15 * minuteMs,
    severity: 'warning',
  },
  {
    key: 'database-connections',
    name: 'Connections of a database',
    description: 'A server has almost no connections left.',
    expr: '100 * connections / connections_max',
    condition: above(85),
    forMs: 5 * minuteMs,
    severity: 'critical',
  },
  {
    key: 'database-deadlocks',
    name: 'Deadlocks of a database',
    description: 'Transactions of a database block each other again and again.',
    expr: 'deadlocks_per_minute',
    condition: above(1),
    forMs: 5 * minuteMs,
    severity: 'warning',
  },
  {
    key: 'database-size',
    name: 'Growth of a database',
    description: 'A database is larger by half than a day ago.',
    expr: 'size_bytes',
    condition: { kind: 'change', direction: 'up', by: 50, isPercent: true, withinMs: dayMs },
    forMs: 0,
    severity: 'warning',
  },
  {
    key: 'database-metrics',
    name: 'No metrics of a database',
    description: 'Nothing has been measured of a database that was measured before.',
    expr: 'connections',
    condition: { kind: 'absence' },
    forMs: 5 * minuteMs,
    severity: 'warning',
  },
]

const days = 30
const source = 'metrics'

/** Ready alerts for what the organization has metrics of, and how often each would have fired. */
export async function suggestAlerts(
  parts: Pick<AlertParts, 'query' | 'clock'>,
  of: { organizationId: number; role: Role },
): Promise<AlertSuggestion[]> {
  const sinceMs = parts.clock.now().getTime() - days * dayMs
  const all = await Promise.all(
    ready.map(async (rule): Promise<AlertSuggestion | undefined> => {
      const past = await readPast(parts, of, { ...rule, source }, days).catch((error: unknown) => {
        // Such as more series than one alert watches: then it is no rule for this organization.
        if (error instanceof AppError) return undefined
        throw error
      })
      if (past === undefined || past.series.length === 0) return undefined
      const firedCount = episodesOf({ ...rule, source }, past, sinceMs).length
      return {
        ...rule,
        source,
        unit: unitOf(parsePromql(rule.expr)),
        seriesCount: past.series.length,
        firedCount,
      }
    }),
  )
  return all.filter((each) => each !== undefined)
}
