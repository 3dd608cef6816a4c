import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { decimal } from './prices.ts'
import { actor, timestamp, uuid } from '../base/schema.ts'

export const savingKinds = ['idle_database', 'over_requested', 'spare_node'] as const

const saving = z
  .object({
    /** The same for the same saving as long as it is there. */
    id: z.string(),
    kind: z.enum(savingKinds),
    /** `recommend requests 16 cores and uses 3.6` */
    title: z.string(),
    detail: z.string(),
    clusterId: z.number().int().nullable(),
    resourceName: z.string(),
    /** A month, at the prices that hold now. */
    amount: decimal,
    /** Whether the amount is on the bill as soon as it is done; else it frees room that a later act turns into money. */
    isDirect: z.boolean(),
    evidence: z.array(z.object({ name: z.string(), value: z.string() })).max(12),
    /** How long it was measured. */
    measured: z.object({ from: timestamp, to: timestamp, days: z.number() }),
    /** The change that realises it. */
    change: z.object({
      text: z.string(),
      /** A patch of a Kubernetes object as YAML; null where the change is made elsewhere. */
      yaml: z.string().nullable(),
      /** Page of the console where it is made. */
      path: z.string().nullable(),
      /** Why Bey does not make the change itself; null where `savings.apply` does. */
      refusal: z.string().nullable(),
    }),
  })
  .meta({ id: 'Saving' })
export type Saving = z.infer<typeof saving>

export const appliedSavingStates = ['applying', 'applied', 'failed', 'undoing', 'undone'] as const

const appliedSaving = z
  .object({
    id: uuid,
    kind: z.enum(savingKinds),
    title: z.string(),
    /** What was changed: `prod-us-workers-1 was removed from the group workers of prod-us.` */
    text: z.string(),
    state: z.enum(appliedSavingStates),
    /** What comes of it, or why it failed. */
    stateText: z.string(),
    amount: decimal,
    currency: z.string(),
    isDirect: z.boolean(),
    clusterId: z.number().int(),
    run: z.object({ workflowId: uuid, runId: uuid }).nullable(),
    appliedAt: timestamp,
    appliedBy: actor,
    canUndo: z.boolean(),
  })
  .meta({ id: 'AppliedSaving' })
export type AppliedSaving = z.infer<typeof appliedSaving>

const path = '/api/billing/savings'

export const savingEndpoints = {
  'savings.list': endpoint({
    method: 'GET',
    path,
    summary: 'What could be saved a month, with the evidence and the change that does it',
    access: 'billing.read',
    response: z.object({
      asOf: timestamp,
      currency: z.string(),
      scope: z.enum(['all', 'own']),
      scopeText: z.string().nullable(),
      /** Of the direct ones; nothing is counted twice. */
      total: decimal,
      savings: z.array(saving).max(100),
      /** What could not be judged and why, a sentence each. */
      notJudged: z.array(z.string()).max(50),
      /** Those that were applied in the last 60 days, the newest first. */
      applied: z.array(appliedSaving).max(50),
    }),
  }),
  'savings.apply': endpoint({
    method: 'POST',
    path: `${path}/apply`,
    summary: 'Make the change of a saving in the name of the caller, or only try it',
    access: 'clusters.provision',
    keys: 'none',
    body: z.strictObject({
      /** Of `savings.list`. */
      id: z.string().min(1).max(500),
      /** Nothing is changed: the reply says what would be. */
      isDryRun: z.boolean().default(false),
    }),
    response: z.object({
      isDryRun: z.boolean(),
      text: z.string(),
      /** Fields that change. */
      changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })).max(100),
      /** The forecast of the month without and with the change; null where there is none, or it does not move. */
      forecast: z.object({ before: decimal, after: decimal, currency: z.string() }).nullable(),
      run: z.object({ workflowId: uuid, runId: uuid }).nullable(),
    }),
    outdates: ['/api/billing'],
    errors: ['not_found', 'conflict', 'cluster_unreachable', 'cluster_forbidden', 'forbidden'],
  }),
  'savings.undo': endpoint({
    method: 'POST',
    path: `${path}/applied/{id}/undo`,
    summary: 'Take the change of an applied saving back',
    access: 'clusters.provision',
    keys: 'none',
    params: z.object({ id: uuid }),
    response: z.object({
      text: z.string(),
      run: z.object({ workflowId: uuid, runId: uuid }).nullable(),
    }),
    outdates: ['/api/billing'],
    errors: ['not_found', 'conflict', 'cluster_unreachable', 'cluster_forbidden', 'forbidden'],
  }),
} as const
