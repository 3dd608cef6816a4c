import { z } from 'zod'
import { allowListLimits } from '../databases/allow-list.ts'
import { endpoint } from '../base/endpoint.ts'
import { healthStates } from '../base/health.ts'
import { health } from '../base/health-schema.ts'
import { isValidNetworkName, networkLimits, networkNameRule, networkProblems, policyKinds } from './rules.ts'
import { networkStatuses } from './statuses.ts'
import { actor, numericId, pageQuery, paged, searchText, timestamp, uuid } from '../base/schema.ts'

const count = z.number().int().min(0)
const cidr = z.string().trim().max(60)
const name = z.string().refine(isValidNetworkName, networkNameRule)
const description = z.string().trim().max(networkLimits.description)
const region = z.string().trim().max(networkLimits.region)
const params = z.object({ id: uuid })
const path = '/api/networks'

export const subnetSchema = z.strictObject({ name, cidr, description: description.default('') })

/** What takes part in a network: a cluster with all its namespaces, one namespace, or a database. */
const attachmentKinds = ['cluster', 'namespace', 'database'] as const
const givenAttachment = z.union([
  z.strictObject({ kind: z.literal('cluster'), clusterId: numericId }),
  z.strictObject({
    kind: z.literal('namespace'),
    clusterId: numericId,
    namespace: z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'Enter the name of a namespace.'),
  }),
  z.strictObject({ kind: z.literal('database'), databaseId: uuid }),
])
export type GivenAttachment = z.infer<typeof givenAttachment>

const attachment = z.object({
  kind: z.enum(attachmentKinds),
  clusterId: numericId.nullable(),
  namespace: z.string().nullable(),
  databaseId: uuid.nullable(),
  /** Of the cluster, the namespace or the database. */
  name: z.string(),
  /** Of the cluster that a namespace belongs to. */
  clusterTitle: z.string().nullable(),
})
export type NetworkAttachment = z.infer<typeof attachment>

/** What was counted when its clusters were last read. */
const networkFigures = z.object({
  at: timestamp,
  /** Addresses of its ranges that something has. */
  held: count,
  /** The same of each sixteenth of its IPv4 range, in the order of the addresses. */
  parts: z.array(count).length(16),
  /** Clusters that did not answer; what they hold is as it was last known. */
  silent: z.array(z.string()).max(networkLimits.attachments),
})
export type NetworkFigures = z.infer<typeof networkFigures>

