import type { SqlPlan } from '@bey/contract'
import type { Client } from 'pg'

import type { Clock } from '../../../platform/clock.ts'
import { prepareSession } from './execute-statement.ts'
import type { BoundStatement } from './bind-parameters.ts'
import { parsePlan } from './plan.ts'
import { isRefusal, sqlErrorOf } from './sql-error.ts'

type Request = {
  statement: BoundStatement
  analyze: boolean
  isGeneric?: boolean
  timeoutMs: number
  /** The name of the session from the moment at which the statement can be cancelled. */
  name?: string
}

/**
 * The plan of a statement. With `analyze` it is executed, in a transaction that PostgreSQL itself keeps from changing
 * anything. With `isGeneric` it is the plan for any values of its parameters, and nothing is executed. What the server refuses is in the result; a lost connection is thrown.
 */
export async function explainStatement(
  client: Client,
  { statement, analyze, isGeneric = false, timeoutMs, name }: Request,
  clock: Clock,
): Promise<SqlPlan> {
  await prepareSession(client, { timeoutMs, mode: 'read', name })
  const begunMs = clock.monotonicMs()
  const options = `FORMAT JSON, ANALYZE ${analyze}, BUFFERS ${analyze}`
  const durationMs = () => clock.monotonicMs() - begunMs
  try {
    const plan = parsePlan(await askPlan(client, statement, { options, isGeneric }))
    return { ...plan, durationMs: durationMs(), error: null }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return {
      nodes: [],
      planningMs: null,
      executionMs: null,
      durationMs: durationMs(),
      error: sqlErrorOf(error, statement, planPrefix({ options, isGeneric }).length),
    }
  } finally {
    await client.query('rollback').catch(() => undefined)
  }
}

type PlanRequest = {
  /** Options of EXPLAIN, with commas between them. */
  options: string
  /** The plan for any values of the parameters instead of the one for those that are bound. */
  isGeneric: boolean
}

/** What is put before a statement to learn its plan. */
export const planPrefix = ({ options, isGeneric }: PlanRequest): string =>
  isGeneric ? 'PREPARE bey_plan AS ' : `EXPLAIN (${options}) `

/** The answer of EXPLAIN as text, for numbers in it may have more digits than JavaScript holds. Throws what the server refuses. */
export async function askPlan(client: Client, { text, values }: BoundStatement, request: PlanRequest) {
  // With `queryMode` extended, a second statement behind a semicolon is refused by the server.
  const { rows } = await client.query<PlanRow>({
    text: planPrefix(request) + text,
    ...(!request.isGeneric && { values }),
    queryMode: 'extended',
    types: asText,
  } as { text: string })
  const [first] = request.isGeneric ? await explainPrepared(client, request.options) : rows
  return first?.['QUERY PLAN']
}

type PlanRow = { 'QUERY PLAN': string }
const asText = { getTypeParser: () => (value: string) => value }

/**
 * The generic plan of the prepared statement. `GENERIC_PLAN` is of no use here: PostgreSQL 18 plans for the values that the
 * protocol has to bind, and without binding a second statement could follow the first.
 */
async function explainPrepared(client: Client, options: string): Promise<PlanRow[]> {
  const { rows } = await client.query<{ count: number }>(
    "select cardinality(parameter_types) as count from pg_prepared_statements where name = 'bey_plan'",
  )
  const values = Array.from({ length: rows[0]?.count ?? 0 }, () => 'null').join(', ')
  await client.query("set local plan_cache_mode = 'force_generic_plan'")
  const plan = await client.query<PlanRow>({
    text: `explain (${options}) execute bey_plan${values === '' ? '' : `(${values})`}`,
    types: asText,
  })
  return plan.rows
}
