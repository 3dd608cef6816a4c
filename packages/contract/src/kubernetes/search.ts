import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { health } from '../base/health-schema.ts'
import { timestamp } from '../base/schema.ts'

/** An object of some cluster, found by its name or kind. */
const foundObject = z
  .object({
    clusterId: z.number().int(),
    cluster: z.string(),
    /** As kubectl names it: `deployments.apps`. */
    resource: z.string(),
    kind: z.string(),
    /** Empty for what belongs to no namespace. */
    namespace: z.string(),
    name: z.string(),
    /** Null for kinds that do not run. */
    health: health.nullable(),
  })
  .meta({ id: 'FoundObject' })
export type FoundObject = z.infer<typeof foundObject>

export const kubernetesSearchEndpoints = {
  'kubernetes.search': endpoint({
    method: 'GET',
    path: '/api/kubernetes/search',
    summary:
      'Objects of all running clusters whose name, kind, namespace or cluster has the words that are sought',
    access: 'kubernetes.read',
    query: z.object({
      /** Words, each of which must be found; the best matches of the name come first. Nothing is found without any. */
      search: z.string().trim().min(2, 'Type at least 2 characters.').max(100).optional(),
      limit: z.coerce.number().int().min(1).max(50).default(20),
    }),
    response: z.object({
      objects: z.array(foundObject).max(50),
      /** There are more than were answered. */
      isCut: z.boolean(),
      /** Running clusters that did not answer, and why. */
      unreadable: z.array(z.object({ id: z.number().int(), title: z.string(), reason: z.string() })).max(100),
    }),
  }),
} as const

/** Why a kind of a cluster is watched: for the health of the cluster, its changes, or pages that are open. */
const cacheReaders = ['health', 'changes', 'pages'] as const

/** What the server keeps of one kind of one cluster. */
const kindCache = z
  .object({
    /** `pods`, or `rows of configmaps`: kinds whose health is derived are kept apart from rows of a list. */
    name: z.string(),
    rows: z.number().int(),
    /** As JSON, estimated from a sample of the rows. */
    bytes: z.number().int(),
    readers: z.array(z.enum(cacheReaders)).max(3),
    startedAt: timestamp,
    lastReadAt: timestamp,
    isLive: z.boolean(),
    /** When the rows were last known to be current. */
    asOf: timestamp,
    /** Why it is not current, in words. */
    failure: z.string().nullable(),
  })
  .meta({ id: 'KindCacheFigures' })
export type KindCacheFigures = z.infer<typeof kindCache>

const clusterCaches = z
  .object({
    id: z.number().int(),
    title: z.string(),
    /** Watches, followed logs and sessions that are open on it through this process. */
    openStreams: z.number().int(),
    kinds: z.array(kindCache).max(300),
  })
  .meta({ id: 'ClusterCaches' })
export type ClusterCaches = z.infer<typeof clusterCaches>

const quota = z.object({ used: z.number().int(), most: z.number().int() })

export const kubernetesCacheEndpoints = {
  'kubernetes.caches': endpoint({
    method: 'GET',
    path: '/api/kubernetes/caches',
    summary:
      'What this server process keeps of the clusters of the organization, and what the organization may have',
    access: 'sandboxes.read',
    response: z.object({
      clusters: z.array(clusterCaches).max(100),
      rows: z.number().int(),
      bytes: z.number().int(),
      /** Lists that are kept current by one watch each, or by one for each namespace where all are refused. */
      watches: z.number().int(),
      /** How long a kind is watched after its last reader, in milliseconds. */
      idleMs: z.number().int(),
      quotas: z.object({ sandboxes: quota, imported: quota }),
    }),
  }),
} as const
