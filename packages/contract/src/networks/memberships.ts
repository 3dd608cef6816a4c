import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { networkLimits } from './rules.ts'
import { numericIdText, uuid } from '../base/schema.ts'
import { securityGroupLimits } from './security-group-rules.ts'

/** A network that something takes part in, and the security groups of it that are put on the same. */
const networkMembership = z
  .object({
    networkId: uuid,
    name: z.string(),
    cidr: z.string(),
    /** Namespaces of the cluster that take part; null where the cluster takes part with all, and for a database. */
    namespaces: z.array(z.string()).max(networkLimits.attachments).nullable(),
    groups: z
      .array(z.object({ id: uuid, name: z.string(), targets: z.number().int().min(1) }))
      .max(securityGroupLimits.perNetwork),
  })
  .meta({ id: 'NetworkMembership' })
export type NetworkMembership = z.infer<typeof networkMembership>

export const networkMembershipEndpoints = {
  'networks.memberships': endpoint({
    method: 'GET',
    path: '/api/networks/memberships',
    summary: 'Networks that a cluster, one of its namespaces, or a database takes part in',
    access: 'networks.read',
    query: z
      .object({
        clusterId: numericIdText.optional(),
        /** Of that cluster. */
        namespace: z.string().min(1).max(63).optional(),
        databaseId: uuid.optional(),
      })
      .refine(
        ({ clusterId, databaseId }) => (clusterId === undefined) !== (databaseId === undefined),
        'Name a cluster or a database.',
      ),
    response: z.object({
      memberships: z.array(networkMembership).max(networkLimits.perOrganization),
    }),
  }),
} as const
