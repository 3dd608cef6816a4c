import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { decimal } from './prices.ts'
import { timestamp } from './schema.ts'

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
    }),
  })
  .meta({ id: 'Saving' })
export type Saving = z.infer<typeof saving>

export const savingEndpoints = {
  'savings.list': endpoint({
    method: 'GET',
    path: '/api/billing/savings',
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
    }),
  }),
} as const
