import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { healthStates, workloadKinds } from '../base/health.ts'
import { healthState, stateCounts } from '../base/health-schema.ts'
import { freshness, isPartial, labelSelector, workloadRow } from './endpoints.ts'
import { objectColumn, objectRow, resourceParam } from './objects.ts'
import { pageQuery, searchText } from '../base/schema.ts'

/** A cluster that was read, and how current what it said is. */
const clusterState = z
  .object({
    id: z.number().int(),
    title: z.string(),
    ...freshness,
  })
  .meta({ id: 'ClusterState' })
export type ClusterState = z.infer<typeof clusterState>

/** A cluster that runs and could not be read, and why in words. */
const unreadableCluster = z.object({ id: z.number().int(), title: z.string(), reason: z.string() })
export type UnreadableCluster = z.infer<typeof unreadableCluster>

const ofCluster = { clusterId: z.number().int(), cluster: z.string() }

const clusterWorkloadRow = workloadRow.extend(ofCluster)
export type ClusterWorkloadRow = z.infer<typeof clusterWorkloadRow>

const clusterObjectRow = objectRow
  .extend({
    ...ofCluster,
    /** Why storage serves nobody, in words; null for what is in use, and for what is no storage. */
    unused: z.string().nullable(),
  })
  .meta({ id: 'ClusterObjectRow' })
export type ClusterObjectRow = z.infer<typeof clusterObjectRow>

export const allClustersQuery = pageQuery.extend({
  search: searchText,
  labels: labelSelector,
  cluster: z.coerce.number().int().positive().optional(),
  namespace: z.string().max(63).optional(),
})

/** What every list over all clusters answers beside its rows. */
export const allClustersAnswer = {
  total: z.number().int(),
  page: z.number().int(),
  limit: z.number().int(),
  /** To choose from; at most 200. */
  namespaces: z.array(z.string()).max(200),
  /** The clusters that were read, by title; at most 100. */
  clusters: z.array(clusterState).max(100),
  unreadable: z.array(unreadableCluster).max(100),
  isPartial,
  /** Of the oldest answer of a cluster. */
  ...freshness,
}

export const allClustersEndpoints = {
  'kubernetes.allWorkloads': endpoint({
    method: 'GET',
    path: '/api/kubernetes/workloads',
    summary: 'Workloads of all running clusters of the organization',
    access: 'kubernetes.read',
    query: allClustersQuery.extend({
      kind: z.enum(workloadKinds).optional(),
      health: z.enum(healthStates).optional(),
      sort: z
        .enum(['name', 'kind', 'namespace', 'cluster', 'health', 'ready', 'createdAt'])
        .default('health'),
    }),
    response: z.object({
      workloads: z.array(clusterWorkloadRow),
      /** Of what matches all but the health that is asked for. */
      counts: stateCounts,
      ...allClustersAnswer,
    }),
  }),
  'kubernetes.allObjects': endpoint({
    method: 'GET',
    path: '/api/kubernetes/objects/{resource}',
    summary: 'Objects of one resource of all running clusters of the organization',
    access: 'kubernetes.read',
    params: z.object({ resource: resourceParam }),
    query: allClustersQuery.extend({
      /** Only storage that serves nobody. */
      unused: z.literal('true').optional(),
      /** Only volumes of which nine tenths or more are used. */
      nearlyFull: z.literal('true').optional(),
      /** Only services in this state of health. */
      health: healthState.optional(),
      /** `name`, `namespace`, `cluster`, `createdAt`, `usage` of storage, `health` of services, or the name of a column. */
      sort: z.string().max(100).default('name'),
    }),
    response: z.object({
      columns: z.array(objectColumn).max(50),
      isNamespaced: z.boolean(),
      objects: z.array(clusterObjectRow),
      unusedTotal: z.number().int(),
      /** Services by their state of health, before `health` narrows them; null for other resources. */
      counts: stateCounts.nullable(),
      /** What all claims or volumes that match hold together; null for other resources. */
      storage: z
        .object({
          capacityBytes: z.number().int(),
          /** Of those that serve nobody. */
          unusedBytes: z.number().int(),
          /** Inside those that are measured, and how many these are. */
          usedBytes: z.number().int(),
          measuredTotal: z.number().int(),
          nearlyFullTotal: z.number().int(),
        })
        .nullable(),
      ...allClustersAnswer,
    }),
    errors: ['forbidden'],
  }),
} as const
