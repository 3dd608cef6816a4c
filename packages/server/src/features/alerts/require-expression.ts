import { parseResourceQuery, type Role } from '@bey/contract'
import type { AlertCondition, AlertSource } from '@bey/contract/alerts/rules'

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
  { expr, source, condition }: { expr: string; source: AlertSource; condition: AlertCondition },
): Promise<void> {
  if (condition.kind === 'match' && source !== 'resources') {
    refuse('condition', 'Only a query of the inventory has matches. Choose another condition.')
  }
  if (source === 'resources') return requireQuery(expr, condition)
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

function requireQuery(query: string, condition: AlertCondition): void {
  const parsed = parseResourceQuery(query)
  if ('problem' in parsed) return refuse('expr', parsed.problem.message)
  if (parsed.terms.length === 0) refuse('expr', 'This selects every resource. Write at least one word.')
  if (condition.kind === 'forecast') {
    refuse('condition', 'How many resources match cannot be forecast. Choose another condition.')
  }
}

function refuse(path: string, message: string): never {
  throw new AppError('invalid_request', message, { errors: [{ path, message }] })
}
