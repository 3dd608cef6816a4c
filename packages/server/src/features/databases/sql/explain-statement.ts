import type { SqlPlan } from '@bey/contract'
import type { Client } from 'pg'

import type { Clock } from '../../../platform/clock.ts'
import { prepareSession } from './execute-statement.ts'
import { parsePlan } from './plan.ts'
import { isRefusal, sqlErrorOf } from './sql-error.ts'

type Request = { statement: string; analyze: boolean; timeoutMs: number }

/**
 * The plan of a statement. With `analyze` it is executed, in a transaction that PostgreSQL itself keeps from changing
 * anything. What the server refuses is in the result; a lost connection is thrown.
 */
export async function explainStatement(
  client: Client,
  { statement, analyze, timeoutMs }: Request,
  clock: Clock,
): Promise<SqlPlan> {
  const prefix = `EXPLAIN (FORMAT JSON, ANALYZE ${analyze}, BUFFERS ${analyze}) `
  await prepareSession(client, { timeoutMs, mode: 'read' })
  const begunMs = clock.monotonicMs()
  const durationMs = () => clock.monotonicMs() - begunMs
  try {
    // With `queryMode` extended, a second statement behind a semicolon is refused by the server.
    const { rows } = await client.query<{ 'QUERY PLAN': unknown }>({
      text: prefix + statement,
      queryMode: 'extended',
    } as { text: string })
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
