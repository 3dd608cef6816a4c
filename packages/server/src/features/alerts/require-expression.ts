import type { Role } from '@bey/contract'
import type { AlertSource } from '@bey/contract/alert-rules'

import { AppError } from '../../platform/errors.ts'
import { floorTo } from '../../platform/metrics/steps.ts'
import type { AlertParts } from './parts.ts'

const minuteMs = 60_000

/**
 * Throws AppError `invalid_request` that names the field, and `not_found` for a data source that is gone. What a data
 * source reads is tried there; one that does not answer now is no reason against an alert.
 */
export async function requireExpression(
  { parse, query, clock }: Pick<AlertParts, 'parse' | 'query' | 'clock'>,
  of: { organizationId: number; role: Role },
  { expr, source }: { expr: string; source: AlertSource },
): Promise<void> {
  try {
    if (source === 'metrics') return void parse(expr)
    const toMs = floorTo(clock.now().getTime(), minuteMs)
    await query(of, expr, { fromMs: toMs - minuteMs, toMs, stepMs: minuteMs }, source)
  } catch (error) {
    if (error instanceof AppError && error.code === 'source_unreachable') return
    if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error
    const { code, message } = error
    throw new AppError(code, message, { errors: [{ path: 'expr', message }], cause: error })
  }
}
