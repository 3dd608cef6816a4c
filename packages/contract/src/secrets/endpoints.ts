import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { roles } from '../base/permissions.ts'
import { pageQuery, paged, searchText, uuid } from '../base/schema.ts'
import {
  secretAccesses,
  secretFilters,
  secretLimits as limits,
  secretStatuses,
  secretSubjectTypes,
  secretTypes,
} from './rules.ts'
import {
  secret,
  secretActivity,
  secretDescription as description,
  secretDetail,
  secretEncoding as encoding,
  secretExpiresAt as expiresAt,
  secretFacts,
  secretGenerator,
  secretGrant,
  secretLabels as labels,
  secretMaxVersions as maxVersions,
  secretName as name,
  secretOverlap,
  secretReader,
  secretReason as reason,
  secretRotation,
  secretUse,
  secretValue as value,
  secretVersion,
} from './schema.ts'

const params = z.object({ id: uuid })
const versionParams = z.object({ id: uuid, version: z.coerce.number().int().min(1).max(1_000_000) })
const base = '/api/secrets'

const rotateBody = z.strictObject({
  reason,
  /** The server makes one unless given. */
  value: value.optional(),
  encoding: encoding.default('utf8'),
  generator: secretGenerator.optional(),
  overlapHours: secretOverlap.default(null),
  expectedVersion: z.number().int().min(1).optional(),
})

