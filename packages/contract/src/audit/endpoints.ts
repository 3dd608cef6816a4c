import { z } from 'zod'
import { auditBounds, auditClasses, auditOutcomes, auditVias } from './rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { givenTime, searchText, timestamp, uuid } from '../base/schema.ts'

const name = z.string().trim().max(300).optional()

/** By what entries are found; all together. */
const filters = {
  /** Part of the name of an actor, of an action, of what was acted on, of an address; or a whole request id. */
  search: searchText,
  /** Id of a user or key. */
  actor: name,
  /** Of an actor without an id. */
  actorName: name,
  action: name,
  class: z.enum(auditClasses).optional(),
  targetType: name,
  targetId: name,
  /** A Kubernetes object of the cluster `targetId`: `resource/namespace/name`, without a namespace `resource//name`. */
  object: name,
  outcome: z.enum(auditOutcomes).optional(),
  ip: name,
  requestId: name,
  from: givenTime.optional(),
  to: givenTime.optional(),
}

const auditEntry = z
  .object({
    id: uuid,
    /** Its place in the chain, from 1; null during the second before it is linked. */
    number: z.number().int().nullable(),
    at: timestamp,
    /** `email` of a person; null in entries from before it was recorded, whose name may be the address. */
    actor: z.object({
      type: z.string(),
      id: z.string().nullable(),
      name: z.string(),
      email: z.string().nullable(),
    }),
    /** Who acted under the identity of the actor. */
    impersonatedBy: z.object({ name: z.string(), email: z.string().nullable() }).nullable(),
    via: z.enum(auditVias),
    /** `noun.verb`, e.g. `secret.reveal`. */
    action: z.string(),
    class: z.enum(auditClasses),
    target: z.object({ type: z.string(), id: z.string().nullable(), name: z.string().nullable() }).nullable(),
    /** The Kubernetes object in the target cluster: `resource/namespace/name`. */
    object: z.string().nullable(),
    outcome: z.enum(auditOutcomes),
    /** Why it was refused or failed, where the entry says so. */
    reason: z.string().nullable(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    requestId: z.string().nullable(),
    runId: uuid.nullable(),
  })
  .meta({ id: 'AuditEntry' })
export type AuditEntry = z.infer<typeof auditEntry>

const auditEntryDetail = auditEntry
  .extend({
    /** What changed. Never a secret's value. */
    diff: z.record(z.string(), z.unknown()),
    /** What allowed it, where that is recorded. */
    role: z.string().nullable(),
    permission: z.string().nullable(),
    sessionId: z.string().nullable(),
    /** Its place in the chain in hex; null during the second before it is linked. */
    link: z.object({ hash: z.string(), previousHash: z.string(), isIntact: z.boolean() }).nullable(),
    /** The entry written before the act, or the one that says how it ended. */
    counterpart: z
      .object({ id: uuid, number: z.number().int().nullable(), outcome: z.enum(auditOutcomes) })
      .nullable(),
  })
  .meta({ id: 'AuditEntryDetail' })
export type AuditEntryDetail = z.infer<typeof auditEntryDetail>

/** The last verification, or the one under way. */
const verification = z
  .object({
    state: z.enum(['never', 'running', 'stopped', 'intact', 'broken']),
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
    durationMs: z.number().int(),
    /** Entries looked at so far, and how many there were. */
    checked: z.number().int(),
    total: z.number().int(),
    /** Where the chain breaks; `entryId` where that entry is there. */
    fault: z.object({ position: z.number().int(), problem: z.string(), entryId: uuid.nullable() }).nullable(),
    /** The newest signed checkpoint that the chain agrees with. */
    checkpoint: z.object({ at: timestamp, keyId: z.string() }).nullable(),
  })
  .meta({ id: 'AuditVerification' })
export type AuditVerification = z.infer<typeof verification>

const choice = z.object({ value: z.string(), label: z.string() })

export const auditEndpoints = {
  'audit.list': endpoint({
    method: 'GET',
    path: '/api/audit',
    summary: 'The audit log, newest first. An act announced before it was done is listed once, with its end',
    access: 'audit.read',
    query: z.object({
      ...filters,
      /** The `nextCursor` of the page before. */
      cursor: z.string().max(64).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    response: z.object({
      entries: z.array(auditEntry).max(200),
      nextCursor: z.string().nullable(),
      /** Of the first page only, exact to 10,000. */
      total: z.number().int().nullable(),
      totalIsExact: z.boolean().optional(),
    }),
  }),
  'audit.choices': endpoint({
    method: 'GET',
    path: '/api/audit/choices',
    summary: 'Actors and actions that the audit log contains, for filters',
    access: 'audit.read',
    response: z.object({
      /** `value` is an id, or for an actor without one `name:` and the name. */
      actors: z.array(choice).max(auditBounds.maxChoices),
      actions: z.array(choice).max(auditBounds.maxChoices),
    }),
  }),
  'audit.verification': endpoint({
    method: 'GET',
    path: '/api/audit/verification',
    summary: 'How the last verification of the audit log ended, or how far the one under way is',
    access: 'audit.read',
    response: verification,
  }),
  'audit.verify': endpoint({
    method: 'POST',
    path: '/api/audit/verify',
    summary: 'Recompute the chain of the audit log and compare it with its signed checkpoints',
    access: 'audit.read',
    replyOf: 'audit.verification',
    outdates: [],
    response: verification,
    status: 202,
    operation: { read: 'audit.verification', whileField: { name: 'state', values: ['running'] } },
  }),
  'audit.checkpoints': endpoint({
    method: 'GET',
    path: '/api/audit/checkpoints',
    summary: 'Signed checkpoints, newest first, with the public keys (Ed25519) that check them',
    access: 'audit.read',
    query: z.object({
      /** Those before this position. */
      before: z.coerce.number().int().min(1).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(200),
    }),
    response: z.object({
      checkpoints: z
        .array(
          z.object({
            kind: z.enum(['hourly', 'removed']),
            position: z.number().int(),
            at: timestamp,
            hash: z.string(),
            keyId: z.string(),
            /** Base64, of `signedText`. */
            signature: z.string(),
            signedText: z.string(),
          }),
        )
        .max(200),
      nextCursor: z.number().int().nullable(),
      publicKeys: z.array(z.object({ id: z.string(), pem: z.string() })).max(100),
    }),
  }),
  'audit.export': endpoint({
    method: 'POST',
    path: '/api/audit/export',
    summary:
      'Entries as a file, oldest last; takes no body and the filters of the list. Writes an entry itself. `proof`: JSON lines with the chain and its signed checkpoints, oldest first, which /verify-audit.mjs verifies without this server',
    access: 'audit.read',
    withoutIdempotencyKey: 'It only reads.',
    stepUp: 'people',
    query: z.object({ ...filters, format: z.enum(['csv', 'jsonl', 'proof']).default('jsonl') }),
    response: { mediaType: 'application/x-ndjson', alternatives: ['text/csv'] },
    errors: ['limit_reached'],
  }),
  'audit.get': endpoint({
    method: 'GET',
    path: '/api/audit/{id}',
    summary: 'One entry with what changed, what allowed it, and its link in the chain',
    access: 'audit.read',
    params: z.object({ id: uuid }),
    response: auditEntryDetail,
    errors: ['not_found'],
  }),
} as const
