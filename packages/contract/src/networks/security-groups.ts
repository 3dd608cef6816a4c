import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { plannedPolicy } from './endpoints.ts'
import { isValidNetworkName, networkLimits, networkNameRule } from './rules.ts'
import { actor, numericId, timestamp, uuid } from '../base/schema.ts'
import { ruleDirections, ruleProtocols, securityGroupLimits as limits } from './security-group-rules.ts'

const namespace = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'Enter the name of a namespace.')
const serviceName = z.string().regex(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/, 'Enter the name of a service.')
const labels = z
  .record(
    z
      .string()
      .regex(/^([a-z0-9.-]{1,253}\/)?[A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?$/, 'This is no key of a label.'),
    z.string().regex(/^([A-Za-z0-9]([\w.-]{0,61}[A-Za-z0-9])?)?$/, 'This is no value of a label.'),
  )
  .refine((given) => Object.keys(given).length <= limits.labels, `Use at most ${limits.labels} labels.`)

const peer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('anywhere') }),
  z.strictObject({ kind: z.literal('range'), cidr: z.string().trim().max(60) }),
  z.strictObject({ kind: z.literal('subnet'), name: z.string().max(60) }),
  z.strictObject({ kind: z.literal('set'), name: z.string().max(60) }),
  z.strictObject({ kind: z.literal('group'), groupId: uuid }),
  z.strictObject({ kind: z.literal('namespace'), namespace }),
  z.strictObject({ kind: z.literal('workload'), namespace, labels }),
  z.strictObject({ kind: z.literal('service'), namespace, name: serviceName }),
  z.strictObject({ kind: z.literal('database'), databaseId: uuid }),
])

const rule = z.strictObject({
  direction: z.enum(ruleDirections),
  action: z.enum(['allow', 'deny']).default('allow'),
  protocol: z.enum(ruleProtocols).default('any'),
  ports: z.array(z.string().trim().max(20)).max(limits.ports).default([]),
  peer,
  note: z.string().trim().max(limits.note).default(''),
})

const target = z.strictObject({ clusterId: numericId, namespace, labels: labels.default({}) })

const draft = {
  /** Whether what comes in is closed but for the rules, and what goes out. */
  filtersIn: z.boolean().default(true),
  filtersOut: z.boolean().default(false),
  rules: z.array(rule).max(limits.rules).default([]),
  targets: z.array(target).max(limits.targets).default([]),
}
const name = z.string().refine(isValidNetworkName, networkNameRule)
const description = z.string().trim().max(networkLimits.description)

export const securityGroup = z
  .object({
    id: uuid,
    networkId: uuid,
    name: z.string(),
    description: z.string(),
    filtersIn: z.boolean(),
    filtersOut: z.boolean(),
    rules: z.array(rule).max(limits.rules),
    targets: z.array(target).max(limits.targets),
    /** Sent back with a change, so that nobody's change is overwritten unseen. */
    version: z.number().int(),
    createdBy: actor,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'SecurityGroup' })
export type SecurityGroup = z.infer<typeof securityGroup>

const path = '/api/networks/{id}/groups'
const params = z.object({ id: uuid })
const groupParams = z.object({ id: uuid, groupId: uuid })
const problem = z.object({ path: z.string(), message: z.string() })

export const securityGroupEndpoints = {
  'securityGroups.list': endpoint({
    method: 'GET',
    path,
    summary: 'Security groups of a network, by name',
    access: 'networks.read',
    params,
    response: z.object({ groups: z.array(securityGroup).max(limits.perNetwork) }),
    errors: ['not_found'],
  }),
  'securityGroups.get': endpoint({
    method: 'GET',
    isVersioned: true,
    path: `${path}/{groupId}`,
    summary: 'One security group',
    access: 'networks.read',
    params: groupParams,
    response: securityGroup,
    errors: ['not_found'],
  }),
  'securityGroups.plan': endpoint({
    method: 'POST',
    path: `${path}/plan`,
    summary: 'What a new group, or a change of one, would do in the clusters; nothing is stored',
    access: 'networks.read',
    params,
    body: z.strictObject({ ...draft, name: name.optional(), groupId: uuid.optional() }),
    response: z.object({
      problems: z.array(problem).max(2_000),
      policies: z.array(plannedPolicy).max(networkLimits.policies),
      unread: z.array(z.object({ clusterId: numericId, title: z.string(), reason: z.string() })).max(200),
    }),
    errors: ['not_found'],
    withoutIdempotencyKey: 'It stores nothing.',
  }),
  'securityGroups.create': endpoint({
    method: 'POST',
    path,
    summary: 'Create a security group; a run puts its policies into the clusters',
    access: 'networks.update',
    params,
    body: z.strictObject({ ...draft, name, description: description.default('') }),
    response: securityGroup,
    status: 201,
    errors: ['not_found', 'name_taken', 'limit_reached', 'conflict'],
    outdates: ['/api/networks'],
  }),
  'securityGroups.update': endpoint({
    method: 'PATCH',
    isVersioned: true,
    path: `${path}/{groupId}`,
    summary: 'Change a security group; a run follows where rules or targets change',
    access: 'networks.update',
    params: groupParams,
    body: z
      .strictObject({
        description: description.optional(),
        filtersIn: z.boolean().optional(),
        filtersOut: z.boolean().optional(),
        rules: z.array(rule).max(limits.rules).optional(),
        targets: z.array(target).max(limits.targets).optional(),
        /** The version that was read; without it the change is made whatever others changed meanwhile. */
        version: z.number().int().optional(),
      })
      .refine((body) => Object.keys(body).some((key) => key !== 'version'), 'Send what is to change.'),
    response: securityGroup,
    replyOf: 'securityGroups.get',
    errors: ['not_found', 'conflict'],
    outdates: ['/api/networks'],
  }),
  'securityGroups.delete': endpoint({
    method: 'DELETE',
    path: `${path}/{groupId}`,
    summary: 'Delete a security group that no rule names; a run removes its policies',
    access: 'networks.update',
    params: groupParams,
    response: z.null(),
    status: 204,
    errors: ['not_found', 'conflict'],
    outdates: ['/api/networks'],
  }),
} as const
