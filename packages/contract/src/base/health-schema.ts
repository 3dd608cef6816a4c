import { z } from 'zod'
import { healthStates, maxNamedFailing } from './health.ts'
import { numericId, timestamp } from './schema.ts'

export const healthState = z.enum(healthStates)

export const healthObject = z.object({ kind: z.string(), namespace: z.string(), name: z.string() })

export const health = z.object({
  state: healthState,
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  since: timestamp.nullable(),
  object: healthObject.nullable(),
})

const count = z.number().int()

/** How many are in each state of health. */
export const stateCounts = z.object({
  failing: count,
  degraded: count,
  unknown: count,
  starting: count,
  healthy: count,
})

export const healthCounts = z.object({ nodes: stateCounts, pods: stateCounts, workloads: stateCounts })

/** One thing that needs attention: a workload with all its pods, never one row a pod. */
export const attentionItem = z
  .object({
    /** The same as long as it is the same thing. */
    key: z.string(),
    /** `Deployment`, `Node`, `PersistentVolumeClaim`, `Cluster`, `Run` … */
    kind: z.string(),
    name: z.string(),
    namespace: z.string().nullable(),
    cluster: z.object({ id: numericId, title: z.string() }).nullable(),
    health,
    /** How many of how many pods; null where that says nothing. */
    affected: z.object({ count, total: count }).nullable(),
    /** The page of the console that shows more, and what is found there. */
    href: z.string(),
    action: z.enum(['explain', 'open']),
  })
  .meta({ id: 'AttentionItem' })
export type AttentionItem = z.infer<typeof attentionItem>

/** At most 50, the worst first, and how many there are of each. */
export const attention = z
  .object({
    items: z.array(attentionItem).max(50),
    counts: z.object({ failing: count, degraded: count, unknown: count }),
  })
  .meta({ id: 'Attention' })
export type Attention = z.infer<typeof attention>

const share = z.number().min(0).nullable()

/** Pods that fail, by name and reason. */
export const failingPods = z
  .array(z.object({ namespace: z.string(), name: z.string(), reason: z.string().nullable() }))
  .max(maxNamedFailing)

/** One node of a node map. Shares are of what can be allocated, of a pod of what it requested; null: not known. */
export const nodeCell = z
  .object({
    /** Null for the pods that have no node. */
    name: z.string().nullable(),
    health,
    cpu: z.object({ used: share, requested: share }),
    memory: z.object({ used: share, requested: share }),
    podCount: count,
    failingCount: count,
    /** The first of the failing pods, in the order of `pods`. */
    failing: failingPods,
    /** By namespace, workload and name, so that a pod keeps its place. */
    pods: z.array(z.object({ state: healthState, cpu: share, memory: share })).max(250),
  })
  .meta({ id: 'NodeCell' })
export type NodeCell = z.infer<typeof nodeCell>
