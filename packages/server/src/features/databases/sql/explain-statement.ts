import type { SqlPlan } from '@bey/contract'
import type { Client } from 'pg'

import type { Clock } from '../../../platform/clock.ts'
import { prepareSession } from './execute-statement.ts'
import { parsePlan } from './plan.ts'
import { isRefusal, sqlErrorOf } from './sql-error.ts'

type Request = {
  statement: string
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
  const prefix = isGeneric
    ? 'PREPARE bey_plan AS '
    : `EXPLAIN (FORMAT JSON, ANALYZE ${analyze}, BUFFERS ${analyze}) `
  await prepareSession(client, { timeoutMs, mode: 'read', name })
  const begunMs = clock.monotonicMs()
  const durationMs = () => clock.monotonicMs() - begunMs
  try {
    // With `queryMode` extended, a second statement behind a semicolon is refused by the server.
    const { rows } = await client.query<{ 'QUERY PLAN': unknown }>({
      text: prefix + statement,
      queryMode: 'extended',
    } as { text: string })
    if (isGeneric) rows.push(...(await explainPrepared(client)))
    const plan = parsePlan(rows[0]?.['QUERY PLAN'])
    return { ...plan, durationMs: durationMs(), error: null }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return {
      nodes: [],
      planningMs: null,
      executionMs: null,
      durationMs: durationMs(),
      error: sqlErrorOf(error, statement, prefix.length),
    }
  } finally {
    await client.query('rollback').catch(() => undefined)
  }
}

/**
 * The generic plan of the prepared statement. `GENERIC_PLAN` is of no use here: PostgreSQL 18 plans for the values that the
 * protocol has to bind, and without binding a second statement could follow the first.
 */
async function explainPrepared(client: Client): Promise<{ 'QUERY PLAN': unknown }[]> {
  const { rows } = await client.query<{ count: number }>(
    "select cardinality(parameter_types) as count from pg_prepared_statements where name = 'bey_plan'",
  )
  const values = Array.from({ length: rows[0]?.count ?? 0 }, () => 'null').join(', ')
  await client.query("set local plan_cache_mode = 'force_generic_plan'")
  const plan = await client.query<{ 'QUERY PLAN': unknown }>(
    `explain (format json) execute bey_plan${values === '' ? '' : `(${values})`}`,
  )
  return plan.rows
}
