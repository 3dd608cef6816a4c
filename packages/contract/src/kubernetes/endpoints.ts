import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { healthStates, workloadKinds } from '../base/health.ts'
import { attention, failingPods, health, healthCounts, nodeCell, stateCounts } from '../base/health-schema.ts'
import { idParams, pageQuery, searchText, timestamp } from '../base/schema.ts'

const millicores = z.number()
const bytes = z.number()

/**
 * How current the rows are: `isLive` while the server's watch on the cluster is connected, else the age says.
 * `noAnswerSince`: when the cluster answered last; null while it answers.
 */
export const freshness = { asOf: timestamp, isLive: z.boolean(), noAnswerSince: timestamp.nullable() }

/**
 * The list is long and is being read for the first time: it holds what has been read so far. Ask again for the whole.
 * `total` counts what is still to be read, as far as the cluster says, unless the list is filtered.
 */
export const isPartial = z.boolean()

function fresh<const N extends string, S extends z.ZodType>(name: N, row: S) {
  return z.object({
    [name]: z.array(row),
    total: z.number().int(),
    page: z.number().int(),
    limit: z.number().int(),
    isPartial,
    ...freshness,
  } as { [K in N]: z.ZodArray<S> } & {
    total: z.ZodNumber
    page: z.ZodNumber
    limit: z.ZodNumber
    isPartial: z.ZodBoolean
    asOf: typeof timestamp
    isLive: z.ZodBoolean
    noAnswerSince: typeof freshness.noAnswerSince
  })
}

export const nodeRow = z
  .object({
    uid: z.string(),
    name: z.string(),
    /** `Ready`, `NotReady` or `Unknown`, with `SchedulingDisabled` as a separate field. */
    status: z.string(),
    health,
    isSchedulable: z.boolean(),
    roles: z.array(z.string()),
    version: z.string(),
    internalIp: z.string().nullable(),
    zone: z.string().nullable(),
    podCount: z.number().int(),
    failingCount: z.number().int(),
    /** The first of the failing pods, by namespace, workload and name. */
    failing: failingPods,
    cpu: z.object({ requested: millicores, allocatable: millicores, used: millicores.nullable() }),
    memory: z.object({ requested: bytes, allocatable: bytes, used: bytes.nullable() }),
    createdAt: timestamp.nullable(),
  })
  .meta({ id: 'NodeRow' })
export type NodeRow = z.infer<typeof nodeRow>

export const namespaceRow = z
  .object({
    uid: z.string(),
    name: z.string(),
    phase: z.string(),
    /** As the worst of what is in it. */
    health,
    podCount: z.number().int(),
    createdAt: timestamp.nullable(),
  })
  .meta({ id: 'NamespaceRow' })
export type NamespaceRow = z.infer<typeof namespaceRow>

export const podRow = z
  .object({
    uid: z.string(),
    name: z.string(),
    namespace: z.string(),
    /** What `kubectl get pods` shows: the phase, or the reason that explains it (CrashLoopBackOff, Terminating …). */
    status: z.string(),
    phase: z.string(),
    health,
    ready: z.object({ ready: z.number().int(), total: z.number().int() }),
    restarts: z.number().int(),
    node: z.string().nullable(),
    ip: z.string().nullable(),
    /** Kind and name of the controller that owns it. */
    owner: z.string().nullable(),
    createdAt: timestamp.nullable(),
  })
  .meta({ id: 'PodRow' })
export type PodRow = z.infer<typeof podRow>

/** What keeps pods running and is owned by nothing else, or a pod that nothing keeps. */
export const workloadRow = z
  .object({
    uid: z.string(),
    kind: z.enum(workloadKinds),
    name: z.string(),
    namespace: z.string(),
    health,
    /** How many of how many pods the health concerns. */
    affected: z.object({ count: z.number().int(), total: z.number().int() }),
    /** Pods, or the completions of a job. */
    desired: z.number().int(),
    ready: z.number().int(),
    upToDate: z.number().int(),
    available: z.number().int(),
    images: z.array(z.string()),
    createdAt: timestamp.nullable(),
  })
  .meta({ id: 'WorkloadRow' })
export type WorkloadRow = z.infer<typeof workloadRow>

export const eventRow = z
  .object({
    uid: z.string(),
    type: z.string(),
    reason: z.string(),
    message: z.string(),
    namespace: z.string(),
    object: z.string(),
    count: z.number().int(),
    firstSeenAt: timestamp.nullable(),
    lastSeenAt: timestamp.nullable(),
  })
  .meta({ id: 'EventRow' })
export type EventRow = z.infer<typeof eventRow>

/** Requested of allocatable; `used` where the cluster has metrics. */
export const capacity = z
  .object({
    cpuMillicores: z.object({ requested: millicores, allocatable: millicores, used: millicores.nullable() }),
    memoryBytes: z.object({ requested: bytes, allocatable: bytes, used: bytes.nullable() }),
    /**
     * What persistent volume claims ask for, and the capacity of the volumes that are bound to them; null where claims
     * cannot be read.
     */
    storageBytes: z.object({ requested: bytes, bound: bytes }).nullable(),
    pods: z.object({ requested: z.number(), allocatable: z.number() }),
  })
  .meta({ id: 'Capacity' })
