import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { objectParams, objectReadErrors, objectRef } from './objects.ts'
import { givenTime, idParams, numericIdText, timestamp, uuid } from '../base/schema.ts'

export const objectChanges = ['found', 'created', 'updated', 'deleted'] as const

/** A state of an object that was kept when it changed. */
export const objectVersion = z
  .object({
    id: uuid,
    at: timestamp,
    /** `found`: it was there when Bey first looked. */
    change: z.enum(objectChanges),
    /** The field manager that wrote last, as the object says: `kubectl-edit`, `bey`. */
    manager: z.string().nullable(),
    /** Who asked for it through Bey; null for what came another way, and for roles that may not read the audit trail. */
    by: z.string().nullable(),
    bytes: z.number().int(),
    /** Whether the object can be read: not when it was deleted, nor when it is larger than what is kept. */
    isKept: z.boolean(),
  })
  .meta({ id: 'ObjectVersion' })
export type ObjectVersion = z.infer<typeof objectVersion>

export const changeEntry = z
  .object({
    /** The same as long as it is the same thing. */
    key: z.string(),
    at: timestamp,
    kind: z.enum(['object', 'event', 'run', 'action']),
    /** What happened: "Deployment web updated". */
    title: z.string(),
    detail: z.string().nullable(),
    isTrouble: z.boolean(),
    /** How many equal warnings it stands for: of one reason, about one object or the pods of one workload. */
    count: z.number().int(),
    object: objectRef.nullable(),
    /** Of a changed object. */
    versionId: uuid.nullable(),
    run: z.object({ workflowId: uuid, runId: uuid }).nullable(),
    /** Who, as far as the caller may know. */
    by: z.string().nullable(),
  })
  .meta({ id: 'ChangeEntry' })
export type ChangeEntry = z.infer<typeof changeEntry>

const maxChanges = 500

export const kubernetesChangeEndpoints = {
  'kubernetes.history': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/history/{resource}/{namespace}/{name}',
    summary: 'Versions of one object that were kept when it changed, newest first',
    access: 'kubernetes.read',
    params: objectParams,
    response: z.object({
      versions: z.array(objectVersion).max(50),
      /** Since when changes of this resource are kept; null where they are not. */
      since: timestamp.nullable(),
    }),
    errors: objectReadErrors,
  }),
  'kubernetes.version': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/versions/{versionId}',
    summary: 'One kept version of an object, and the one before it',
    access: 'kubernetes.read',
    params: z.object({ id: numericIdText, versionId: uuid }),
    response: z.object({
      version: objectVersion,
      object: z.record(z.string(), z.unknown()).nullable(),
      before: z.record(z.string(), z.unknown()).nullable(),
      ref: objectRef,
    }),
    errors: objectReadErrors,
  }),
  'kubernetes.changes': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/changes',
    summary: 'What changed in a cluster within a time: objects, events, runs, and what was done through Bey',
    access: 'kubernetes.read',
    params: idParams,
    query: z.object({
      from: givenTime,
      to: givenTime,
      namespace: z.string().max(63).optional(),
      /** At most this many, the newest: no page of a list, behind which there would be more. */
      atMost: z.coerce.number().int().min(1).max(maxChanges).default(maxChanges),
      /** Equal warnings as one entry, at the time of the newest; without warnings with `none`. */
      warnings: z.enum(['each', 'folded', 'none']).default('each'),
    }),
    response: z.object({
      /** Newest first. */
      changes: z.array(changeEntry).max(maxChanges),
      isComplete: z.boolean(),
      /** Nothing is known of objects before; null while nothing was kept yet. */
      knownSince: timestamp.nullable(),
      asOf: timestamp,
    }),
    errors: objectReadErrors,
  }),
} as const
