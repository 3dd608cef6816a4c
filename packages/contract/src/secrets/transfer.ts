import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { uuid } from '../base/schema.ts'
import { secretLimits as limits, secretFilters, secretTransferFormats, secretTypes } from './rules.ts'
import { secretReason } from './schema.ts'

const format = z.enum(secretTransferFormats)

/** What became of one entry of an import; never carries its value. */
export const secretImportRow = z
  .object({
    name: z.string(),
    /** Where it stands in the file, counted from 1. */
    line: z.number().int(),
    type: z.enum(secretTypes),
    /** Whether a secret of this name is there already. */
    exists: z.boolean(),
    outcome: z.enum(['created', 'versioned', 'skipped', 'refused']),
    message: z.string().optional(),
  })
  .meta({ id: 'SecretImportRow' })
export type SecretImportRow = z.infer<typeof secretImportRow>

export const secretTransferEndpoints = {
  'secrets.import': endpoint({
    method: 'POST',
    path: '/api/secrets/import',
    summary: 'Store the entries of a file as secrets; all of them, or none where one is refused',
    access: 'secrets.create',
    body: z.strictObject({
      format,
      text: z.string().min(1).max(limits.importBytes),
      /** Put in front of each name, e.g. `shop/`. */
      prefix: z.string().trim().max(100).default(''),
      /** What becomes of an entry whose name is taken. */
      onExisting: z.enum(['skip', 'version', 'refuse']).default('refuse'),
      /** What becomes of single entries instead, by the name with its prefix; `store` updates what is there. */
      choices: z
        .record(z.string().max(limits.name + 100), z.enum(['store', 'skip']))
        .refine((map) => Object.keys(map).length <= limits.importEntries, 'Send a choice an entry at most.')
        .default({}),
      /** Answers what would become of each and stores nothing. */
      dryRun: z.boolean().default(false),
    }),
    response: z.object({
      /** False where nothing was stored: a dry run, or an entry was refused. */
      isApplied: z.boolean(),
      rows: z.array(secretImportRow).max(limits.importEntries),
    }),
    errors: ['limit_reached', 'name_taken', 'conflict'],
  }),
  'secrets.export': endpoint({
    method: 'POST',
    path: '/api/secrets/export',
    summary: 'Values of several secrets as one file, after each read was written to the audit trail',
    access: 'secrets.reveal',
    withoutIdempotencyKey: 'It only reads.',
    stepUp: 'people',
    body: z
      .strictObject({
        ids: z.array(uuid).min(1).max(limits.exportEntries).optional(),
        filter: z
          .strictObject({
            search: z.string().trim().max(200).optional(),
            type: z.enum(secretTypes).optional(),
            label: z
              .string()
              .trim()
              .max(limits.labelKey + limits.labelValue + 1)
              .optional(),
            filter: z.enum(secretFilters).optional(),
          })
          .optional(),
        format,
        reason: secretReason,
      })
      .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
        message: 'Send either ids or filter.',
      }),
    response: { mediaType: 'text/plain', alternatives: ['application/yaml'] },
    errors: ['not_found', 'forbidden', 'conflict', 'limit_reached', 'rate_limited'],
  }),
} as const
