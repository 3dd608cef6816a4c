import { z } from 'zod'
import { sqlLimits } from './rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { uuid } from '../base/schema.ts'
import { maxSqlParameters } from './sql-parameters.ts'

const count = z.number().int().min(0)
const path = '/api/databases/{id}'
const params = z.object({ id: uuid })
const statement = z.string().trim().min(1, 'Enter a statement.').max(sqlLimits.statement)

/** Values of the parameters `:name` of a statement, as text; null is NULL. The server of the database chooses their types. */
const parameters = z
  .array(
    z.strictObject({
      name: z
        .string()
        .regex(/^[A-Za-z_]\w{0,62}$/, 'Enter a name as it stands in the statement, without its colon.'),
      value: z.string().max(sqlLimits.valueChars).nullable(),
    }),
  )
  .max(maxSqlParameters)
  .default([])

const run = z.strictObject({
  statement,
  parameters,
  /** Names the execution, so that it can be cancelled: a new UUID each time. */
  queryId: uuid.optional(),
  maxRows: z.number().int().min(1).max(sqlLimits.maxRows).default(sqlLimits.defaultRows),
  timeoutMs: z.number().int().min(100).max(sqlLimits.maxTimeoutMs).default(sqlLimits.defaultTimeoutMs),
})

/** Why a statement did not run to its end, in PostgreSQL's own words. */
export const sqlError = z
  .object({
    message: z.string(),
    /** SQLSTATE, such as `42P01`. */
    code: z.string(),
    detail: z.string().nullable(),
    hint: z.string().nullable(),
    /** Where in the statement, from 1, in characters; null where the server names no place. */
    position: z.number().int().min(1).nullable(),
    line: z.number().int().min(1).nullable(),
    column: z.number().int().min(1).nullable(),
    /** The parameter whose value it is about; null where it is about none. */
    parameter: z.string().nullable(),
  })
  .meta({ id: 'SqlError' })
export type SqlError = z.infer<typeof sqlError>

const sqlResult = z
  .object({
    columns: z
      .array(z.object({ name: z.string(), type: z.string(), isNumeric: z.boolean() }))
      .max(sqlLimits.rowColumns),
    /** Values as PostgreSQL writes them, so that no digit is lost; null is NULL. */
    rows: z.array(z.array(z.string().nullable()).max(sqlLimits.rowColumns)).max(sqlLimits.maxRows),
    /** What was done, such as `SELECT` or `INSERT`; null where it failed. */
    command: z.string().nullable(),
    /** Rows that were changed or read; null where the statement counts none. */
    affectedRows: count.nullable(),
    /** There are more rows than were asked for, or than an answer holds. */
    isTruncated: z.boolean(),
    /** Values that are longer than an answer shows. */
    cutValues: count,
    durationMs: z.number().min(0),
    /** What the server said beside it. */
    notices: z.array(z.string()).max(100),
    error: sqlError.nullable(),
  })
  .meta({ id: 'SqlResult' })
export type SqlResult = z.infer<typeof sqlResult>

/** A step of a plan. Times are those of this step alone, in ms; null where the plan was not executed. */
const planNode = z.object({
  id: count,
  /** The step that takes what this one finds; null for the last one. */
  parentId: count.nullable(),
  depth: count,
  /** Such as `Seq Scan`. */
  type: z.string(),
  /** The table, index or function that it reads. */
  subject: z.string().nullable(),
  /** Conditions, in SQL. */
  conditions: z.array(z.string()).max(10),
  expectedRows: z.number(),
  actualRows: z.number().nullable(),
  loops: z.number().nullable(),
  /** Of this step without those below it. */
  selfMs: z.number().nullable(),
  selfCost: z.number(),
  /** Blocks of 8 KiB that were found in memory, and that were not. */
  blocksHit: z.number().nullable(),
  blocksRead: z.number().nullable(),
})
export type SqlPlanNode = z.infer<typeof planNode>

const sqlPlan = z
  .object({
    nodes: z.array(planNode).max(sqlLimits.planNodes),
    planningMs: z.number().nullable(),
    executionMs: z.number().nullable(),
    durationMs: z.number().min(0),
    error: sqlError.nullable(),
  })
  .meta({ id: 'SqlPlan' })
export type SqlPlan = z.infer<typeof sqlPlan>

