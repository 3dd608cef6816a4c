import { z } from 'zod'
import { dumpPlaces } from './dump-rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { uuid } from '../base/schema.ts'

const params = z.object({ id: uuid })
const path = '/api/databases/{id}/dump'

/** Whether a database can be dumped, and by which program. */
const dumpProgram = z
  .object({
    /** Why no dump can be made now, with the way out; null where one can. */
    refusal: z.string().nullable(),
    /** What makes it; null where no program fits. */
    program: z
      .object({
        place: z.enum(dumpPlaces),
        /** The path of the program on the machine of Bey, or the name of the pod. */
        name: z.string(),
        /** Such as `18.4`; null where only the pod knows. */
        version: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'DatabaseDumpProgram' })
export type DatabaseDumpProgram = z.infer<typeof dumpProgram>

export const databaseDumpEndpoints = {
  'databases.dumpProgram': endpoint({
    method: 'GET',
    path,
    summary: 'Whether a logical dump of a database can be made, and by which program',
    access: 'databases.query',
    params,
    response: dumpProgram,
    errors: ['not_found'],
  }),
  'databases.downloadDump': endpoint({
    method: 'POST',
    path,
    summary:
      'Download a logical dump of a database in the custom format of pg_dump; the connection breaks off where it fails, so that a part is never taken for the whole',
    access: 'databases.query',
    withoutIdempotencyKey: 'It only reads.',
    params,
    // Not application/octet-stream, which is compressed on its way: a dump is compressed already.
    response: { mediaType: 'application/x-postgresql-dump' },
    errors: ['not_found', 'conflict', 'forbidden', 'limit_reached', 'database_unreachable'],
  }),
} as const
