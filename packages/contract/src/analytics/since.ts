import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { healthState } from '../base/health-schema.ts'
import { timestamp } from '../base/schema.ts'

const count = z.number().int().min(0)
const total = z.object({ total: count, totalIsExact: z.literal(false).optional() })

const incident = z.object({
  /** What had trouble: `prod-eu-1`. */
  name: z.string(),
  from: timestamp,
  /** Null while it goes on. */
  to: timestamp.nullable(),
})

const item = z.object({
  key: z.string(),
  at: timestamp,
  kind: z.enum(['incident', 'run', 'change']),
  /** How the thing is doing, of an incident. */
  state: healthState.nullable(),
  /** Who did it, or what it happened to, such as a workload; begins the line. */
  name: z.string(),
  /** What happened to it: "began to fail", "failed 3 times". */
  text: z.string(),
  /** Who did it, with their address; null where nobody did, or where the reader may not know. */
  by: z.string().nullable(),
  /** The cluster that it lies in; null for none. */
  where: z.string().nullable(),
  href: z.string(),
})

/** What happened in the organization while the reader was away. */
export const sinceYouLeft = z
  .object({
    /** When the reader was last here before this visit, or 14 days ago if that was longer ago. */
    from: timestamp,
    to: timestamp,
    /** Whether the reader was away for longer than the 14 days that are told. */
    isCut: z.boolean(),
    changes: total,
    runs: total.extend({ failed: count }),
    incidents: z.array(incident).max(200),
    /** When something changed or ran, oldest first; the 400 newest. */
    marks: z.array(z.object({ at: timestamp, kind: z.enum(['change', 'run', 'failure']) })).max(400),
    /** What matters most of it, newest first. */
    items: z.array(item).max(8),
    /** What could not be told, a sentence each. */
    gaps: z.array(z.string()).max(20),
  })
  .meta({ id: 'SinceYouLeft' })
export type SinceYouLeft = z.infer<typeof sinceYouLeft>
export type SinceItem = z.infer<typeof item>

export const sinceEndpoints = {
  'analytics.since': endpoint({
    method: 'GET',
    path: '/api/analytics/since',
    summary: 'What happened in the organization since the caller was last here',
    access: 'analytics.read',
    /** Null during the first visit. */
    response: z.object({ since: sinceYouLeft.nullable() }),
  }),
  'analytics.visit': endpoint({
    method: 'POST',
    path: '/api/analytics/visit',
    summary: 'Say that the caller is here now; a visit ends after 30 minutes without it',
    access: 'analytics.read',
    // A visit is that of a person.
    keys: 'none',
    withoutIdempotencyKey: 'Who is here twice is here.',
    response: z.object({ leftAt: timestamp.nullable() }),
  }),
} as const
