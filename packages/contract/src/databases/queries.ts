import { z } from 'zod'
import { queryLimits } from './rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { actor, searchText, timestamp, uuid } from '../base/schema.ts'

const params = z.object({ id: uuid })
const history = '/api/databases/{id}/sql-history'
const saved = '/api/databases/{id}/saved-queries'
const one = params.extend({ queryId: uuid })

const sqlHistoryEntry = z
  .object({
    id: uuid,
    /** Without the passwords that it sets. */
    statement: z.string(),
    mode: z.enum(['read', 'write']),
    at: timestamp,
    durationMs: z.number().min(0).nullable(),
    /** Rows that were read or changed; null where the statement counts none. */
    rows: z.number().int().min(0).nullable(),
    /** Why it failed; null where it did not. */
    error: z.string().nullable(),
  })
  .meta({ id: 'SqlHistoryEntry' })
export type SqlHistoryEntry = z.infer<typeof sqlHistoryEntry>

const savedQuery = z
  .object({
    id: uuid,
    name: z.string(),
    statement: z.string(),
    /** Every member of the organization sees it. */
    isShared: z.boolean(),
    isMine: z.boolean(),
    createdBy: actor,
    updatedAt: timestamp,
  })
  .meta({ id: 'SavedQuery' })
export type SavedQuery = z.infer<typeof savedQuery>

const name = z.string().trim().min(1, 'Enter a name.').max(queryLimits.name)
const statement = z.string().trim().min(1, 'Enter a statement.').max(queryLimits.statement)

export const databaseQueryEndpoints = {
  'databases.sqlHistory': endpoint({
    method: 'GET',
    path: history,
    summary: 'Statements that you executed in a database in the last 30 days, the newest first',
    access: 'databases.query',
    params,
    query: z.object({
      search: searchText,
      limit: z.coerce.number().int().min(1).max(queryLimits.listed).default(50),
      /** Entries before this one. */
      before: uuid.optional(),
    }),
    response: z.object({
      entries: z.array(sqlHistoryEntry).max(queryLimits.listed),
      nextCursor: uuid.nullable(),
    }),
    errors: ['not_found'],
  }),
  'databases.savedQueries.list': endpoint({
    method: 'GET',
    path: saved,
    summary: 'Saved statements of a database: your own, and those that are shared',
    access: 'databases.query',
    params,
    response: z.object({ queries: z.array(savedQuery).max(queryLimits.perDatabase) }),
    errors: ['not_found'],
  }),
  'databases.savedQueries.create': endpoint({
    method: 'POST',
    path: saved,
    summary: 'Save a statement under a name',
    access: 'databases.query',
    params,
    body: z.strictObject({ name, statement, isShared: z.boolean().default(false) }),
    response: savedQuery,
    status: 201,
    errors: ['not_found', 'name_taken', 'limit_reached'],
    outdates: [saved],
  }),
  'databases.savedQueries.update': endpoint({
    method: 'PATCH',
    path: `${saved}/{queryId}`,
    summary: 'Change a saved statement, its name or whether it is shared; only who saved it may',
    access: 'databases.query',
    params: one,
    body: z.strictObject({
      name: name.optional(),
      statement: statement.optional(),
      isShared: z.boolean().optional(),
    }),
    response: savedQuery,
    errors: ['not_found', 'name_taken'],
    outdates: [saved],
  }),
  'databases.savedQueries.delete': endpoint({
    method: 'DELETE',
    path: `${saved}/{queryId}`,
    summary: 'Delete a saved statement; a shared one of somebody else needs databases.manage',
    access: 'databases.query',
    params: one,
    response: z.object({ message: z.string() }),
    errors: ['not_found'],
    outdates: [saved],
  }),
} as const