const sqlEstimate = z
  .object({
    /** Tables that are read row by row, not through an index. */
    reads: z
      .array(
        z.object({
          /** With its schema, where that is not `public`. */
          relation: z.string(),
          /** All rows of the table, as the planner believes; null while it knows nothing. */
          rows: z.number().nullable(),
          /** False where the statement may stop before the end of the table. */
          isWhole: z.boolean(),
        }),
      )
      .max(50),
    /** Rows of the result, or rows that are changed, as the planner expects; null where it gave no plan. */
    expectedRows: z.number().nullable(),
    /** What its plan writes; functions that it calls are not in the plan. */
    changes: z
      .array(z.object({ operation: z.enum(['insert', 'update', 'delete', 'merge']), relation: z.string() }))
      .max(20),
    /** It locks the rows that it reads, as `FOR UPDATE` does. */
    locksRows: z.boolean(),
    /** Values were missing: the plan is the one for any values. */
    isForAnyValues: z.boolean(),
    /** What the same statement took, where the server counted it; null where it did not. */
    history: z.object({ calls: count, meanMs: z.number().min(0) }).nullable(),
    /** Open advice on indexes for what it reads. */
    advice: z.array(z.object({ key: z.string(), title: z.string() })).max(20),
    error: sqlError.nullable(),
  })
  .meta({ id: 'SqlEstimate' })
export type SqlEstimate = z.infer<typeof sqlEstimate>

const relation = z.object({
  schema: z.string(),
  name: z.string(),
  kind: z.enum(['table', 'view', 'materialized view', 'foreign table', 'partitioned table']),
  /** With its indexes; null for what keeps no rows. */
  sizeBytes: z.number().nullable(),
  /** As the planner believes; null while nothing is known. */
  rows: z.number().nullable(),
  columns: z
    .array(z.object({ name: z.string(), type: z.string(), isNullable: z.boolean() }))
    .max(sqlLimits.rowColumns),
})
export type SqlRelation = z.infer<typeof relation>

const errors = ['not_found', 'conflict', 'database_unreachable'] as const

export const databaseSqlEndpoints = {
  'databases.query': endpoint({
    method: 'POST',
    path: `${path}/query`,
    summary: 'Read from a database by one SQL statement, which cannot change anything',
    access: 'databases.query',
    params,
    body: run,
    response: sqlResult,
    errors,
    withoutIdempotencyKey: 'It changes nothing.',
    outdates: [`${path}/sql-history`],
  }),
  'databases.execute': endpoint({
    method: 'POST',
    path: `${path}/execute`,
    summary: 'Execute one SQL statement that may change the database, as its owner',
    access: 'databases.execute',
    params,
    body: run,
    response: sqlResult,
    errors,
    withoutIdempotencyKey: 'Its effect is in another database, which keeps no keys.',
  }),
  'databases.explain': endpoint({
    method: 'POST',
    path: `${path}/explain`,
    summary: 'How PostgreSQL would execute a statement, or how it did when it only reads',
    access: 'databases.query',
    params,
    body: z.strictObject({
      statement,
      parameters,
      queryId: uuid.optional(),
      /** Executes it, which only statements that change nothing allow. */
      analyze: z.boolean().default(false),
      /** The plan for any values of its parameters `$1`, `$2`, …; it is not executed then. */
      isGeneric: z.boolean().default(false),
      timeoutMs: run.shape.timeoutMs,
    }),
    response: sqlPlan,
    errors,
    withoutIdempotencyKey: 'It changes nothing.',
    outdates: [],
  }),
  'databases.estimate': endpoint({
    method: 'POST',
    path: `${path}/estimate`,
    summary:
      'What a statement would read and change by its plan, and how long it took before; nothing is executed',
    access: 'databases.query',
    params,
    body: z.strictObject({
      statement,
      /** Those that are missing are planned for any values. */
      parameters,
      /** `write` plans it as the owner, which needs `databases.execute`. */
      mode: z.enum(['read', 'write']).default('read'),
      /** Rows after which its reader stops. */
      maxRows: run.shape.maxRows,
    }),
    response: sqlEstimate,
    errors,
    withoutIdempotencyKey: 'It changes nothing.',
    outdates: [],
  }),
  'databases.cancelQuery': endpoint({
    method: 'POST',
    path: `${path}/queries/{queryId}/cancel`,
    summary: 'Cancel a statement in the server of its database',
    access: 'databases.query',
    params: params.extend({ queryId: uuid }),
    /** False where it is over already, or has not reached the server yet. */
    response: z.object({ isCancelled: z.boolean() }),
    errors,
    withoutIdempotencyKey: 'To cancel twice is to cancel once.',
    outdates: [],
  }),
  'databases.relations': endpoint({
    method: 'GET',
    path: `${path}/relations`,
    summary: 'Tables and views of a database with their columns, the largest first',
    access: 'databases.query',
    params,
    response: z.object({ relations: z.array(relation).max(sqlLimits.relations), isTruncated: z.boolean() }),
    errors,
  }),
} as const
