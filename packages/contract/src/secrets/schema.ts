import { z } from 'zod'
import { actor, timestamp, uuid } from '../base/schema.ts'
import {
  isValidSecretName,
  secretAccesses,
  secretLimits as limits,
  secretNameRule,
  secretStatuses,
  secretSubjectTypes,
  secretTypes,
  secretVersionStatuses,
} from './rules.ts'

export const secretName = z.string().trim().min(1).max(limits.name).refine(isValidSecretName, secretNameRule)
export const secretDescription = z.string().trim().max(limits.description)
export const secretReason = z.string().trim().min(3, 'Say why, in at least 3 characters.').max(limits.reason)

const labelKey = z
  .string()
  .min(1)
  .max(limits.labelKey)
  .regex(
    /^[a-zA-Z0-9]([a-zA-Z0-9._/-]*[a-zA-Z0-9])?$/,
    'Use letters, digits, dots, underscores, dashes and slashes.',
  )
export const secretLabels = z
  .record(labelKey, z.string().max(limits.labelValue))
  .refine((map) => Object.keys(map).length <= limits.labels, `Send at most ${limits.labels} labels.`)

/**
 * A value: one text, or its fields by name where the type has several (see `secretFields`). With `encoding` base64
 * the text encodes bytes. Counted in bytes by the server, for the bound is of what is stored.
 */
export const secretValue = z.union([
  z.string().min(1).max(100_000),
  z.record(z.string().min(1).max(40), z.string().max(100_000)),
])
export const secretEncoding = z.enum(['utf8', 'base64'])

export const secretExpiresAt = z.iso.datetime({ offset: true })
export const secretMaxVersions = z.number().int().min(1).max(limits.versions)

/** What is known of a value without opening it: read from it when it was stored, and free of anything secret. */
export const secretFacts = z
  .object({
    /** Fields that may be shown, such as the host of a database. */
    fields: z.record(z.string(), z.string()),
    /** Of a certificate. */
    certificate: z
      .object({
        subject: z.string(),
        issuer: z.string(),
        names: z.array(z.string()).max(100),
        notBefore: timestamp,
        notAfter: timestamp,
        fingerprint: z.string(),
        chainLength: z.number().int(),
      })
      .nullable(),
    /** Contexts of a kubeconfig. */
    contexts: z.array(z.string()).max(100),
  })
  .meta({ id: 'SecretFacts' })
export type SecretFacts = z.infer<typeof secretFacts>

export const secretGenerator = z.strictObject({
  length: z.number().int().min(limits.generatedMin).max(limits.generatedMax),
  hasUppercase: z.boolean().default(true),
  hasDigits: z.boolean().default(true),
  hasSymbols: z.boolean().default(true),
})

/** Hours for which the version before stays live beside the new one; null: without an end. */
export const secretOverlap = z.number().int().min(1).max(limits.overlapHours).nullable()

/**
 * Every so many days the server makes a new value, or starts a workflow that stores one; the version before stays as an
 * older one.
 */
export const secretRotation = z
  .strictObject({
    everyDays: z.number().int().min(1).max(limits.rotationDays),
    generator: secretGenerator,
    overlapHours: secretOverlap.default(null),
    /** A workflow to start instead, with `secret_id` and `secret` (the name) as its input. */
    workflowId: uuid.optional(),
  })
  .meta({ id: 'SecretRotation' })
export type SecretRotation = z.infer<typeof secretRotation>