export const networkSchema = z
  .object({
    id: uuid,
    name: z.string(),
    description: z.string(),
    region: z.string(),
    /** Its IPv4 range. */
    cidr: z.string(),
    /** Its IPv6 range; null where it has none. */
    cidr6: z.string().nullable(),
    /** Whether only what is attached to it reaches its namespaces. */
    isIsolated: z.boolean(),
    /** The kind of its policies in clusters. */
    policyKind: z.enum(policyKinds),
    subnets: z
      .array(z.object({ name: z.string(), cidr: z.string(), description: z.string() }))
      .max(networkLimits.subnets),
    /** Ranges under names, which rules of its security groups name. */
    sets: z
      .array(z.object({ name: z.string(), cidrs: z.array(z.string()).max(networkLimits.setRanges) }))
      .max(networkLimits.sets),
    attachments: z.array(attachment).max(networkLimits.attachments),
    /** Policies that are kept in its clusters for it. */
    policyCount: count,
    /** Policies that are not as they are defined. */
    driftCount: count,
    status: z.enum(networkStatuses),
    statusSince: timestamp,
    /** Why it is in this status, where that says more. */
    reason: z.string().nullable(),
    health,
    figures: networkFigures.nullable(),
    /** Sent back with a change, so that nobody's change is overwritten unseen. */
    version: z.number().int(),
    lastRun: z.object({ workflowId: uuid, runId: uuid }).nullable(),
    createdBy: actor,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Network' })
export type Network = z.infer<typeof networkSchema>

const claim = z.object({
  kind: z.enum(['network', 'pods', 'services']),
  cidr: z.string(),
  name: z.string(),
  networkId: uuid.nullable(),
  clusterId: numericId.nullable(),
})

const namedSet = z.strictObject({
  name: z.string().trim().max(60),
  cidrs: z.array(cidr).max(networkLimits.setRanges),
})

const draft = {
  cidr,
  cidr6: cidr.nullable().default(null),
  isIsolated: z.boolean().default(false),
  policyKind: z.enum(policyKinds).default('NetworkPolicy'),
  subnets: z.array(subnetSchema).max(networkLimits.subnets).default([]),
  sets: z.array(namedSet).max(networkLimits.sets).default([]),
  attachments: z.array(givenAttachment).max(networkLimits.attachments).default([]),
}

const problem = z.object({ path: z.string(), message: z.string() })

/** One thing that a run would do in a cluster. */
export const plannedPolicy = z.object({
  action: z.enum(['create', 'change', 'delete']),
  clusterId: numericId,
  clusterTitle: z.string(),
  kind: z.enum(policyKinds),
  namespace: z.string(),
  name: z.string(),
  /** YAML as it is in the cluster and as it would be; null where there is none. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** Its specification as it would be, for `networks.reachability.whatIf`; null where it would be deleted. */
  spec: z.record(z.string(), z.unknown()).nullable(),
})
export type PlannedPolicy = z.infer<typeof plannedPolicy>

const plannedAccess = z.object({
  databaseId: uuid,
  name: z.string(),
  /** Ranges that it admits beside its machine, now and then. */
  from: z.array(z.string()).max(allowListLimits.entries),
  to: z.array(z.string()).max(allowListLimits.entries),
  /** Its server listens on the machine alone: it admits the ranges from its next restart on. */
  listensLater: z.boolean(),
})

/** The run that an act started. */
export const networkRun = z.object({
  networkId: uuid,
  workflowId: uuid,
  runId: uuid,
  status: z.string(),
  message: z.string(),
})

/** An address that something has. */
const heldAddress = z.object({
  address: z.string(),
  kind: z.enum(['node', 'pod', 'service', 'load_balancer', 'database']),
  name: z.string(),
  namespace: z.string().nullable(),
  clusterId: numericId.nullable(),
  clusterTitle: z.string().nullable(),
  /** The page of the console about who has it. */
  href: z.string(),
})
export type HeldAddress = z.infer<typeof heldAddress>

/** A policy that is kept in a cluster, and how it was found there. */
const keptPolicy = z.object({
  id: uuid,
  clusterId: numericId,
  clusterTitle: z.string(),
  kind: z.enum(policyKinds),
  namespace: z.string(),
  name: z.string(),
  /** `changed`: by somebody else since it was written; `missing`: deleted by somebody else. */
  state: z.enum(['in_force', 'changed', 'missing', 'unknown']),
  stateSince: timestamp,
  /** When its cluster last told. */
  checkedAt: timestamp,
  /** The program that changed it, by its managed fields: `kubectl-edit`; null where that is not known. */
  changedBy: z.string().nullable(),
  /** Its specification in YAML as it was written, and as it was found where that differs. */
  written: z.string(),
  found: z.string().nullable(),
  /** As it was written, for `networks.reachability.whatIf`; null where the cluster has it so. */
  spec: z.record(z.string(), z.unknown()).nullable(),
})
export type KeptPolicy = z.infer<typeof keptPolicy>

/** A database of an isolated network whose `pg_hba.conf` was changed past Bey. */
const accessDrift = z.object({
  databaseId: uuid,
  name: z.string(),
  written: z.string(),
  /** As it is; null where it is gone. */
  found: z.string().nullable(),
})
export type AccessDrift = z.infer<typeof accessDrift>

/** How the networks of an organization are doing, whatever a list filters. */
const networksSummary = z.object({
  total: count,
  /** Those whose health is failing or degraded. */
  attention: count,
  /** Those that are being created, changed or deleted. */
  underWay: count,
  /** The one that needs somebody most: a failing one, of these the one that has waited longest. */
  first: z.object({ name: z.string(), reason: z.string().nullable() }).nullable(),
})
export type NetworksSummary = z.infer<typeof networksSummary>

/** `subnets.2.cidr` as the path of a field. */
const fieldPath = (path: string) => path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))

