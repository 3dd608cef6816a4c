import { z } from 'zod'
import { organization, session } from '../auth/endpoints.ts'
import { endpoint } from '../base/endpoint.ts'
import { numericId, timestamp } from '../base/schema.ts'

const demo = z
  .object({
    /** When it is removed by itself. */
    endsAt: timestamp,
    clusters: z.array(z.object({ id: numericId, title: z.string(), isReady: z.boolean() })).max(10),
    /** The cluster whose incident can be solved; null once it was deleted. */
    incidentClusterId: numericId.nullable(),
    /** When a member last changed the workload that caused the incident, according to the audit trail; null before. */
    causeChangedAt: timestamp.nullable(),
  })
  .meta({ id: 'Demo' })
export type Demo = z.infer<typeof demo>

export const demoEndpoints = {
  'demo.create': endpoint({
    method: 'POST',
    path: '/api/demo',
    summary: 'Make a demo: an organization with seeded data, three sandbox clusters and an incident',
    access: 'user',
    response: z.object({ organization }),
    status: 201,
    errors: ['limit_reached'],
  }),
  'demo.visit': endpoint({
    method: 'POST',
    path: '/api/demo/visit',
    summary:
      'Enter the demo of an instance started with BEY_DEMO=1, from its own machine; makes the demo and its owner',
    access: 'public',
    body: z.strictObject({ ticket: z.string().min(1).max(200) }),
    response: session,
    rateLimit: 'link',
    errors: ['ticket_expired', 'forbidden', 'limit_reached'],
  }),
  'demo.get': endpoint({
    method: 'GET',
    path: '/api/demo',
    summary: 'The current organization as a demo; asking wakes its clusters',
    access: 'organization.read',
    response: demo,
    errors: ['not_found'],
  }),
  'demo.remove': endpoint({
    method: 'DELETE',
    path: '/api/demo',
    summary: 'Remove the demo at once, with everything that was made for it or in it',
    access: 'organization.delete',
    keys: 'none',
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
} as const
