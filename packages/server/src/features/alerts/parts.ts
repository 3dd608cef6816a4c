import type { Role } from '@bey/contract'
import type { AlertSource } from '@bey/contract/alerts/rules'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { ReadRange } from '../../platform/metrics/read.ts'
import type { MatchQueries } from '../resources/match-query.ts'
import type { Notify } from '../notifications/rules/notify.ts'

/** What an expression selects: one value a step for each series, the first at the start of the range. */
export type Answer = {
  series: { name: string | null; labels: Record<string, string>; values: (number | null)[] }[]
  unit: string | null
  warnings: readonly string[]
}

type Reader = { organizationId: number; role: Role }

/**
 * Evaluates expressions over metrics, or over a data source. All throw AppError with a sentence: `invalid_request`, and of
 * data sources `source_unreachable` and `not_found`.
 */
type Queries = {
  query(of: Reader, expr: string, range: ReadRange, source?: string): Promise<Answer>
  /** For expressions that are evaluated at the same time, which read together what they have in common. */
  together(of: Reader): (expr: string, range: ReadRange, source?: string) => Promise<Answer>
  parse(expr: string): unknown
}

export type AlertParts = Queries & {
  database: Database
  clock: Clock
  log: Log
  notify: Notify
  /** Matches of queries of the inventory. */
  matches: MatchQueries
}

/** The data source of an alert over metrics; undefined: Bey's own. */
export const sourceOf = ({ source }: { source: AlertSource }): string | undefined =>
  source === 'metrics' ? undefined : source
