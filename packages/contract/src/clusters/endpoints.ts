import { z } from 'zod'
import { clusterBounds } from './rules.ts'
import { endpoint } from '../base/endpoint.ts'
import { healthStates } from '../base/health.ts'
import { health } from '../base/health-schema.ts'
import { isDnsLabel } from '../base/dns-rules.ts'
import {
  actor,
  idParams,
  numericId,
  numericIdText,
  pageQuery,
  paged,
  searchText,
  timestamp,
  uuid,
} from '../base/schema.ts'
import { clusterStatuses } from '../base/statuses.ts'

export const clusterProviders = ['sandbox', 'kubeconfig'] as const
export type ClusterProviderId = (typeof clusterProviders)[number]
/** Those that make clusters; the others take what is there. */
export const creatingProviders = ['sandbox'] as const

export const dnsLabel = z
  .string()
  .refine(
    isDnsLabel,
    'Use 1 to 63 lower-case letters, digits and hyphens; start and end with a letter or digit.',
  )

const gibibyte = 1024 ** 3

export const nodeGroup = z
  .strictObject({
    name: dnsLabel,
    count: z.number().int().min(1).max(100),
    cpuCores: z.number().int().min(1).max(128).default(4),
    memoryBytes: z
      .number()
      .int()
      .min(gibibyte)
      .max(1024 * gibibyte)
      .default(16 * gibibyte),
  })
  .meta({ id: 'NodeGroup' })
export type NodeGroup = z.infer<typeof nodeGroup>

/** Nodes of one kind as a cluster has them, which of an imported one may be called anything. */
const knownNodeGroup = z.object({
  name: z.string(),
  count: z.number().int(),
  cpuCores: z.number(),
  memoryBytes: z.number(),
})

/** Whether the cluster's API answers: a fact of its own beside the status. */
export const reachability = z.object({
  state: z.enum(['unknown', 'reachable', 'unreachable']),
  since: timestamp.nullable(),
  reason: z.string().nullable(),
})