export const secretEndpoints = {
  'secrets.list': endpoint({
    method: 'GET',
    path: base,
    summary: 'Secrets of the organization, without their values',
    access: 'secrets.read',
    query: pageQuery.extend({
      search: searchText,
      type: z.enum(secretTypes).optional(),
      status: z.enum(secretStatuses).optional(),
      /** `key` or `key=value`. */
      label: z
        .string()
        .trim()
        .max(limits.labelKey + limits.labelValue + 1)
        .optional(),
      filter: z.enum(secretFilters).optional(),
      sort: z
        .enum(['name', 'type', 'valueChangedAt', 'expiresAt', 'lastReadAt', 'createdAt'])
        .default('name'),
    }),
    response: paged('secrets', secret),
  }),
  'secrets.get': endpoint({
    method: 'GET',
    path: `${base}/{id}`,
    summary: 'One secret, without its value',
    access: 'secrets.read',
    params,
    response: secretDetail,
    errors: ['not_found'],
  }),
  'secrets.create': endpoint({
    method: 'POST',
    path: base,
    summary: 'Store a secret',
    access: 'secrets.create',
    body: z.strictObject({
      name,
      description: description.default(''),
      type: z.enum(secretTypes).default('opaque'),
      value,
      encoding: encoding.default('utf8'),
      labels: labels.default({}),
      expiresAt: expiresAt.nullable().optional(),
      maxVersions: maxVersions.default(limits.defaultVersions),
      requireCas: z.boolean().default(false),
    }),
    replyOf: 'secrets.get',
    response: secretDetail,
    status: 201,
    errors: ['name_taken', 'limit_reached'],
  }),
  'secrets.update': endpoint({
    method: 'PUT',
    path: `${base}/{id}`,
    summary: 'Change a secret; a value makes a new version',
    access: 'secrets.update',
    params,
    body: z
      .strictObject({
        name: name.optional(),
        description: description.optional(),
        type: z.enum(secretTypes).optional(),
        value: value.optional(),
        encoding: encoding.default('utf8'),
        labels: labels.optional(),
        expiresAt: expiresAt.nullable().optional(),
        maxVersions: maxVersions.optional(),
        requireCas: z.boolean().optional(),
        /** Null ends the schedule. */
        rotation: secretRotation.nullable().optional(),
        status: z.enum(['active', 'disabled']).optional(),
        /** Why; kept with the new version and in the audit trail. */
        reason: z.string().trim().max(limits.reason).default(''),
        /** Check-and-set: refused with 409 when the current version is another. */
        expectedVersion: z.number().int().min(1).optional(),
      })
      .refine(
        (body) => Object.keys(body).some((key) => key !== 'encoding' && key !== 'reason'),
        'Send what changes.',
      ),
    replyOf: 'secrets.get',
    response: secretDetail,
    errors: ['not_found', 'name_taken', 'conflict', 'limit_reached'],
  }),
  'secrets.delete': endpoint({
    method: 'DELETE',
    path: `${base}/{id}`,
    summary: `Delete a secret; it can be restored for ${limits.deletionDays} days`,
    access: 'secrets.delete',
    params,
    response: z.null(),
    status: 204,
    errors: ['not_found', 'conflict'],
  }),
  'secrets.restore': endpoint({
    method: 'POST',
    path: `${base}/{id}/restore`,
    summary: 'Cancel the deletion of a secret',
    access: 'secrets.delete',
    params,
    replyOf: 'secrets.get',
    response: secretDetail,
    errors: ['not_found', 'conflict'],
  }),
  'secrets.reveal': endpoint({
    method: 'POST',
    path: `${base}/{id}/reveal`,
    summary: 'The value, after the read was written to the audit trail',
    access: 'secrets.reveal',
    stepUp: 'people',
    withoutIdempotencyKey: 'It only reads.',
    params,
    body: z.strictObject({
      reason,
      /** Default: the current one. */
      version: z.number().int().min(1).optional(),
    }),
    response: z.object({
      value: z.union([z.string(), z.record(z.string(), z.string())]),
      encoding,
      version: z.number().int(),
    }),
    errors: ['not_found', 'conflict', 'forbidden', 'rate_limited'],
  }),
  'secrets.rotate': endpoint({
    method: 'POST',
    path: `${base}/{id}/rotate`,
    summary: 'Store a new value, given or made by the server; the one before is kept as an older version',
    access: 'secrets.update',
    params,
    body: rotateBody,
    replyOf: 'secrets.get',
    response: secretDetail,
    errors: ['not_found', 'conflict'],
  }),
  'secrets.rotateAndRestart': endpoint({
    method: 'POST',
    path: `${base}/{id}/rotate-and-restart`,
    summary:
      'Rotate, then restart what uses the secret, as one run that restores the old value where it fails',
    access: 'secrets.update',
    params,
    body: rotateBody,
    response: z.object({ secret: secretDetail, workflowId: uuid, runId: uuid, status: z.string() }),
    status: 202,
    errors: ['not_found', 'conflict'],
    operation: { read: 'workflows.run' },
  }),
  'secrets.versions': endpoint({
    method: 'GET',
    path: `${base}/{id}/versions`,
    summary: 'Versions of a secret, newest first',
    access: 'secrets.read',
    params,
    response: z.object({ versions: z.array(secretVersion).max(limits.versions + 1) }),
    errors: ['not_found'],
  }),
  'secrets.rollback': endpoint({
    method: 'POST',
    path: `${base}/{id}/versions/{version}/rollback`,
    summary: 'Store the value of an older version as a new one',
    access: 'secrets.update',
    params: versionParams,
    body: z.strictObject({ reason, expectedVersion: z.number().int().min(1).optional() }),
    replyOf: 'secrets.get',
    response: secretDetail,
    errors: ['not_found', 'conflict'],
  }),
  'secrets.deleteVersion': endpoint({
    method: 'DELETE',
    path: `${base}/{id}/versions/{version}`,
    summary: 'Delete an older version; it can be undeleted until it is destroyed',
    access: 'secrets.update',
    params: versionParams,
    response: z.null(),
    status: 204,
    errors: ['not_found', 'conflict'],
  }),
  'secrets.undeleteVersion': endpoint({
    method: 'POST',
    path: `${base}/{id}/versions/{version}/undelete`,
    summary: 'Take back the deletion of a version',
    access: 'secrets.update',
    params: versionParams,
    response: secretVersion,
    errors: ['not_found', 'conflict'],
  }),
  'secrets.destroyVersion': endpoint({
    method: 'POST',
    path: `${base}/{id}/versions/{version}/destroy`,
    summary: 'Wipe the value of a version for good',
    access: 'secrets.update',
    params: versionParams,
    body: z.strictObject({ reason }),
    response: secretVersion,
    errors: ['not_found', 'conflict', 'forbidden'],
  }),
  'secrets.grants': endpoint({
    method: 'GET',
    path: `${base}/{id}/grants`,
    summary: 'Who may use, read or manage a secret',
    access: 'secrets.read',
    params,
    response: z.object({ grants: z.array(secretGrant).max(limits.grants) }),
    errors: ['not_found'],
  }),
  'secrets.setGrants': endpoint({
    method: 'PUT',
    path: `${base}/{id}/grants`,
    summary: 'Replace the grants of a secret',
    access: 'secrets.update',
    params,
    body: z.strictObject({
      grants: z
        .array(
          z.strictObject({
            subjectType: z.enum(secretSubjectTypes),
            subjectId: z.union([z.enum(roles), z.string().min(1).max(64)]),
            /** As GET answers it. Ignored: the id decides. */
            subjectName: z.string().max(300).optional(),
            access: z.enum(secretAccesses),
          }),
        )
        .max(limits.grants),
    }),
    response: z.object({ grants: z.array(secretGrant).max(limits.grants) }),
    errors: ['not_found', 'forbidden'],
  }),
  'secrets.usage': endpoint({
    method: 'GET',
    path: `${base}/{id}/usage`,
    summary: 'What uses a secret, who could read it and who did',
    access: 'secrets.read',
    params,
    response: z.object({
      /** The blast radius in one sentence. */
      summary: z.string(),
      uses: z.array(secretUse).max(200),
      readers: z.array(secretReader).max(200),
    }),
    errors: ['not_found'],
  }),
  'secrets.activity': endpoint({
    method: 'GET',
    path: `${base}/{id}/activity`,
    summary: 'What happened to a secret, newest first',
    access: 'secrets.read',
    params,
    query: z.object({
      cursor: z.string().max(64).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: z.object({ entries: z.array(secretActivity).max(200), nextCursor: z.string().nullable() }),
    errors: ['not_found', 'forbidden'],
  }),
  'secrets.inspect': endpoint({
    method: 'POST',
    path: `${base}/inspect`,
    summary:
      'What a value would say of itself if it were stored, such as the expiry of a certificate; stores nothing',
    access: 'secrets.create',
    withoutIdempotencyKey: 'It only reads.',
    body: z.strictObject({ type: z.enum(secretTypes), value }),
    outdates: [],
    response: secretFacts,
  }),
} as const
