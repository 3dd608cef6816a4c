import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { timestamp } from '../base/schema.ts'

const filling = z.object({
  key: z.string(),
  clusterId: z.number().int(),
  name: z.string(),
  href: z.string(),
  resource: z.enum(['CPU', 'memory']),
  /** Of what can be allocated, how much is requested now (0–1). */
  share: z.number().min(0),
  /** Null where no date can be said. */
  fullAt: timestamp.nullable(),
  /** "full in 7 months at this rate". */
  text: z.string(),
})

const ending = z.object({
  key: z.string(),
  kind: z.enum(['secret', 'certificate', 'api_key']),
  name: z.string(),
  /** When it ends or ended; null where `text` alone says it. */
  at: timestamp.nullable(),
  hasEnded: z.boolean(),
  text: z.string(),
  href: z.string(),
})
export type EndingThing = z.infer<typeof ending>

/** What fills up and what ends next. */
export const outlook = z
  .object({
    /** The soonest first, then the fullest; clusters whose requests are measured. */
    filling: z.array(filling).max(24),
    /** The soonest first, of the next 30 days. */
    ending: z.array(ending).max(50),
    endingTotal: z.number().int().min(0),
  })
  .meta({ id: 'Outlook' })
export type Outlook = z.infer<typeof outlook>

export const outlookEndpoints = {
  'analytics.outlook': endpoint({
    method: 'GET',
    path: '/api/analytics/outlook',
    summary: 'Which clusters fill up, and which secrets, certificates and API keys end next',
    access: 'analytics.read',
    response: outlook,
  }),
} as const