export type Capacity = z.infer<typeof capacity>

export const clusterOverview = z
  .object({
    health,
    /** How many of each there are in each state of health. */
    healthCounts,
    /** What needs attention, the worst first. */
    attention,
    /** Kinds that could not be read, and why; null when everything was looked at. */
    unreadable: z.object({ kinds: z.array(z.string()), reason: z.string() }).nullable(),
    /** At most 200 nodes, by name; those that fail are always among them. */
    nodeMap: z.array(nodeCell).max(200),
    kubernetesVersion: z.string(),
    nodes: z.object({ total: z.number().int(), ready: z.number().int() }),
    namespaces: z.number().int(),
    workloads: z.number().int(),
    services: z.number().int(),
    pods: z.object({ total: z.number().int(), byPhase: z.record(z.string(), z.number().int()) }),
    capacity,
    ...freshness,
  })
  .meta({ id: 'ClusterOverview' })
export type ClusterOverview = z.infer<typeof clusterOverview>

const listQuery = pageQuery.extend({ search: searchText, health: z.enum(healthStates).optional() })
/** Labels that must be there, or must not: `app=web,tier!=system`. */
export const labelSelector = z.string().max(500).optional()
const namespaced = listQuery.extend({ namespace: z.string().max(63).optional(), labels: labelSelector })

const readErrors = ['not_found', 'conflict', 'cluster_unreachable', 'cluster_forbidden'] as const

export const kubernetesEndpoints = {
  'kubernetes.overview': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/overview',
    summary: 'Nodes, pods by phase, and capacity of one cluster',
    access: 'kubernetes.read',
    params: idParams,
    response: clusterOverview,
    errors: readErrors,
  }),
  'kubernetes.nodes': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/nodes',
    summary: 'Nodes of one cluster',
    access: 'kubernetes.read',
    params: idParams,
    query: listQuery.extend({
      sort: z.enum(['name', 'status', 'health', 'pods', 'cpu', 'memory', 'createdAt']).default('name'),
    }),
    response: fresh('nodes', nodeRow),
    errors: readErrors,
  }),
  'kubernetes.namespaces': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/namespaces',
    summary: 'Namespaces of one cluster',
    access: 'kubernetes.read',
    params: idParams,
    query: listQuery.extend({ sort: z.enum(['name', 'health', 'pods', 'createdAt']).default('name') }),
    response: fresh('namespaces', namespaceRow),
    errors: readErrors,
  }),
  'kubernetes.pods': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/pods',
    summary: 'Pods of one cluster',
    access: 'kubernetes.read',
    params: idParams,
    query: namespaced.extend({
      phase: z.enum(['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']).optional(),
      node: z.string().max(253).optional(),
      sort: z
        .enum(['name', 'namespace', 'status', 'health', 'restarts', 'node', 'createdAt'])
        .default('name'),
    }),
    response: fresh('pods', podRow),
    errors: readErrors,
  }),
  'kubernetes.workloads': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/workloads',
    summary: 'Workloads of one cluster: what keeps pods running, and pods that nothing keeps',
    access: 'kubernetes.read',
    params: idParams,
    query: namespaced.extend({
      kind: z.enum(workloadKinds).optional(),
      sort: z.enum(['name', 'kind', 'namespace', 'health', 'ready', 'createdAt']).default('name'),
    }),
    /** `counts` are of what matches all but the health that is asked for. */
    response: fresh('workloads', workloadRow).extend({ counts: stateCounts }),
    errors: readErrors,
  }),
  'kubernetes.events': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/events',
    summary: 'Events of one cluster, newest first',
    access: 'kubernetes.read',
    params: idParams,
    query: namespaced
      .omit({ health: true, labels: true })
      .extend({ type: z.enum(['Normal', 'Warning']).optional() }),
    response: fresh('events', eventRow),
    errors: readErrors,
  }),
} as const

/** The cluster proxy: every method and path below `/proxy/`, with Kubernetes' own bodies and errors. */
export const proxyEndpoints = {
  'kubernetes.proxyGet': proxy('GET', 'kubernetes.read'),
  'kubernetes.proxyPost': proxy('POST', 'kubernetes.read'),
  'kubernetes.proxyPut': proxy('PUT', 'kubernetes.read'),
  'kubernetes.proxyPatch': proxy('PATCH', 'kubernetes.read'),
  'kubernetes.proxyDelete': proxy('DELETE', 'kubernetes.read'),
} as const

/** The least permission is to read; what more a request needs (write, exec, secrets) follows from its verb and resource. */
function proxy<const M extends 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>(
  method: M,
  access: 'kubernetes.read',
) {
  return endpoint({
    method,
    path: '/api/kubernetes/clusters/{id}/proxy/*',
    summary: 'The Kubernetes API of a cluster; errors are Kubernetes Status objects',
    access,
    withoutIdempotencyKey: 'Kubernetes has its own way: names are unique.',
    params: idParams,
    response: { mediaType: 'application/json' },
  })
}
