import { z } from 'zod'
import {
  drillProofs,
  restoreKinds,
  restoreStatuses,
  swapComparisonLimits,
  swapStatuses,
} from './backup-rules.ts'
import { databaseNameRule, databasePlanIds, isValidDatabaseName } from './rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { actor, givenTime, pageQuery, paged, timestamp, uuid } from '../base/schema.ts'

const count = z.number().int().min(0)
const params = z.object({ id: uuid })
const path = '/api/databases/{id}'

const checkResult = z.object({
  name: z.string(),
  /** `not_run`: the check could not be asked, which proves nothing. */
  outcome: z.enum(['passed', 'failed', 'not_run']),
  /** What it answered, or why it could not be asked. */
  detail: z.string().nullable(),
  durationMs: count,
})
export type DatabaseCheckResult = z.infer<typeof checkResult>

export const databaseRestore = z
  .object({
    id: uuid,
    kind: z.enum(restoreKinds),
    /** The database whose backup it is. */
    databaseId: uuid,
    /** The database that is made of it; null for a drill, and after that was given up. */
    newDatabase: z.object({ id: uuid, name: z.string() }).nullable(),
    /** Of a restore of one table: which, and what became of it. */
    table: z
      .object({
        schema: z.string(),
        name: z.string(),
        /** The table that holds its rows now, in the same schema; null until that is chosen. */
        into: z.string().nullable(),
        /** Whether it took the place of the rows of a table that was there. */
        replaces: z.boolean(),
        /** Rows that were copied; null until they are. */
        rows: count.nullable(),
      })
      .nullable(),
    /** The base backup; null until one is chosen. */
    backupId: uuid.nullable(),
    /** The moment that was asked for; null: the backup itself, or as late as possible. */
    targetTime: timestamp.nullable(),
    status: z.enum(restoreStatuses),
    /** Why it failed, as a sentence. */
    failure: z.string().nullable(),
    /** When the last transaction that came back was committed; null where none was replayed. */
    reachedAt: timestamp.nullable(),
    checks: z.array(checkResult).max(100),
    /** Of a drill that ended: what it proved. */
    proof: z.enum(drillProofs).nullable(),
    /** Of a drill: what would have been lost with the machine when it began, in ms of work. */
    lostMs: count.nullable(),
    /** How long each part took, in ms; null where it is not over. */
    durations: z.object({
      restoreMs: count.nullable(),
      replayMs: count.nullable(),
      validateMs: count.nullable(),
      totalMs: count.nullable(),
    }),
    run: z.object({ workflowId: uuid, runId: uuid }).nullable(),
    createdBy: actor,
    createdAt: timestamp,
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'DatabaseRestore' })
export type DatabaseRestore = z.infer<typeof databaseRestore>

/** A restored copy in the place of the database that it was made from. */
const swap = z
  .object({
    id: uuid,
    status: z.enum(swapStatuses),
    failure: z.string().nullable(),
    /** The copy, which has name, address and password of the old one once this is completed. */
    databaseId: uuid,
    /** What the old one is called since. */
    oldDatabase: z.object({ id: uuid, name: z.string() }),
    /** Connections to the old one ended then: what was committed later does not exist, what was committed before is in it. */
    cutAt: timestamp.nullable(),
    completedAt: timestamp.nullable(),
    /** Until then the old one is kept, read only, and the swap can be undone; null until it is completed. */
    undoUntil: timestamp.nullable(),
    run: z.object({ workflowId: uuid, runId: uuid }).nullable(),
    createdBy: actor,
    createdAt: timestamp,
  })
  .meta({ id: 'DatabaseSwap' })
export type DatabaseSwap = z.infer<typeof swap>

const counted = z.object({
  /** Null where counting took too long and the planner knows no number either. */
  rows: count.nullable(),
  /** The planner's estimate, because counting took too long. */
  isEstimate: z.boolean(),
})

/** What a swap would change: rows of both databases, and whose connections end. */
const swapComparison = z
  .object({
    at: timestamp,
    /** Of tables, those that exist in one of the two alone first, then the largest. */
    tables: z
      .array(
        z.object({
          schema: z.string(),
          name: z.string(),
          /** In the restored copy; null where it has no such table. */
          copy: counted.nullable(),
          /** In the database whose place it would take, now; null where it has no such table. */
          source: counted.nullable(),
        }),
      )
      .max(swapComparisonLimits.tables),
    /** Tables that were not compared, because there are more. */
    tablesLeftOut: count,
    /** Of the server whose place the copy would take, those with the most connections first. */
    clients: z
      .array(
        z.object({
          /** The name that it gave for itself, or else its user. */
          client: z.string(),
          username: z.string().nullable(),
          connections: count,
          /** Executing a statement, which would be interrupted. */
          active: count,
          /** Waiting for their client in an open transaction, which would be rolled back. */
          idleInTransaction: count,
          /** With changes that are not committed, and would be rolled back. */
          withChanges: count,
        }),
      )
      .max(swapComparisonLimits.clients),
    /** All connections, also of clients that are not listed. */
    connections: count,
  })
  .meta({ id: 'DatabaseSwapComparison' })
