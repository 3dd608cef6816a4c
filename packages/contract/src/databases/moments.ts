import { z } from 'zod'
import { changeVerbs, momentLimits } from './moment-rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { timestamp, uuid } from '../base/schema.ts'

const moment = z
  .object({
    /** When the statement began. */
    at: timestamp,
    verb: z.enum(changeVerbs),
    /** What it did, without its values: "DROP TABLE price_rules". */
    text: z.string(),
    table: z.object({ schema: z.string().nullable(), name: z.string() }).nullable(),
    /** Rows that it changed; null where that is not known. */
    rows: z.number().int().min(0).nullable(),
    /** Who executed it in the SQL console; null for a step of a workflow. */
    by: z.string().nullable(),
    /** The run whose step executed it; null for the SQL console. */
    run: z.object({ workflowId: uuid, runId: uuid, workflowName: z.string() }).nullable(),
  })
  .meta({ id: 'DatabaseMoment' })
export type DatabaseMoment = z.infer<typeof moment>

export const databaseMomentEndpoints = {
  'databases.moments': endpoint({
    method: 'GET',
    path: '/api/databases/{id}/moments',
    summary:
      'Statements through Bey that removed or rewrote data of a database in the last 14 days, the newest first: moments to restore to the second before',
    access: 'databases.restore',
    params: z.object({ id: uuid }),
    response: z.object({ moments: z.array(moment).max(momentLimits.listed) }),
    errors: ['not_found'],
  }),
} as const
