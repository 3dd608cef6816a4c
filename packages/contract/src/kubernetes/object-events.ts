import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { eventRow, freshness, isPartial } from './endpoints.ts'
import { objectParams, objectReadErrors } from './objects.ts'
import { timestamp } from '../base/schema.ts'

/** Events of one type and reason about an object and what belongs to it. */
export const eventGroup = z
  .object({
    type: z.string(),
    reason: z.string(),
    /** How often it was reported. */
    count: z.number().int(),
    /** How many objects it is about. */
    objects: z.number().int(),
    firstSeenAt: timestamp.nullable(),
    lastSeenAt: timestamp.nullable(),
    /**
     * Reports in equal spans of the last hour, the present one last. Kubernetes keeps the first and the last time of what
     * is repeated: what lies between is spread evenly.
     */
    spans: z.array(z.number()).length(30),
    /** The latest 20. */
    events: z.array(eventRow).max(20),
  })
  .meta({ id: 'EventGroup' })
export type EventGroup = z.infer<typeof eventGroup>

export const kubernetesObjectEventEndpoints = {
  'kubernetes.objectEvents': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/objects/{resource}/{namespace}/{name}/events',
    summary: 'Events about an object and everything that belongs to it, grouped by reason',
    access: 'kubernetes.read',
    params: objectParams,
    response: z.object({
      /** Warnings first, then the latest; at most 100. */
      groups: z.array(eventGroup).max(100),
      groupsTotal: z.number().int(),
      isPartial,
      ...freshness,
    }),
    errors: objectReadErrors,
  }),
} as const
