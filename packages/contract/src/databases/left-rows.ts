import { z } from 'zod'
import { swapComparisonLimits } from './backup-rules.ts'
import { startedRun } from './endpoints.ts'
import { endpoint } from '../base/endpoint.ts'
import { timestamp, uuid } from '../base/schema.ts'

const count = z.number().int().min(0)
const path = '/api/databases/{id}/swap'
const params = z.object({ id: uuid })

/**
 * Why rows of a table cannot be compared: it has no primary key, the database in place has no such table, or one with other
 * columns or another key, or comparing took too long.
 */
export const leftRowsReasons = ['no_key', 'no_table', 'other_columns', 'too_large'] as const

const leftTable = z.object({
  schema: z.string(),
  name: z.string(),
  /** Columns of the primary key, in their order. */
  key: z.array(z.string()),
  /** Rows whose key only the old database has; null where they are not compared. */
  left: count.nullable(),
  /** Rows that both have, with other values. Nobody but a person knows which are right: they are never copied. */
  differing: count.nullable(),
  /** Keys of up to 5 of those. */
  differingKeys: z.array(z.string()).max(5),
  /** Triggers of the table in place, which fire for each row that is copied. */
  triggers: count,
  reason: z.enum(leftRowsReasons).nullable(),
})
export type LeftTable = z.infer<typeof leftTable>

const leftRows = z
  .object({
    at: timestamp,
    /** Tables of the old database in which rows were left behind, or differ, or that cannot be compared. */
    tables: z.array(leftTable).max(swapComparisonLimits.tables),
    /** Tables that are the same in both. */
    same: count,
    /** Tables that were not compared, because there are more. */
    tablesLeftOut: count,
  })
  .meta({ id: 'DatabaseLeftRows' })
export type DatabaseLeftRows = z.infer<typeof leftRows>

const tableName = z.strictObject({ schema: z.string().min(1).max(63), name: z.string().min(1).max(63) })

export const databaseLeftRowsEndpoints = {
  'databases.swaps.leftRows': endpoint({
    method: 'GET',
    path: `${path}/left-rows`,
    summary:
      'Rows that a swap left behind in the old database, table by table, compared by their primary keys; asked of the database in place',
    access: 'databases.restore',
    params,
    response: leftRows,
    errors: ['not_found', 'conflict', 'database_unreachable'],
  }),
  'databases.swaps.copyRows': endpoint({
    method: 'POST',
    path: `${path}/left-rows/copy`,
    summary:
      'Copy the rows of tables whose keys only the old database has into the one in its place; rows that are there stay as they are',
    access: 'databases.restore',
    params,
    body: z.strictObject({ tables: z.array(tableName).min(1).max(swapComparisonLimits.tables) }),
    response: startedRun,
    status: 202,
    errors: ['not_found', 'conflict'],
    operation: { read: 'workflows.run' },
  }),
} as const
