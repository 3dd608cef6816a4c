import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { cellStates } from '../reachability/matrix.ts'
import { protocols } from '../reachability/snapshot.ts'
import { idParams, timestamp } from '../base/schema.ts'

const count = z.number().int().min(0)

/** Bounds of one map. */
export const flowMapLimits = { nodes: 500, edges: 2_000, ports: 12, opened: 50 } as const

/**
 * What is known of the way from one node to another. `used`: connections got through. `refused`: connections were
 * dropped, and none got through. `unused`: open, in part at least, and no connection was observed. `denied`: closed, and
 * nobody tried. `unknown`: what the policies say is not known, and no connection was observed.
 */
export const flowStates = ['refused', 'used', 'unused', 'denied', 'unknown'] as const
export type FlowState = (typeof flowStates)[number]

const node = z.object({
  /** By which it can be asked about: `namespace:shop`, `workload:shop/Deployment/web`, `address:0.0.0.0/0`. */
  id: z.string(),
  kind: z.enum(['namespace', 'workload', 'outside']),
  name: z.string(),
  namespace: z.string().nullable(),
  pods: count,
})

const flowPort = z.object({
  protocol: z.enum(protocols),
  /** 0 stands for any other port than those that pods declare and services lead to. */
  port: z.number().int().min(0).max(65_535),
  policy: z.enum(cellStates),
})

const edge = z.object({
  from: z.string(),
  to: z.string(),
  state: z.enum(flowStates),
  /** What the policies say of all its ports together. */
  policy: z.enum(cellStates),
  /** The ports that are open or used first. */
  ports: z.array(flowPort).max(flowMapLimits.ports),
  portCount: count,
  /** Connections that were observed; null where the cluster does not report any. */
  observed: z.object({ passed: count, dropped: count, lastSeenAt: timestamp.nullable() }).nullable(),
})

const flowMap = z
  .object({
    nodes: z.array(node).max(flowMapLimits.nodes),
    nodeCount: count,
    edges: z.array(edge).max(flowMapLimits.edges),
    /** Of all edges that the query asks for, by state, also of those that are left out here. */
    counts: z.object({ used: count, refused: count, unused: count, denied: count, unknown: count }),
    /** Connections that were refused, also on ways that let others through. */
    refusedConnections: count,
    /** Where the observed connections come from; null where the cluster does not report any. */
    observedBy: z.enum(['sandbox', 'hubble']).nullable(),
    /** Why no connection was observed, as a sentence; null where the cluster reports them. */
    notObserved: z.string().nullable(),
    /** When the first connection that counts was observed; null where the source does not say it. */
    observedSince: timestamp.nullable(),
    /** Why observed connections are missing from the counts, as sentences; null where none are known to be. */
    incomplete: z.string().nullable(),
    /** Connections of workloads that are gone or that the map leaves out. */
    unplaced: count,
    asOf: timestamp,
    /** Why the cluster is not known as it is now, as a sentence; null where it is. */
    doubt: z.string().nullable(),
    policies: count,
    pods: count,
  })
  .meta({ id: 'FlowMap' })
export type FlowMap = z.infer<typeof flowMap>

const namespaceName = z.string().min(1).max(63)

export const networkFlowEndpoints = {
  'networks.flows.map': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/reachability/flows',
    summary: 'Allowed, denied and observed flows between the namespaces or workloads of a cluster',
    access: 'kubernetes.read',
    params: idParams,
    query: z.object({
      by: z.enum(['namespace', 'workload']).default('namespace'),
      /** Namespaces whose workloads are nodes of their own, separated by commas, where `by` is `namespace`. */
      open: z
        .string()
        .max(flowMapLimits.opened * 64)
        .default(''),
      /** Only flows from or to this namespace. */
      namespace: namespaceName.optional(),
      /** Only flows in this state. Without it `denied` ones are counted and left out. */
      state: z.enum(flowStates).optional(),
      /** Only flows to this port. */
      port: z.coerce.number().int().min(1).max(65_535).optional(),
    }),
    response: flowMap,
    errors: ['not_found', 'conflict', 'cluster_unreachable', 'cluster_forbidden'],
  }),
} as const
