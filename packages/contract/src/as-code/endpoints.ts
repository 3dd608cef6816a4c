import { z } from 'zod'
import { asCodeActions, asCodeLimits } from './rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { isResourceTag, resourceTagRule } from '../resources/rules.ts'

// Things of an organization as files describe them. Planning is the server's, so that the command line, the console and
// assistants see the same plan; each change goes through the endpoint of its own kind, with the rights of the caller.

const kind = z.string().min(1).max(60)
const name = z.string().min(1).max(300)
const spec = z.record(z.string(), z.unknown())
/** A tag of the inventory, by which a set of files finds its own again. */
const label = z.string().refine(isResourceTag, resourceTagRule)

const document = z.object({ kind, name, spec })
export type AsCodeDocument = z.infer<typeof document>

const difference = z.object({
  /** Of a field in the file: `spec.severity`. */
  path: z.string(),
  /** Null where there is none. */
  before: z.unknown(),
  after: z.unknown(),
})

const change = z
  .object({
    /** Position among the documents that were sent; null for what is pruned. */
    document: z.number().int().nullable(),
    kind,
    name,
    action: z.enum(asCodeActions),
    differences: z.array(difference).max(asCodeLimits.differences),
    /** Of the thing as it was read; an apply with another one is refused. */
    revision: z.string(),
    /** It is given when it is applied, because no file holds it: `value` of a new secret. */
    needs: z.string().nullable(),
  })
  .meta({ id: 'AsCodeChange' })
export type AsCodeChange = z.infer<typeof change>

const problem = z
  .object({
    document: z.number().int(),
    /** Of a field in the document: `spec.steps.0.type`. */
    path: z.string(),
    message: z.string(),
  })
  .meta({ id: 'AsCodeProblem' })
export type AsCodeProblem = z.infer<typeof problem>

const path = '/api/as-code'

export const asCodeEndpoints = {
  'asCode.plan': endpoint({
    method: 'POST',
    path: `${path}/plan`,
    summary:
      'Compare documents with what there is: what an apply would do, or everything that is wrong with them',
    access: 'resources.read',
    withoutIdempotencyKey: 'It only reads.',
    body: z.strictObject({
      documents: z
        .array(z.strictObject({ kind: z.unknown(), name: z.unknown(), spec: z.unknown() }).partial())
        .min(1, 'Send at least one document.')
        .max(asCodeLimits.documents),
      label: label.optional(),
      /** With a label: what has it and is in none of the documents is deleted. */
      prune: z.boolean().default(false),
    }),
    response: z.object({
      /** Empty where there are problems: nothing of a faulty set is applied. */
      changes: z.array(change).max(asCodeLimits.documents * 2),
      problems: z.array(problem).max(asCodeLimits.problems),
    }),
  }),
  'asCode.apply': endpoint({
    method: 'POST',
    path: `${path}/apply`,
    summary: 'Apply one change of a plan; refused where the thing changed since it was planned',
    access: 'resources.read',
    withoutIdempotencyKey: 'Its revision refuses it the second time.',
    body: z.strictObject({
      action: z.enum(['create', 'update', 'label', 'delete']),
      kind,
      name,
      spec,
      revision: z.string().max(100),
      /** What `needs` of the change names. */
      given: z.string().max(100_000).optional(),
      label: label.optional(),
    }),
    response: z.object({
      /** What is shown this once, such as the token of a new API key. */
      shownOnce: z.object({ name: z.string(), value: z.string() }).nullable(),
    }),
    outdates: ['/api'],
    errors: ['not_found', 'conflict', 'forbidden', 'name_taken', 'limit_reached', 'step_up_required'],
  }),
  'asCode.export': endpoint({
    method: 'GET',
    path: `${path}/export`,
    summary: 'What there is of a kind as documents, without values of secrets',
    access: 'resources.read',
    query: z.object({
      kind,
      /** One of them alone. */
      name: name.optional(),
      page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    }),
    response: z.object({
      documents: z.array(document).max(200),
      /** Whether a further page may have more. */
      hasMore: z.boolean(),
    }),
    errors: ['not_found', 'forbidden'],
  }),
  'asCode.kinds': endpoint({
    method: 'GET',
    path: `${path}/kinds`,
    summary: 'Kinds that documents describe, with the fields of each',
    access: 'resources.read',
    response: z.object({
      kinds: z
        .array(
          z.object({
            kind,
            /** JSON Schema of its spec. */
            schema: z.record(z.string(), z.unknown()),
            fields: z.array(z.string()).max(100),
            /** Fields that cannot be changed later. */
            fixed: z.array(z.string()).max(100),
            isCreated: z.boolean(),
            /** Whether a label can mark it, and `prune` delete it. */
            isLabelled: z.boolean(),
          }),
        )
        .max(100),
    }),
  }),
} as const
