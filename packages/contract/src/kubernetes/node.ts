import { z } from 'zod'
import { endpoint } from '../base/endpoint.ts'
import { nodeCell, stateCounts } from '../base/health-schema.ts'
import { freshness, nodeRow, podRow } from './endpoints.ts'
import { idParams } from '../base/schema.ts'

/** The name of a node, as Kubernetes allows it. */
export const nodeName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, 'Not the name of a node.')

const use = z.object({ requested: z.number(), used: z.number().nullable() })

/** A pod of a node, and what it uses of what it requests; `used` is null where it is not measured. */
export const nodePod = podRow
  .extend({
    /** In thousandths of a core. */
    cpu: use,
    /** In bytes. */
    memory: use,
  })
  .meta({ id: 'NodePod' })
export type NodePod = z.infer<typeof nodePod>

export const nodeDetail = z
  .object({
    node: nodeRow,
    /** How many pods it takes. */
    maxPods: z.number().int(),
    cell: nodeCell,
    /** The pods that hold something of the node, the worst first; at most 250. */
    pods: z.array(nodePod).max(250),
    /** How many of all those pods are in each state of health. */
    podHealth: stateCounts,
    ...freshness,
  })
  .meta({ id: 'NodeDetail' })
export type NodeDetail = z.infer<typeof nodeDetail>

export const kubernetesNodeEndpoints = {
  'kubernetes.node': endpoint({
    method: 'GET',
    path: '/api/kubernetes/clusters/{id}/nodes/{name}',
    summary: 'One node of a cluster with its pods, and what is used and requested of it',
    access: 'kubernetes.read',
    params: idParams.extend({ name: nodeName }),
    response: nodeDetail,
    errors: ['not_found', 'conflict', 'cluster_unreachable', 'cluster_forbidden'],
  }),
} as const