export const secret = z
  .object({
    id: uuid,
    name: z.string(),
    description: z.string(),
    type: z.enum(secretTypes),
    labels: z.record(z.string(), z.string()),
    status: z.enum(secretStatuses),
    currentVersion: z.number().int(),
    maxVersions: z.number().int(),
    /** Whether a change of the value must name the version that it replaces. */
    requireCas: z.boolean(),
    expiresAt: timestamp.nullable(),
    /** When a deleted secret is gone for good. */
    purgeAt: timestamp.nullable(),
    valueChangedAt: timestamp,
    lastReadAt: timestamp.nullable(),
    lastReadBy: z.string().nullable(),
    lastUsedAt: timestamp.nullable(),
    usedByCount: z.number().int(),
    /** When the server makes the next value by itself; null without a schedule. */
    nextRotationAt: timestamp.nullable(),
    /** What the caller may do with it; null: see that it is there. */
    access: z.enum(secretAccesses).nullable(),
    createdBy: actor,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Secret' })
export type Secret = z.infer<typeof secret>

export const secretDetail = secret
  .extend({
    facts: secretFacts,
    rotation: secretRotation.nullable(),
    rotatedAt: timestamp.nullable(),
    /** Of the scheduled rotation that is due and did not succeed yet; null where none failed. */
    rotationFailure: z
      .object({
        cause: z.string(),
        at: timestamp,
        attempts: z.number().int(),
        /** When the server tries again. */
        retryAt: timestamp,
      })
      .nullable(),
    /** Names of others whose current value is the same; compared by keyed hash. */
    duplicates: z.array(z.object({ id: uuid, name: z.string() })).max(20),
    rowVersion: z.number().int(),
  })
  .meta({ id: 'SecretDetail' })
export type SecretDetail = z.infer<typeof secretDetail>

export const secretVersion = z
  .object({
    version: z.number().int(),
    status: z.enum(secretVersionStatuses),
    reason: z.string(),
    restoredFrom: z.number().int().nullable(),
    createdBy: actor,
    createdAt: timestamp,
    /** Until when it may be used beside the current one; it is deleted then. Null: without an end. */
    liveUntil: timestamp.nullable(),
    /** Whether its value is that of another version; null once it is destroyed. */
    equals: z.number().int().nullable(),
  })
  .meta({ id: 'SecretVersion' })
export type SecretVersion = z.infer<typeof secretVersion>

export const secretGrant = z
  .object({
    subjectType: z.enum(secretSubjectTypes),
    /** A role, or the id of a user or key. */
    subjectId: z.string(),
    subjectName: z.string(),
    access: z.enum(secretAccesses),
  })
  .meta({ id: 'SecretGrant' })
export type SecretGrant = z.infer<typeof secretGrant>

/** Something that uses a secret, and what a new value means for it. */
export const secretUse = z
  .object({
    type: z.enum([
      'workflow',
      'run',
      'cluster',
      'workload',
      'database',
      'webhook',
      'data_source',
      'api_key',
      'user',
    ]),
    /** Of a workload: `cluster/resource/namespace/name`. */
    id: z.string(),
    name: z.string(),
    detail: z.string(),
    lastUsedAt: timestamp.nullable(),
    lastVersion: z.number().int().nullable(),
    /** Of a workload: how many pods it keeps running; null for what has none. */
    pods: z.number().int().nullable(),
    /** Its copy in a cluster is not written now: it would keep the old value. */
    isStuck: z.boolean(),
    /** What a rotation means for it: it follows by itself, needs a restart, or breaks. */
    onRotation: z.enum(['follows', 'restarts', 'breaks']),
  })
  .meta({ id: 'SecretUse' })
export type SecretUse = z.infer<typeof secretUse>

/** Somebody who could read the value, why, and whether they did. */
export const secretReader = z
  .object({
    subjectType: z.enum(secretSubjectTypes),
    subjectId: z.string(),
    name: z.string(),
    access: z.enum(secretAccesses),
    /** `Owner of the organization`, `Granted to role MEMBER`, `Granted by Ada`. */
    because: z.string(),
    readCount: z.number().int(),
    lastReadAt: timestamp.nullable(),
  })
  .meta({ id: 'SecretReader' })
export type SecretReader = z.infer<typeof secretReader>

export const secretActivity = z
  .object({
    id: uuid,
    at: timestamp,
    action: z.string(),
    outcome: z.enum(['success', 'failure', 'denied']),
    actor: z.string(),
    via: z.string(),
    ip: z.string().nullable(),
    requestId: z.string().nullable(),
    runId: uuid.nullable(),
    diff: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'SecretActivity' })
export type SecretActivity = z.infer<typeof secretActivity>
