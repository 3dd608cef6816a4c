import { z } from 'zod'
import { databaseLimits, databaseNameRule, isValidDatabaseName } from './rules.ts'
import { newBackupPolicy } from './backups.ts'
import { clusterChange, clusterWish, kubeName } from './cluster.ts'
import { clusterCreationProblems } from './cluster-creation.ts'
import { newExtensions } from './creation.ts'
import { database, databaseOperation, startedRun } from './endpoints.ts'
import { endpoint } from '../base/endpoint.ts'
import { numericId, uuid } from '../base/schema.ts'

const count = z.number().int().min(0)

/** A Cluster of CloudNativePG that was found on a connected cluster. */
const foundCluster = z.object({
  namespace: z.string(),
  name: z.string(),
  instances: count,
  readyInstances: count,
  /** In the words of CloudNativePG; empty while its operator has said nothing. */
  phase: z.string(),
  image: z.string().nullable(),
  /** The database that manages it already; null where none does. */
  databaseId: uuid.nullable(),
})

/** A connected cluster, and what it offers to databases. */
const clusterPlace = z.object({
  id: z.number().int(),
  title: z.string(),
  /** Why no database can be created there, with the way out; null where one can. */
  problem: z.string().nullable(),
  namespaces: z.array(z.string()).max(500),
  storageClasses: z.array(z.object({ name: z.string(), isDefault: z.boolean() })).max(100),
  found: z.array(foundCluster).max(200),
})

const name = z.string().refine(isValidDatabaseName, databaseNameRule)

const adoption = z.strictObject({
  clusterId: numericId,
  namespace: kubeName,
  /** Of the Cluster. */
  cluster: kubeName,
  /** Of the database in Bey; the name of the Cluster unless given. */
  name: name.optional(),
  description: z.string().trim().max(databaseLimits.description).default(''),
  isProtected: z.boolean().default(false),
})

export const databaseClusterEndpoints = {
  'databases.clusters': endpoint({
    method: 'GET',
    path: '/api/databases/clusters',
    summary: 'Connected clusters as places for databases, and the Clusters of CloudNativePG found there',
    access: 'databases.create',
    response: z.object({ clusters: z.array(clusterPlace).max(50) }),
  }),
  'databases.adopt': endpoint({
    method: 'POST',
    path: '/api/databases/adopt',
    summary: 'Manage a Cluster of CloudNativePG that exists; nothing of it is changed',
    access: 'databases.create',
    body: adoption,
    response: database,
    status: 201,
    errors: ['not_found', 'conflict', 'forbidden', 'name_taken', 'limit_reached', 'cluster_unreachable'],
    operation: { read: 'databases.get' },
  }),
  'databases.preview': endpoint({
    method: 'POST',
    path: '/api/databases/preview',
    summary: 'The Cluster of CloudNativePG that would be made, with what its backups need; nothing is made',
    access: 'databases.create',
    body: z
      .strictObject({
        name,
        cluster: clusterWish,
        backups: newBackupPolicy.optional(),
        extensions: newExtensions.optional(),
      })
      .superRefine((input, context) => {
        for (const problem of clusterCreationProblems(input)) context.addIssue({ code: 'custom', ...problem })
      }),
    response: z.object({
      yaml: z.string(),
      /** What the cluster says against it, from a dry run; null where nothing. */
      problem: z.string().nullable(),
    }),
    errors: ['not_found', 'conflict', 'forbidden', 'cluster_unreachable'],
    withoutIdempotencyKey: 'It stores nothing.',
  }),
  'databases.changeCluster': endpoint({
    ...databaseOperation(
      'change-cluster',
      'Change instances, volumes or parameters of a database on a cluster',
    ),
    body: clusterChange,
    response: startedRun,
  }),
  'databases.failOver': endpoint({
    ...databaseOperation('fail-over', 'Make another instance of a database on a cluster the primary'),
    body: z
      .strictObject({
        /** The pod of the instance; the first that is not the primary unless given. */
        to: kubeName.optional(),
      })
      .optional(),
    response: startedRun,
  }),
} as const
