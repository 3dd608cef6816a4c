import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { networkRun, plannedPolicy } from './endpoints.ts'
import { networkLimits } from './rules.ts'
import { numericId, uuid } from '../base/schema.ts'
import { securityGroup } from './security-groups.ts'

const params = z.object({ id: uuid, policyId: uuid })
const path = '/api/networks/{id}/policies/{policyId}/take-over'

/** What a group says: which directions it closes, its rules and where it is put. */
const draft = securityGroup.pick({ filtersIn: true, filtersOut: true, rules: true, targets: true })

/** A policy as it was found in its cluster, by its contents. */
const found = z.string().regex(/^(missing|[0-9a-f]{64})$/, 'Send what the plan answered as `found`.')

export const networkDriftEndpoints = {
  'networks.takeOver.plan': endpoint({
    method: 'GET',
    path,
    summary: 'What taking over a policy as its cluster has it would change; nothing is changed',
    access: 'networks.read',
    params,
    response: z
      .object({
        /** Why it cannot be taken over, with the member that rules cannot express; null where it can. */
        refusal: z.object({ member: z.string().nullable(), reason: z.string() }).nullable(),
        /** Sent back with the act, which is refused where the cluster has something else by then. */
        found,
        /** The group whose target it is, as it is and as it would be; null where it belongs to none. */
        group: z
          .object({
            id: uuid,
            name: z.string(),
            version: z.number().int(),
            before: draft,
            after: draft.nullable(),
          })
          .nullable(),
        /** What a run would write, beside the policy itself: the group's other targets, and groups that name it. */
        policies: z.array(plannedPolicy).max(networkLimits.policies),
        unread: z.array(z.object({ clusterId: numericId, title: z.string(), reason: z.string() })).max(200),
      })
      .meta({ id: 'TakeOverPlan' }),
    errors: ['not_found', 'conflict', 'cluster_unreachable'],
  }),
  'networks.takeOver.start': endpoint({
    method: 'POST',
    path,
    summary: 'Take over a policy as its cluster has it: its security group becomes so, and a run applies it',
    access: 'networks.update',
    params,
    body: z.strictObject({ found, version: z.number().int() }),
    response: networkRun,
    status: 202,
    errors: ['not_found', 'conflict', 'cluster_unreachable', 'invalid_request'],
    outdates: ['/api/networks'],
    operation: { read: 'workflows.run' },
  }),
} as const