export const cluster = z
  .object({
    id: numericId,
    organization_id: numericId,
    title: z.string(),
    /** The same as `title`, for clients that read names. */
    name: z.string(),
    /** What members wrote about it; empty where nobody did. */
    description: z.string(),
    /** Of Bey alone: the cluster itself does not know them. At most 20. */
    labels: z.record(z.string(), z.string()),
    status: z.enum(clusterStatuses),
    pending_operations: z.number().int(),
    provider: z.enum(clusterProviders),
    region: z.string(),
    version: z.string(),
    nodeGroups: z.array(knownNodeGroup).max(20),
    metadata: z.object({ version: z.string(), nodeCount: z.number().int(), created: timestamp }),
    /** Why the last operation failed, in words; null while all is well. */
    error: z.string().nullable(),
    reachability,
    /** When it was last found to have been restored or replaced, so that everything was read anew; null while it never was. */
    replacedAt: timestamp.nullable(),
    /** False where nobody checks whose certificate it is (insecure-skip-tls-verify of an imported cluster). */
    isVerified: z.boolean(),
    /** When and why its control plane last had to be started again; null while it never had to. */
    lastRestart: z.object({ at: timestamp, reason: z.string() }).nullable(),
    /** As the server found it last; `unknown` while it cannot look. */
    health,
    /** The run that last changed this cluster. */
    lastRun: z.object({ workflowId: uuid, runId: uuid }).nullable(),
    createdBy: actor,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Cluster' })
export type Cluster = z.infer<typeof cluster>

const createCluster = z.strictObject({
  title: dnsLabel,
  provider: z.enum(creatingProviders),
  region: z.string().min(1).max(63).optional(),
  version: z.string().min(1).max(63).optional(),
  nodeGroups: z.array(nodeGroup).min(1).max(20).optional(),
})

const clusterLabels = z
  .record(
    z
      .string()
      .max(clusterBounds.labelKey)
      .regex(
        /^[a-zA-Z0-9]([a-zA-Z0-9._/-]*[a-zA-Z0-9])?$/,
        'Use letters, digits, dots, underscores, dashes and slashes.',
      ),
    z.string().max(clusterBounds.labelValue),
  )
  .refine(
    (labels) => Object.keys(labels).length <= clusterBounds.labels,
    `Send at most ${clusterBounds.labels} labels.`,
  )

/** The run that an act started, or that is under way already. */
const startedRun = z.object({
  clusterId: numericId,
  workflowId: uuid,
  runId: uuid,
  status: z.string(),
  message: z.string(),
})

export const kubeconfigToken = z
  .object({
    id: uuid,
    user: actor,
    label: z.string(),
    createdAt: timestamp,
    expiresAt: timestamp,
    lastUsedAt: timestamp.nullable(),
  })
  .meta({ id: 'KubeconfigToken' })
export type KubeconfigToken = z.infer<typeof kubeconfigToken>

/** What a machine gives to clusters, and what is taken. */
export const clusterCapacity = z
  .object({
    machineBytes: z.number().int(),
    /** Memory that all clusters of this machine may take together. */
    budgetBytes: z.number().int(),
    /** Memory, disk and objects that one may take. */
    sandboxBytes: z.number().int(),
    maxDiskBytes: z.number().int(),
    maxObjects: z.number().int(),
    freeDiskBytes: z.number().int(),
    sandboxes: z.number().int(),
    maxSandboxes: z.number().int(),
    /** Why no further cluster fits, with the way out; null when one does. */
    refusal: z.string().nullable(),
  })
  .meta({ id: 'ClusterCapacity' })
export type ClusterCapacity = z.infer<typeof clusterCapacity>

export const clusterProvider = z
  .object({
    id: z.enum(creatingProviders),
    label: z.string(),
    description: z.string(),
    regions: z.array(z.string()).max(100),
    versions: z.array(z.string()).max(100),
    defaultNodeGroups: z.array(nodeGroup).max(20),
    maxNodes: z.number().int(),
    /** What this machine has left for further clusters; null where that is not limited by this machine. */
    capacity: clusterCapacity.nullable(),
  })
  .meta({ id: 'ClusterProvider' })
export type ClusterProvider = z.infer<typeof clusterProvider>

export const clusterEndpoints = {
  'clusters.list': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters',
    summary: 'Clusters of the organization, newest first; deleted ones only when asked for by status',
    access: 'clusters.read',
    query: pageQuery.extend({
      search: searchText,
      status: z.enum(clusterStatuses).optional(),
      health: z.enum(healthStates).optional(),
      sort: z.enum(['title', 'status', 'health', 'createdAt']).default('createdAt'),
    }),
    response: paged('clusters', cluster),
  }),
  'clusters.get': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}',
    summary: 'One cluster',
    access: 'clusters.read',
    params: idParams,
    response: cluster,
    errors: ['not_found'],
  }),
  'clusters.providers': endpoint({
    method: 'GET',
    path: '/api/kubernetes/providers',
    summary: 'Where clusters can be created, with regions, versions and limits',
    access: 'clusters.read',
    response: z.object({ providers: z.array(clusterProvider).max(20) }),
  }),
  'clusters.create': endpoint({
    method: 'POST',
    path: '/api/kubernetes/clusters',
    summary: 'Create a cluster; provisioning starts at once',
    access: 'clusters.create',
    body: createCluster,
    response: cluster,
    status: 201,
    errors: ['name_taken', 'limit_reached'],
    operation: { read: 'clusters.get' },
  }),
  'clusters.update': endpoint({
    method: 'PATCH',
    path: '/api/kubernetes/clusters/{id}',
    summary:
      'Change what a cluster is called here, its description or its labels; the cluster itself is not touched',
    access: 'clusters.update',
    params: idParams,
    body: z.strictObject({
      title: dnsLabel.optional(),
      description: z.string().trim().max(clusterBounds.description).optional(),
      labels: clusterLabels.optional(),
    }),
    response: cluster,
    errors: ['not_found', 'conflict', 'name_taken'],
  }),
  'clusters.delete': endpoint({
    method: 'DELETE',
    path: '/api/kubernetes/clusters/{id}',
    summary: 'Start the deletion of a cluster; asked twice, answers the run under way',
    access: 'clusters.delete',
    params: idParams,
    response: startedRun,
    status: 202,
    errors: ['not_found', 'conflict'],
    operation: { read: 'workflows.run' },
  }),
  'clusters.startDeletion': endpoint({
    method: 'POST',
    path: '/api/kubernetes/clusters/{id}/delete',
    summary: 'The same act as DELETE',
    access: 'clusters.delete',
    params: idParams,
    response: startedRun,
    status: 202,
    errors: ['not_found', 'conflict'],
    operation: { read: 'workflows.run' },
  }),
  'clusters.provision': endpoint({
    method: 'POST',
    path: '/api/kubernetes/clusters/{id}/provision',
    summary: 'Provision a pending or failed cluster again; asked twice, answers the run under way',
    access: 'clusters.provision',
    params: idParams,
    query: z.object({
      /** `from_failed` keeps what the steps before the failed one have made; from the start where there is none. */
      mode: z.enum(['from_start', 'from_failed']).default('from_start'),
    }),
    response: startedRun,
    status: 202,
    errors: ['not_found', 'conflict'],
    operation: { read: 'workflows.run' },
  }),
  'clusters.status': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/status',
    summary: 'Status of a cluster with the progress of its last run',
    access: 'clusters.read',
    params: idParams,
    response: z.object({
      clusterId: numericId,
      status: z.enum(clusterStatuses),
      pending_operations: z.number().int(),
      error: z.string().nullable(),
      workflowId: uuid.nullable(),
      runId: uuid.nullable(),
      runStatus: z.string().nullable(),
      currentStep: z.string().nullable(),
      progress: z.number().min(0).max(100),
    }),
    errors: ['not_found'],
  }),
  'clusters.references': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/references',
    summary: 'What else refers to a cluster, and ends or stops working with it',
    access: 'clusters.read',
    params: idParams,
    response: z.object({
      /** Live ones of everybody. */
      kubeconfigTokens: z.number().int(),
      kubeconfigUsers: z.number().int(),
      /** Under way or waiting, the oldest first. */
      runs: z
        .array(z.object({ workflowId: uuid, runId: uuid, name: z.string(), status: z.string() }))
        .max(20),
      /** Watches, followed logs and sessions in containers that are open through this server. */
      openStreams: z.number().int(),
      /** Secrets that the cluster uses. */
      secrets: z.array(z.object({ id: uuid, name: z.string() })).max(20),
    }),
    errors: ['not_found'],
  }),
  'clusters.kubeconfig': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/kubeconfig',
    summary: 'A kubeconfig with a new token that carries your role, expires and can be revoked',
    access: 'clusters.kubeconfig',
    // A kubeconfig acts with the whole role of its user; a key speaks to the proxy itself.
    keys: 'none',
    params: idParams,
    query: z.object({ expires_in_hours: z.coerce.number().int().min(1).max(168).default(8) }),
    response: { mediaType: 'application/yaml' },
    hasEffect: true,
    errors: ['not_found', 'conflict', 'limit_reached', 'rate_limited'],
  }),
  'clusters.tokens': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/tokens',
    summary: 'Live kubeconfig tokens: your own, and as an admin everybody’s',
    access: 'clusters.kubeconfig',
    params: idParams,
    query: pageQuery,
    response: paged('tokens', kubeconfigToken),
    errors: ['not_found'],
  }),
  'clusters.revokeToken': endpoint({
    method: 'DELETE',
    path: '/api/kubernetes/clusters/{id}/tokens/{tokenId}',
    summary: 'Revoke a kubeconfig token; its open requests end within a second',
    access: 'clusters.kubeconfig',
    params: z.object({ id: numericIdText, tokenId: uuid }),
    response: z.null(),
    status: 204,
    errors: ['not_found'],
  }),
} as const