export const networkEndpoints = {
  'networks.list': endpoint({
    method: 'GET',
    path,
    summary: 'Networks of the organization',
    access: 'networks.read',
    query: pageQuery.extend({
      /** Part of the name, or an address: then the networks that have it. */
      search: searchText,
      health: z.enum(healthStates).optional(),
      sort: z.enum(['name', 'health', 'createdAt']).default('health'),
    }),
    response: paged('networks', networkSchema).extend({ summary: networksSummary }),
  }),
  'networks.space': endpoint({
    method: 'GET',
    path: `${path}/space`,
    summary: 'All ranges that networks and clusters of the organization claim',
    access: 'networks.read',
    response: z.object({
      claims: z.array(claim).max(networkLimits.claims),
      /** Clusters whose ranges are not known as of now, and why. */
      unread: z.array(z.object({ clusterId: numericId, title: z.string(), reason: z.string() })).max(200),
    }),
  }),
  'networks.plan': endpoint({
    method: 'POST',
    path: `${path}/plan`,
    summary: 'What a new network, or a change of one, would do; nothing is stored',
    access: 'networks.read',
    body: z.strictObject({
      ...draft,
      networkId: uuid.optional(),
      /** Of a new network, by which its policies are called. */
      name: name.optional(),
    }),
    response: z.object({
      problems: z.array(problem).max(1_000),
      policies: z.array(plannedPolicy).max(networkLimits.policies),
      /** Databases on the machine of Bey that would be reached from elsewhere than now. */
      databases: z.array(plannedAccess).max(networkLimits.attachments),
      /** Clusters that cannot be asked now, so that what is there is not known. */
      unread: z.array(z.object({ clusterId: numericId, title: z.string(), reason: z.string() })).max(200),
    }),
    withoutIdempotencyKey: 'It stores nothing.',
  }),
  'networks.get': endpoint({
    method: 'GET',
    isVersioned: true,
    path: `${path}/{id}`,
    summary: 'One network',
    access: 'networks.read',
    params,
    response: networkSchema,
    errors: ['not_found'],
  }),
  'networks.addresses': endpoint({
    method: 'GET',
    path: `${path}/{id}/addresses`,
    summary: 'Addresses of a network that something has, in their order',
    access: 'networks.read',
    params,
    query: z.object({
      /** One of each, `10.42.7.9`, or part of the name of who has it. */
      search: searchText,
    }),
    response: z.object({
      addresses: z.array(heldAddress).max(networkLimits.addresses),
      /** Of all, whatever is listed. */
      total: count,
      asOf: timestamp,
      unread: z.array(z.object({ clusterId: numericId, title: z.string(), reason: z.string() })).max(200),
    }),
    errors: ['not_found'],
  }),
  'networks.policies': endpoint({
    method: 'GET',
    path: `${path}/{id}/policies`,
    summary: 'Policies that are kept in clusters for a network, and how each was last found',
    access: 'networks.read',
    params,
    response: z.object({
      policies: z.array(keptPolicy).max(networkLimits.policies),
      databases: z.array(accessDrift).max(networkLimits.attachments),
    }),
    errors: ['not_found'],
  }),
  'networks.create': endpoint({
    method: 'POST',
    path,
    summary: 'Create a network; a run puts its policies into the clusters that are attached',
    access: 'networks.create',
    body: z
      .strictObject({
        name,
        description: description.default(''),
        region: region.default(''),
        ...draft,
      })
      // Ranges that are wrong whatever else there is; those that others claim are known to the server alone.
      .superRefine((body, context) => {
        for (const { path: field, message } of networkProblems({ ...body, clusterIds: [] }, []))
          context.addIssue({ code: 'custom', path: fieldPath(field), message })
      }),
    response: networkSchema,
    status: 201,
    errors: ['name_taken', 'limit_reached', 'conflict', 'not_found'],
    operation: { read: 'networks.get' },
  }),
  'networks.update': endpoint({
    method: 'PATCH',
    isVersioned: true,
    path: `${path}/{id}`,
    summary: 'Change a network; a run follows where ranges, attachments or isolation change',
    access: 'networks.update',
    params,
    body: z
      .strictObject({
        description: description.optional(),
        region: region.optional(),
        cidr: cidr.optional(),
        cidr6: cidr.nullable().optional(),
        isIsolated: z.boolean().optional(),
        policyKind: z.enum(policyKinds).optional(),
        subnets: z.array(subnetSchema).max(networkLimits.subnets).optional(),
        sets: z.array(namedSet).max(networkLimits.sets).optional(),
        attachments: z.array(givenAttachment).max(networkLimits.attachments).optional(),
        /** The version that was read; without it the change is made whatever others changed meanwhile. */
        version: z.number().int().optional(),
      })
      .refine((body) => Object.keys(body).some((key) => key !== 'version'), 'Send what is to change.'),
    response: networkSchema,
    replyOf: 'networks.get',
    errors: ['not_found', 'conflict'],
    operation: { read: 'networks.get' },
  }),
  'networks.apply': endpoint({
    method: 'POST',
    path: `${path}/{id}/apply`,
    summary: 'Put the policies of a network into its clusters again, as Bey defines them',
    access: 'networks.update',
    params,
    response: networkRun,
    status: 202,
    errors: ['not_found', 'conflict'],
    operation: { read: 'workflows.run' },
  }),
  'networks.delete': endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Start the deletion of a network to which nothing is attached',
    access: 'networks.delete',
    params,
    response: networkRun,
    status: 202,
    errors: ['not_found', 'conflict'],
    operation: { read: 'workflows.run' },
  }),
} as const
