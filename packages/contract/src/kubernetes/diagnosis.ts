import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { objectParams, objectReadErrors, objectRef } from './objects.ts'
import { timestamp } from '../base/schema.ts'

/** What a piece of evidence was read from. */
export const evidenceKinds = [
  'status',
  'exit',
  'log',
  'event',
  'probe',
  'reference',
  'node',
  'quota',
  'change',
  'volume',
] as const

export const evidence = z
  .object({
    kind: z.enum(evidenceKinds),
    /** A sentence without its full stop: "The container web ended with exit code 1". */
    text: z.string(),
    /** Verbatim from the cluster, such as the last lines of a log. */
    quote: z.string().nullable(),
    /** The object that it was read from, where it has a page. */
    object: objectRef.nullable(),
    at: timestamp.nullable(),
  })
  .meta({ id: 'Evidence' })
export type Evidence = z.infer<typeof evidence>

/** A way out. `action` names an action of the console on `object`; without one the command says what to do. */
export const remedy = z
  .object({
    text: z.string(),
    action: z
      .object({
        id: z.enum([
          'rollback',
          'restart',
          'scale',
          'set-image',
          'uncordon',
          'expand',
          'edit-yaml',
          'open',
          'logs',
          'create',
        ]),
        object: objectRef,
      })
      .nullable(),
    /** The same with kubectl. */
    command: z.string().nullable(),
  })
  .meta({ id: 'Remedy' })
export type Remedy = z.infer<typeof remedy>

export const diagnosis = z
  .object({
    /** What is wrong, as the health of the object says it. */
    symptom: z.string(),
    since: timestamp.nullable(),
    /** From the symptom to what caused it. */
    evidence: z.array(evidence).max(20),
    /** The rule that explains it, and in one sentence how; null where none does: then the evidence stands alone. */
    cause: z.object({ rule: z.string(), text: z.string() }).nullable(),
    /** The best first. */
    remedies: z.array(remedy).max(5),
    /** What was looked at and is not the cause. */
    ruledOut: z.array(z.string()).max(10),
  })
  .meta({ id: 'Diagnosis' })
export type Diagnosis = z.infer<typeof diagnosis>

export const kubernetesDiagnosisEndpoints = {
  'kubernetes.diagnosis': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/diagnosis/{resource}/{namespace}/{name}',
    summary: 'Why an object of a cluster is failing, the evidence for it, and what to do',
    access: 'kubernetes.read',
    params: objectParams,
    response: z.object({
      /** Null while nothing is wrong with the object. */
      diagnosis: diagnosis.nullable(),
      asOf: timestamp,
    }),
    errors: objectReadErrors,
  }),
} as const