export type DatabaseSwapComparison = z.infer<typeof swapComparison>

export const databaseRestoreEndpoints = {
  'databases.restores.list': endpoint({
    method: 'GET',
    path: `${path}/restores`,
    summary: 'Restores and drills of the backups of a database, the newest first',
    access: 'databases.read',
    params,
    query: pageQuery.omit({ order: true }).extend({ kind: z.enum(restoreKinds).optional() }),
    response: paged('restores', databaseRestore),
    errors: ['not_found'],
  }),
  'databases.restore': endpoint({
    method: 'POST',
    path: `${path}/restore`,
    summary:
      'Make a new database of the backups of another, as it was at a moment; or with `table` copy one table of that moment into the database that runs',
    access: 'databases.restore',
    params,
    body: z
      .strictObject({
        /** Of the new database; needed unless `table` is given. */
        name: z.string().refine(isValidDatabaseName, databaseNameRule).optional(),
        /** Copies this table alone, as PostgreSQL keeps its name: in one transaction, into the database that runs. */
        table: z.string().min(1).max(63).optional(),
        /** Of `table`; `public` unless given. */
        schema: z.string().min(1).max(63).optional(),
        /**
         * What `table` is called there. Unless given, its own name where no such table is there any more, else
         * `NAME_restored_HHMM` with the time of the moment in UTC.
         */
        into: z.string().min(1).max(63).optional(),
        /** Replaces the rows of `table`, which has to be there with the same columns. */
        replace: z.boolean().optional(),
        /** As the database that it is made from unless given. */
        plan: z.enum(databasePlanIds).optional(),
        /** Everything that was committed until then. Without it and without `backupId`: as late as possible. */
        targetTime: givenTime.optional(),
        /** This backup itself, without what came after it. */
        backupId: uuid.optional(),
      })
      .refine(
        ({ targetTime, backupId }) => targetTime === undefined || backupId === undefined,
        'Send a moment or a backup, not both.',
      )
      .refine(
        ({ name, table }) => (name === undefined) !== (table === undefined),
        'Send the name of a new database, or a table.',
      )
      .refine(
        ({ table, schema, into, replace }) =>
          table !== undefined || (schema === undefined && into === undefined && replace !== true),
        'Only a table is copied into a schema, under a name, or in the place of rows.',
      )
      .refine(
        ({ into, replace }) => into === undefined || replace !== true,
        'Send a name for a new table, or ask for its rows to be replaced.',
      ),
    response: databaseRestore,
    status: 202,
    errors: ['not_found', 'conflict', 'name_taken', 'limit_reached'],
    operation: { read: 'databases.restores.list', in: 'restores' },
  }),
} as const

/** What puts a restored copy in place. */
export const databaseSwapEndpoints = {
  'databases.swap': endpoint({
    method: 'POST',
    path: `${path}/swap`,
    summary:
      'Put a restored copy in the place of a database: it takes over name, address and password; the old one is kept read only, and for 24 hours the swap can be undone',
    access: 'databases.restore',
    params,
    body: z.strictObject({ withDatabaseId: uuid }),
    response: swap,
    status: 202,
    errors: ['not_found', 'conflict'],
    operation: { read: 'databases.swaps.latest', in: 'swap' },
  }),
  'databases.undoSwap': endpoint({
    method: 'POST',
    path: `${path}/undo-swap`,
    summary:
      'Put the old database back in its place; asked of either of the two, within 24 hours of the swap',
    access: 'databases.restore',
    params,
    response: swap,
    status: 202,
    errors: ['not_found', 'conflict'],
    operation: { read: 'databases.swaps.latest', in: 'swap' },
  }),
  'databases.swaps.compare': endpoint({
    method: 'GET',
    path: `${path}/swap/comparison`,
    summary:
      'What a restored copy in the place of a database would change: rows of each table in both, counted, and whose connections end',
    access: 'databases.restore',
    params,
    query: z.object({ withDatabaseId: uuid }),
    response: swapComparison,
    errors: ['not_found', 'conflict', 'database_unreachable'],
  }),
  'databases.swaps.latest': endpoint({
    method: 'GET',
    path: `${path}/swap`,
    summary: 'The last swap that a database took part in',
    access: 'databases.read',
    params,
    response: z.object({ swap: swap.nullable() }),
    errors: ['not_found'],
  }),
} as const
