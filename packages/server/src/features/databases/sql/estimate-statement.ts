import type { SqlEstimate } from '@bey/contract'
import type { Client } from 'pg'

import type { BoundStatement } from './bind-parameters.ts'
import { prepareSession } from './execute-statement.ts'
import { askPlan, planPrefix } from './explain-statement.ts'
import { parsePlan } from './plan.ts'
import { planEffects, qualified } from './plan-effects.ts'
import { isRefusal, sqlErrorOf } from './sql-error.ts'
import { type Scan, scansOf } from '../insight/slow-scans.ts'

type Request = {
  statement: BoundStatement
  /** Values are missing, so the plan is the one for any. */
  isForAnyValues: boolean
  maxRows: number
}

export type Estimated = Omit<SqlEstimate, 'history' | 'advice'> & {
  /** PostgreSQL's `queryid`; undefined where the server computes none. */
  queryId: string | undefined
  /** Reads of whole tables with the columns of their filters, by which advice is found. */
  scans: Scan[]
}

const timeoutMs = 3_000
/** The planner waits for locks like the statement itself: a table that is locked is no reason to hold a connection. */
const lockTimeoutMs = 300
const empty = { reads: [], expectedRows: null, changes: [], locksRows: false, queryId: undefined, scans: [] }

/**
 * What a statement would read and change by its plan. It is planned in a transaction that is read only, and not executed. What
 * the server refuses is in the result; a lost connection is thrown.
 */
export async function estimateStatement(
  client: Client,
  { statement, isForAnyValues, maxRows }: Request,
): Promise<Estimated> {
  await prepareSession(client, { timeoutMs, mode: 'read' })
  await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
  const request = { options: 'FORMAT JSON, VERBOSE', isGeneric: isForAnyValues }
  try {
    const answer = await askPlan(client, statement, request)
    const { reads, ...effects } = planEffects(answer, maxRows)
    return {
      ...effects,
      reads: await withRows(client, reads),
      isForAnyValues,
      // As text: it uses all 64 bits.
      queryId: /"Query Identifier": (-?\d+)/.exec(answer ?? '')?.[1],
      scans: scansOf(parsePlan(answer).nodes),
      error: null,
    }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { ...empty, isForAnyValues, error: sqlErrorOf(error, statement, planPrefix(request).length) }
  } finally {
    await client.query('rollback').catch(() => undefined)
  }
}

/** Each table once, with the rows that the planner believes it has. */
async function withRows(
  client: Client,
  reads: readonly { schema: string; relation: string; isWhole: boolean }[],
): Promise<SqlEstimate['reads']> {
  if (reads.length === 0) return []
  const { rows } = await client.query<{ schema: string; relation: string; rows: number | null }>(
    `select n.nspname as schema, c.relname as relation, case when c.reltuples >= 0 then c.reltuples end as rows
       from unnest($1::text[], $2::text[]) as asked (schema, relation)
       join pg_catalog.pg_namespace n on n.nspname = asked.schema
       join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = asked.relation`,
    [reads.map(({ schema }) => schema), reads.map(({ relation }) => relation)],
  )
  const found = new Map<string, SqlEstimate['reads'][number]>()
  for (const { schema, relation, isWhole } of reads) {
    const name = qualified(schema, relation)
    const known = rows.find((row) => row.schema === schema && row.relation === relation)
    const before = found.get(name)
    found.set(name, {
      relation: name,
      rows: known?.rows ?? null,
      isWhole: isWhole || before?.isWhole === true,
    })
  }
  return [...found.values()].slice(0, 50)
}
