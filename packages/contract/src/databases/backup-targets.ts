import { z } from 'zod'
import {
  backupTargetLimits as limits,
  bucketNameError,
  prefixError,
  s3EndpointError,
} from './backup-target-rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { actor, nameText, timestamp, uuid } from '../base/schema.ts'

const count = z.number().int().min(0)

/** What a check found: it wrote, read, listed and removed a small object. */
const check = z.object({
  at: timestamp,
  /** What is wrong and what helps; null where it works. */
  problem: z.string().nullable(),
})

const backupTarget = z
  .object({
    id: uuid,
    name: z.string(),
    kind: z.literal('s3'),
    /** `http(s)://host[:port]` of an S3-compatible service; null: Amazon S3. */
    endpoint: z.string().nullable(),
    region: z.string(),
    bucket: z.string(),
    /** Before the name of every object; empty: none. */
    prefix: z.string(),
    accessKeyId: z.string(),
    /** The last check that was asked for; null while none was, and after a change. */
    lastCheck: check.nullable(),
    /** Databases whose policy names it, or of which it keeps backups. */
    usedBy: z.array(z.object({ id: uuid, name: z.string() })).max(20),
    /** How many those are. */
    databases: count,
    storedBytes: count,
    createdBy: actor,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'BackupTarget' })
export type BackupTarget = z.infer<typeof backupTarget>

const text = (error: (given: string) => string | undefined, max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .superRefine((given, context) => {
      const message = error(given)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    })
const visible = (max: number, whenEmpty: string) =>
  z
    .string()
    .trim()
    .min(1, whenEmpty)
    .max(max)
    .regex(/^[\x21-\x7e]+$/, 'Use visible ASCII characters without spaces.')

const fields = {
  endpoint: text(s3EndpointError, limits.endpoint).nullable(),
  region: z
    .string()
    .trim()
    .max(limits.region)
    .regex(/^[a-z0-9-]+$/, 'Use lower-case letters, digits and hyphens, such as eu-central-1.'),
  bucket: text(bucketNameError, 63),
  prefix: text(prefixError, limits.prefix),
  accessKeyId: visible(limits.accessKeyId, 'Enter an access key.'),
  secretAccessKey: visible(limits.secretAccessKey, 'Enter a secret access key.'),
}
const name = nameText('Enter a name for the target.')

const checkResult = z.object({
  isGood: z.boolean(),
  problem: z.string().nullable(),
  durationMs: z.number(),
})

const params = z.object({ id: uuid })
const path = '/api/databases/backup-targets'
const access = 'databases.backupTargets'

export const backupTargetEndpoints = {
  'databases.backupTargets.list': endpoint({
    method: 'GET',
    path,
    summary: 'Where backups can be kept: the machine of Bey, and buckets that were named',
    access: 'databases.read',
    response: z.object({
      machine: z.object({
        /** The directory of all backups there. */
        place: z.string(),
        /** Null where it cannot be told. */
        freeBytes: count.nullable(),
        /** Databases that use it, and what their backups take. */
        databases: count,
        storedBytes: count,
      }),
      targets: z.array(backupTarget).max(limits.perOrganization),
    }),
  }),
  'databases.backupTargets.get': endpoint({
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'One bucket for backups',
    access: 'databases.read',
    params,
    response: backupTarget,
    errors: ['not_found'],
  }),
  'databases.backupTargets.create': endpoint({
    method: 'POST',
    path,
    summary: 'Name a bucket for backups; its secret access key is not answered again',
    access,
    body: z.strictObject({
      ...fields,
      name,
      endpoint: fields.endpoint.default(null),
      prefix: fields.prefix.default(''),
    }),
    response: backupTarget,
    status: 201,
    errors: ['name_taken', 'limit_reached'],
  }),
  'databases.backupTargets.update': endpoint({
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change how a bucket for backups is reached, or another name or bucket while it keeps nothing',
    access,
    params,
    body: z.strictObject({
      name: name.optional(),
      endpoint: fields.endpoint.optional(),
      region: fields.region.optional(),
      bucket: fields.bucket.optional(),
      prefix: fields.prefix.optional(),
      accessKeyId: fields.accessKeyId.optional(),
      /** Stays as it is unless given. */
      secretAccessKey: fields.secretAccessKey.optional(),
    }),
    response: backupTarget,
    replyOf: 'databases.backupTargets.get',
    errors: ['not_found', 'name_taken', 'conflict'],
  }),
  'databases.backupTargets.delete': endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Forget a bucket that no database uses; what is in it stays',
    access,
    params,
    response: z.null(),
    status: 204,
    errors: ['not_found', 'conflict'],
  }),
  'databases.backupTargets.test': endpoint({
    method: 'POST',
    path: `${path}/test`,
    summary:
      'Try a bucket before it is named: write, read, list and remove a small object; no setting is stored',
    access,
    body: z.strictObject({
      ...fields,
      endpoint: fields.endpoint.default(null),
      prefix: fields.prefix.default(''),
    }),
    response: checkResult,
    withoutIdempotencyKey: 'It stores nothing.',
  }),
  'databases.backupTargets.check': endpoint({
    method: 'POST',
    path: `${path}/{id}/check`,
    summary: 'Try a bucket as it is set up: write, read, list and remove a small object',
    access,
    params,
    response: checkResult,
    errors: ['not_found'],
  }),
} as const
